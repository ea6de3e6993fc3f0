import { createLocalTransport } from './local-transport.js';
import { LATEST_PROTOCOL_VERSION } from '../session/session.js';
import type { CallToolResult, HostContext } from '../session/types.js';
import { isRecord } from '../session/session.js';
import type { Params, Transport } from '../session/wire-types.js';

/** The part of `window.openai` that has a counterpart in the protocol; hosts leave out what they do not have. */
interface OpenAiGlobals {
  toolInput?: Params | null;
  toolOutput?: unknown;
  toolResponseMetadata?: Params | null;
  widgetState?: unknown;
  theme?: HostContext['theme'];
  locale?: string;
  displayMode?: HostContext['displayMode'];
  maxHeight?: number;
  safeArea?: { insets?: HostContext['safeAreaInsets'] };
  userAgent?: { device?: { type?: string }; capabilities?: HostContext['deviceCapabilities'] };
  callTool?(name: string, args: Params): unknown;
  sendFollowUpMessage?(params: { prompt: string }): unknown;
  openExternal?(params: { href: string }): unknown;
  requestDisplayMode?(params: { mode: string }): unknown;
  setWidgetState?(state: unknown): unknown;
  notifyIntrinsicHeight?(height: number): unknown;
  requestClose?(): unknown;
}

/** `window.openai`, where the page has it. */
export const readOpenAi = (): OpenAiGlobals | undefined => {
  const found: unknown = Reflect.get(window, 'openai');
  return isRecord(found) ? found : undefined;
};

/** The keys a host does not have are left out: an app must not take them for changes. */
const toContext = (openai: OpenAiGlobals): HostContext => {
  const { theme, locale, displayMode, maxHeight, safeArea, userAgent } = openai;
  const context: HostContext = {
    theme,
    locale,
    displayMode,
    containerDimensions: maxHeight === undefined ? undefined : { maxHeight },
    safeAreaInsets: safeArea?.insets,
    platform: userAgent && (userAgent.device?.type === 'mobile' ? 'mobile' : 'web'),
    deviceCapabilities: userAgent?.capabilities,
  };
  return Object.fromEntries(Object.entries(context).filter(([, value]) => value !== undefined));
};

/** Widgets get back whatever the host calls a result: a tool result, its structured part, or text. */
const toToolResult = (value: unknown): CallToolResult => {
  // An array of content is what makes it a tool result.
  if (isRecord(value) && Array.isArray(value['content'])) return value as unknown as CallToolResult;
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  return { content: [{ type: 'text', text }], ...(isRecord(value) ? { structuredContent: value } : {}) };
};

const toText = (content: unknown): string =>
  [content]
    .flat()
    .map((block) => (isRecord(block) && typeof block['text'] === 'string' ? block['text'] : ''))
    .join('\n');

/** Creates a transport that answers out of `window.openai`, for hosts that have nothing else. */
export const createOpenAiTransport = (openai: OpenAiGlobals = readOpenAi() ?? {}): Transport =>
  createLocalTransport((notify) => {
    let told: { input?: unknown; output?: unknown } = {};
    const tellData = (): void => {
      const { toolInput: input, toolOutput: output, toolResponseMetadata: meta } = openai;
      if (input && input !== told.input) notify('ui/notifications/tool-input', { arguments: input });
      if (output != null && output !== told.output) {
        const _meta = meta ? { _meta: meta } : {};
        notify('ui/notifications/tool-result', { ...toToolResult(output), ..._meta });
      }
      told = { input, output };
    };
    const onGlobals = (event: Event): void => {
      const changed: unknown = event instanceof CustomEvent ? event.detail?.globals : undefined;
      const context = isRecord(changed) ? toContext(changed) : {};
      if (Object.keys(context).length > 0) notify('ui/notifications/host-context-changed', { ...context });
      tellData();
    };
    const answers: Record<string, ((params: Params) => unknown) | undefined> = {
      'ui/initialize': () => ({
        protocolVersion: LATEST_PROTOCOL_VERSION,
        hostInfo: { name: 'window.openai', version: '1.0.0' },
        hostCapabilities: {
          ...(openai.callTool && { serverTools: {} }),
          ...(openai.openExternal && { openLinks: {} }),
          ...(openai.sendFollowUpMessage && { message: { text: {} } }),
          ...(openai.setWidgetState && { updateModelContext: { text: {}, structuredContent: {} } }),
        },
        hostContext: toContext(openai),
      }),
      'tools/call':
        openai.callTool &&
        (async ({ name, arguments: args }) =>
          toToolResult(await openai.callTool?.(String(name), isRecord(args) ? args : {}))),
      'ui/message':
        openai.sendFollowUpMessage &&
        (async ({ content }) => {
          await openai.sendFollowUpMessage?.({ prompt: toText(content) });
          return {};
        }),
      'ui/open-link':
        openai.openExternal &&
        (async ({ url }) => {
          await openai.openExternal?.({ href: String(url) });
          return {};
        }),
      'ui/request-display-mode':
        openai.requestDisplayMode &&
        (async ({ mode }) => {
          const granted = await openai.requestDisplayMode?.({ mode: String(mode) });
          return { mode: openai.displayMode ?? mode, ...(isRecord(granted) ? granted : {}) };
        }),
      // What the model reads of a widget's state; what the widget keeps for itself stays.
      'ui/update-model-context':
        openai.setWidgetState &&
        (async ({ content, structuredContent }) => {
          const { widgetState } = openai;
          const kept = isRecord(widgetState) ? widgetState : {};
          await openai.setWidgetState?.({
            ...kept,
            modelContent: structuredContent ?? toText(content ?? []),
          });
          return {};
        }),
    };
    return {
      answer: (method, params) => (Object.hasOwn(answers, method) ? answers[method]?.(params) : undefined),
      hear(method, params) {
        if (method === 'ui/notifications/initialized') {
          tellData();
          window.addEventListener('openai:set_globals', onGlobals);
        }
        if (method === 'ui/notifications/size-changed')
          openai.notifyIntrinsicHeight?.(Number(params['height']));
        if (method === 'ui/notifications/request-teardown') openai.requestClose?.();
      },
      stop: () => window.removeEventListener('openai:set_globals', onGlobals),
    };
  });
