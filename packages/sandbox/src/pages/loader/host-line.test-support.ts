import { createHostLine, type HostLine, type Introduction } from './host-line.js';

type Params = Readonly<Record<string, unknown>>;

/** A message as the proxy got it. */
interface Sent {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Params;
}

/** What a host with everything says of itself. */
const everything = {
  serverTools: {},
  message: {},
  openLinks: {},
  updateModelContext: {},
  experimental: { 'casement/widget-state': {}, 'casement/modal': {} },
};

/** A host's surroundings, every field of which an older family has a name for. */
export const surroundings = {
  theme: 'dark',
  locale: 'de-CH',
  displayMode: 'inline',
  availableDisplayModes: ['inline', 'fullscreen', 'pip'],
  containerDimensions: { maxHeight: 600, width: 400 },
  safeAreaInsets: { top: 1, right: 2, bottom: 3, left: 4 },
  platform: 'mobile',
  deviceCapabilities: { touch: true, hover: false },
};

/** Lets everything that waits for nothing but a promise go on. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const proxyOrigin = 'https://proxy.example';

/** A line to a host that does what the test says; messages are copied on their way, as posting copies them. */
export const createScriptedHost = (
  listeners: {
    onNotification?: (method: string, params: Params) => void;
    onTeardown?: (params: Params) => void;
  } = {},
) => {
  const messages: Sent[] = [];
  const proxy = { postMessage: (message: Sent) => void messages.push(structuredClone(message)) };
  const line: HostLine = createHostLine({
    // Of a window the line only uses this.
    proxy: proxy as unknown as Window,
    proxyOrigin,
    prefix: 'test',
    onNotification: listeners.onNotification ?? (() => undefined),
    ...(listeners.onTeardown ? { onTeardown: listeners.onTeardown } : {}),
  });

  const sent = (method: string): Sent[] => messages.filter((message) => message.method === method);
  /** Posts as the proxy does, or as somebody else. */
  const post = (data: unknown, from: { source?: unknown; origin?: string } = {}): boolean =>
    // Of an event the line only reads these.
    line.hear({ source: proxy, origin: proxyOrigin, data: structuredClone(data), ...from } as MessageEvent);
  const settle = async (method: string, at: number, outcome: object): Promise<unknown> => {
    await settled();
    const asked = sent(method)[at];
    if (!asked) throw new Error(`Nobody asked for ${method} ${at + 1} times.`);
    post({ jsonrpc: '2.0', id: asked.id, ...outcome });
    await settled();
    return asked.params;
  };
  return {
    line,
    messages,
    sent,
    post,
    /** Answers the n-th request of a name; returns what was asked. */
    answer: (method: string, result: object = {}, at = 0) => settle(method, at, { result }),
    /** Refuses the n-th request of a name, as the host does. */
    refuse: (method: string, message: string, at = 0) =>
      settle(method, at, { error: { code: -32000, message } }),
  };
};

/** What became of a promise, as a widget would tell. */
export const outcomeOf = async (promise: unknown): Promise<object> => {
  try {
    return { value: await promise };
  } catch (error) {
    return { error: error instanceof Error ? error.message : error };
  }
};

/** A host with everything, in surroundings of every kind. */
export const introduction: Introduction = { capabilities: everything, context: surroundings };
