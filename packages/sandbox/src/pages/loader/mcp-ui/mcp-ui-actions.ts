// What an MCP-UI app asks for, in the words of MCP Apps; pure, so that it can be read and tested by itself.
import { isObject } from '../../is-object.js';

type Params = Readonly<Record<string, unknown>>;

/** One message of an app, translated. */
export type Translation =
  | { readonly kind: 'request' | 'notification'; readonly method: string; readonly params: Params }
  /** The app listens: it is told what there is to show. */
  | { readonly kind: 'render-data' }
  /** Answered here: there is no such thing in MCP Apps, or it was asked for wrongly. */
  | { readonly kind: 'refused'; readonly reason: string };

const refuse = (reason: string): Translation => ({ kind: 'refused', reason });

const toMessage = (text: string): Translation => ({
  kind: 'request',
  method: 'ui/message',
  params: { role: 'user', content: [{ type: 'text', text }] },
});

const toSize = (payload: Params): Params =>
  Object.fromEntries(
    ['width', 'height'].map((name) => [name, payload[name]]).filter(([, value]) => Number.isFinite(value)),
  );

const translations: Readonly<Record<string, (payload: Params) => Translation>> = {
  tool: ({ toolName, params }) =>
    typeof toolName === 'string'
      ? { kind: 'request', method: 'tools/call', params: { name: toolName, arguments: params ?? {} } }
      : refuse('payload.toolName must be a string.'),
  prompt: ({ prompt }) =>
    typeof prompt === 'string' ? toMessage(prompt) : refuse('payload.prompt must be a string.'),
  intent: ({ intent, params }) => {
    if (typeof intent !== 'string') return refuse('payload.intent must be a string.');
    return toMessage(
      params === undefined ? `Intent: ${intent}` : `Intent: ${intent}\nParameters: ${JSON.stringify(params)}`,
    );
  },
  notify: ({ message }) => ({
    kind: 'notification',
    method: 'notifications/message',
    params: { level: 'info', logger: 'mcp-ui', data: message ?? null },
  }),
  link: ({ url }) =>
    typeof url === 'string'
      ? { kind: 'request', method: 'ui/open-link', params: { url } }
      : refuse('payload.url must be a string.'),
  'ui-size-change': (payload) => {
    const params = toSize(payload);
    if (Object.keys(params).length === 0) return refuse('payload has neither a width nor a height.');
    return { kind: 'notification', method: 'ui/notifications/size-changed', params };
  },
  'ui-lifecycle-iframe-ready': () => ({ kind: 'render-data' }),
  'ui-request-render-data': () => ({ kind: 'render-data' }),
  'ui-request-data': ({ requestType }) =>
    refuse(`This host has no data of type ${JSON.stringify(requestType ?? null)}.`),
};

/** Translates one message; undefined when it is none of this family. */
export const translateAction = (message: unknown): Translation | undefined => {
  if (!isObject(message) || typeof message['type'] !== 'string') return undefined;
  const translate = Object.hasOwn(translations, message['type']) ? translations[message['type']] : undefined;
  return translate?.(isObject(message['payload']) ? message['payload'] : {});
};

/** Whether the app waits for an answer to a message, rather than for data. */
export const isAnswered = (type: unknown): boolean =>
  type !== 'ui-size-change' && type !== 'ui-lifecycle-iframe-ready' && type !== 'ui-request-render-data';

/** The render data of an app, from the host's context and the facts about the tool. */
export const toRenderData = (context: Params, tool: Params): Params => {
  const room = isObject(context['containerDimensions']) ? context['containerDimensions'] : {};
  const initial = context['casement/renderData'];
  return {
    toolInput: null,
    toolOutput: null,
    ...(isObject(initial) ? initial : {}),
    ...tool,
    theme: context['theme'],
    locale: context['locale'],
    displayMode: context['displayMode'],
    maxHeight: room['maxHeight'] ?? room['height'],
  };
};
