// `window.openai` over the messages of MCP Apps. A method that the host cannot serve is undefined: widgets look before
// they call.
import { toOpenaiMethods, type OpenaiMethod } from '../../../families/openai-methods.js';
import { toToolFacts, type HostLine, type Introduction } from '../host-line.js';
import { isObject } from '../../is-object.js';
import { toChanges, toContextGlobals, type Device } from './widget-globals.js';

type Values = Readonly<Record<string, unknown>>;

/** `window.openai` and the functions that keep it up to date. */
export interface OpenaiApi {
  readonly openai: object;
  hear(method: string, params: Values): void;
  /** Reports a height the document has by itself. */
  reportHeight(height: number): void;
}

const readText = (value: unknown, name: string): string => {
  const text = isObject(value) ? value[name] : value;
  if (typeof text !== 'string') throw new TypeError(`${name} must be a string.`);
  return text;
};

/** A tool's answer as widgets look into it: the oldest ones read its text in `result`. */
const toToolResponse = (result: Values): Values => {
  const blocks: readonly unknown[] = Array.isArray(result['content']) ? result['content'] : [];
  const texts = blocks.filter((block) => isObject(block) && block['type'] === 'text');
  return { result: texts.map((block) => readText(block, 'text')).join('\n'), ...result };
};

/** The parts that a state may name; only the first is for the model. */
const stateParts = ['modelContent', 'privateContent', 'imageIds'];

/** The part of a state that the model sees: all of it, unless the state itself names a part for the model. */
const toModelPart = (state: unknown): unknown =>
  isObject(state) && stateParts.some((name) => Object.hasOwn(state, name)) ? state['modelContent'] : state;

const toContextParams = (part: unknown): object => {
  if (part === undefined || part === null) return {};
  if (typeof part === 'string') return { content: [{ type: 'text', text: part }] };
  return { structuredContent: isObject(part) ? part : { value: part } };
};

/** Returns a function that tells the host, for each new state, what the model should know of it. */
const createModelTeller = (
  line: HostLine,
  { capabilities, context }: Introduction,
): ((state: unknown) => Promise<void>) => {
  // Of a state that was restored nobody knows what the model was told.
  let lastTold = (context['casement/widgetState'] ?? null) === null ? '{}' : undefined;
  return async (state) => {
    const params = toContextParams(toModelPart(state));
    const text = JSON.stringify(params);
    if (text === lastTold || !isObject(capabilities['updateModelContext'])) return;
    lastTold = text;
    // The state is kept by now; what the model hears is the host's to decide, and is in its recording.
    await line.request('ui/update-model-context', params).catch(() => undefined);
  };
};

/** Creates `window.openai` for one widget; `dispatch` sends an event to the widget. */
export const createOpenaiApi = (options: {
  readonly line: HostLine;
  readonly host: Introduction;
  readonly device: Device;
  /** The facts about the tool that came before the document was written. */
  readonly told: Values;
  dispatch(name: string, detail: object): void;
}): OpenaiApi => {
  const { line, host, device, dispatch } = options;
  const openai: Record<string, unknown> = {
    toolInput: null,
    toolOutput: null,
    toolResponseMetadata: null,
    ...toContextGlobals(host.context, device),
    ...options.told,
  };
  let { context } = host;
  let lastHeight: unknown;

  const setGlobals = (values: Values): void => {
    const globals = toChanges(openai, values);
    if (Object.keys(globals).length === 0) return;
    Object.assign(openai, globals);
    dispatch('openai:set_globals', { globals });
  };
  const reportHeight = (height: unknown): void => {
    if (typeof height !== 'number' || !Number.isFinite(height) || height < 0 || height === lastHeight) return;
    lastHeight = height;
    line.notify('ui/notifications/size-changed', { height });
  };
  /** A no of the person comes as an answer; here it is a failed promise, like every other no. */
  const ask = async (method: string, params: object): Promise<void> => {
    const { isError } = await line.request(method, params);
    if (isError === true) throw new Error('The user declined.');
  };
  const followUp = async (message: unknown): Promise<void> => {
    const content = [{ type: 'text', text: readText(message, 'prompt') }];
    await ask('ui/message', { role: 'user', content });
  };
  const tellModel = createModelTeller(line, host);
  const requestClose = (): void => line.notify('ui/notifications/request-teardown', {});

  const methods: Partial<Record<OpenaiMethod, (...args: never[]) => unknown>> = {
    async callTool(name: string, given?: unknown) {
      const args = given ?? {};
      const result = toToolResponse(await line.request('tools/call', { name, arguments: args }));
      // The server's wish, which it makes with the answer.
      if (isObject(result['_meta']) && result['_meta']['openai/closeWidget'] === true) requestClose();
      dispatch('openai:tool_response', { tool: { name, args }, name, args, result });
      return result;
    },
    sendFollowUpMessage: followUp,
    sendFollowupTurn: followUp,
    openExternal(link: unknown) {
      // Nothing is promised to the widget; a refusal is in the host's recording.
      line.request('ui/open-link', { url: readText(link, 'href') }).catch(() => undefined);
    },
    async setWidgetState(state: unknown) {
      openai['widgetState'] = state;
      // What the host says later is news only if it differs from this.
      context = { ...context, 'casement/widgetState': state };
      // Later: widgets call this while they draw, and their listeners draw.
      queueMicrotask(() => dispatch('openai:set_globals', { globals: { widgetState: state } }));
      await line.request('casement/widget-state', { state });
      await tellModel(state);
    },
    requestModal({ title, params, template }: Values = {}) {
      return line.request('casement/modal', { title, params, template });
    },
    requestDisplayMode: ({ mode }: Values = {}) => line.request('ui/request-display-mode', { mode }),
    async requestClose() {
      requestClose();
    },
    notifyIntrinsicHeight(height: unknown) {
      reportHeight(isObject(height) ? height['height'] : height);
    },
  };
  const { offered } = toOpenaiMethods({ hostCapabilities: host.capabilities, hostContext: context });
  for (const name of offered) openai[name] = methods[name];

  return {
    openai,
    reportHeight,
    hear(method, params) {
      if (method === 'ui/notifications/host-context-changed') {
        const before = toContextGlobals(context, device);
        context = { ...context, ...params };
        // Only what the host changed: the widget's own state stays as the widget set it.
        const changes = toChanges(before, toContextGlobals(context, device));
        setGlobals(changes);
        if ('widgetState' in changes) void tellModel(changes['widgetState']);
      } else setGlobals(toToolFacts(method, params));
    },
  };
};
