// What the loaders of the older families say to the host and hear from it: the messages of MCP Apps. Runs in the guest,
// so it defends nothing; it only keeps an app that speaks another language from having to know this one.
//
// A small JSON-RPC client of its own and not the one of @casement/app: these loaders carry no other code of that
// package, with it each would grow by 3.3 KB (1.4 KB gzip), and this one must say of each event whether the app may see
// it, which a client that adds its own listener cannot.
import { isObject } from '../is-object.js';

type Params = Readonly<Record<string, unknown>>;

/** The host's answer to the handshake. */
export interface Introduction {
  readonly capabilities: Params;
  readonly context: Params;
}

/** One end of the conversation with the host. */
export interface HostLine {
  request(method: string, params: object): Promise<Params>;
  notify(method: string, params: object): void;
  /** Takes a message event; true when it was for this line and nobody else has to see it. */
  hear(event: MessageEvent): boolean;
  /** Shakes hands; resolves when the host has delivered all it knew by then. */
  greet(name: string, title: string): Promise<Introduction>;
  /** The app itself speaks to the host in this language: what is asked of it is left to it. */
  readonly isShared: boolean;
}

/** An error as the host sent it. */
const toError = (error: unknown): Error => {
  const { code, message, data } = isObject(error) ? error : {};
  const text = typeof message === 'string' ? message : 'The host refused without a reason.';
  return Object.assign(new Error(text), { code, ...(data === undefined ? {} : { data }) });
};

/** Creates the client that speaks to the host through the proxy; `prefix` tells its requests from those of the app. */
export const createHostLine = (options: {
  readonly proxy: Window;
  readonly proxyOrigin: string;
  readonly prefix: string;
  onNotification(method: string, params: Params): void;
  onTeardown?(params: Params): void;
}): HostLine => {
  const { proxy, proxyOrigin } = options;
  const open = new Map<unknown, (answer: Params) => void>();
  let count = 0;
  let isShared = false;

  const post = (message: object): void => proxy.postMessage({ jsonrpc: '2.0', ...message }, proxyOrigin);
  const request = (method: string, params: object): Promise<Params> =>
    new Promise((resolve, reject) => {
      const id = `${options.prefix}-${(count += 1)}`;
      // Throws for what cannot be cloned, and so rejects, before anything waits for an answer.
      post({ id, method, params });
      open.set(id, ({ result, error }) => {
        if (error !== undefined) reject(toError(error));
        else resolve(isObject(result) ? result : {});
      });
    });

  const settle = (answer: Params): boolean => {
    const settleRequest = open.get(answer['id']);
    open.delete(answer['id']);
    settleRequest?.(answer);
    // The answer to a handshake that was not ours.
    if (!settleRequest && isObject(answer['result']) && 'protocolVersion' in answer['result'])
      isShared = true;
    return settleRequest !== undefined;
  };
  const answerRequest = (id: unknown, method: string, params: Params): boolean => {
    if (isShared) return false;
    if (method === 'ui/resource-teardown') options.onTeardown?.(params);
    const isKnown = method === 'ping' || method === 'ui/resource-teardown';
    post({ id, ...(isKnown ? { result: {} } : { error: { code: -32601, message: 'Method not found' } }) });
    return true;
  };

  return {
    request,
    notify: (method, params) => post({ method, params }),
    hear({ source, origin, data }) {
      if (source !== proxy || origin !== proxyOrigin || !isObject(data) || data['jsonrpc'] !== '2.0')
        return false;
      const { id, method } = data;
      if (typeof method !== 'string') return settle(data);
      const params = isObject(data['params']) ? data['params'] : {};
      if (id !== undefined) return answerRequest(id, method, params);
      options.onNotification(method, params);
      return !isShared;
    },
    async greet(name, title) {
      const result = await request('ui/initialize', {
        appInfo: { name, title, version: '1.0.0' },
        appCapabilities: { availableDisplayModes: ['inline', 'fullscreen', 'pip'] },
        protocolVersion: '2026-01-26',
      });
      post({ method: 'ui/notifications/initialized', params: {} });
      // What the host holds for this app it sends at once, so before it answers; an error is an answer as well.
      await request('ping', {}).catch(() => undefined);
      const { hostCapabilities, hostContext } = result;
      return {
        capabilities: isObject(hostCapabilities) ? hostCapabilities : {},
        context: isObject(hostContext) ? hostContext : {},
      };
    },
    get isShared() {
      return isShared;
    },
  };
};

/** The facts about the tool in a message of the host, under the names of both older families; none in other messages. */
export const toToolFacts = (method: string, params: Params): Params => {
  if (method === 'ui/notifications/tool-input' || method === 'ui/notifications/tool-input-partial')
    return { toolInput: params['arguments'] ?? null };
  if (method === 'ui/notifications/tool-result')
    return {
      toolOutput: params['structuredContent'] ?? null,
      toolResponseMetadata: params['_meta'] ?? null,
    };
  return {};
};
