// Stands between an MCP-UI app and the host: hears the app's `{ type, messageId?, payload }`, speaks MCP Apps, and brings
// the answers back, each with its messageId where either kind of client code looks for it.
import { toToolFacts, type HostLine } from '../host-line.js';
import { isObject } from '../../is-object.js';
import { isAnswered, toRenderData, translateAction, type Translation } from './mcp-ui-actions.js';

type Params = Readonly<Record<string, unknown>>;

/** Translates between one app and the host. */
export interface Translator {
  /** Takes a message of the app; false when it is none of this family. */
  hear(message: unknown): boolean;
  /** Takes a notification of the host. */
  news(method: string, params: Params): void;
  /** The host has introduced itself: what waited is sent. */
  begin(context: Params): void;
  /** A document of the app has loaded and can be told; it is, unless it asked before. */
  listen(): void;
  /** Reports a height the document has by itself, until the app reports its own. */
  reportHeight(height: number): void;
}

/** Creates the translator for one app; `send` brings a message to the app. */
export const createTranslator = (line: HostLine, send: (message: object) => void): Translator => {
  let context: Params | undefined;
  let early: Params = {};
  let tool: Params = {};
  let waiting: (() => void)[] = [];
  let isListening = false;
  let hasAsked = false;
  let reportsOwnSize = false;

  const whenBegun = (action: () => void): void => {
    if (context) action();
    else waiting.push(action);
  };
  const sendWith = (type: string, messageId: unknown, payload: object): void => {
    const mark = messageId === undefined ? {} : { messageId };
    send({ type, ...mark, payload: { ...mark, ...payload } });
  };
  const sendRenderData = (messageId?: unknown): void => {
    const renderData = toRenderData(context ?? {}, tool);
    sendWith('ui-lifecycle-iframe-render-data', messageId, { renderData });
  };
  const listen = (): void => {
    isListening = true;
    if (!hasAsked) whenBegun(() => sendRenderData());
    // The next document may not.
    hasAsked = false;
  };
  const perform = async (translation: Translation): Promise<object> => {
    if (translation.kind === 'refused') throw new Error(translation.reason);
    if (translation.kind === 'render-data') return {};
    const { kind, method, params } = translation;
    if (kind === 'notification') {
      line.notify(method, params);
      return {};
    }
    const result = await line.request(method, params);
    // A tool that failed has a result; a person who said no has none.
    if (method.startsWith('ui/') && result['isError'] === true) throw new Error('The user declined.');
    return result;
  };
  const act = async (translation: Translation, messageId: unknown): Promise<void> => {
    try {
      const response = await perform(translation);
      if (messageId !== undefined) sendWith('ui-message-response', messageId, { response });
    } catch (error) {
      if (messageId !== undefined) sendWith('ui-message-response', messageId, { error });
    }
  };

  return {
    hear(message) {
      const translation = translateAction(message);
      if (!translation || !isObject(message)) return false;
      const { type, messageId } = message;
      if (translation.kind === 'render-data') {
        if (type === 'ui-lifecycle-iframe-ready') isListening = hasAsked = true;
        whenBegun(() => sendRenderData(messageId));
        return true;
      }
      if (type === 'ui-size-change' && translation.kind === 'notification') reportsOwnSize = true;
      const answerTo = isAnswered(type) ? messageId : undefined;
      if (answerTo !== undefined) sendWith('ui-message-received', answerTo, {});
      whenBegun(() => void act(translation, answerTo));
      return true;
    },
    news(method, params) {
      if (method === 'ui/notifications/tool-cancelled')
        return whenBegun(() => sendWith('ui-lifecycle-tool-cancelled', undefined, params));
      tool = { ...tool, ...toToolFacts(method, params) };
      if (method === 'ui/notifications/host-context-changed') {
        if (context) context = { ...context, ...params };
        else early = { ...early, ...params };
      }
      if (context && isListening) sendRenderData();
    },
    begin(introduced) {
      context = { ...introduced, ...early };
      const actions = waiting;
      waiting = [];
      for (const action of actions) action();
    },
    listen,
    reportHeight(height) {
      whenBegun(() => {
        if (!reportsOwnSize && !line.isShared) line.notify('ui/notifications/size-changed', { height });
      });
    },
  };
};
