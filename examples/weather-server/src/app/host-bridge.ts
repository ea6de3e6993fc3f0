/** Parameters and results are plain objects on this wire. */
type Fields = Record<string, unknown>;

/** What the host tells an app without being asked. */
export interface HostEvents {
  onToolInput(args: Fields): void;
  onToolResult(result: ToolResult): void;
  onToolCancelled(reason: string | undefined): void;
  onHostContext(context: Fields): void;
}

/** The part of a tool's result this app reads. */
export interface ToolResult {
  content?: { type: string; text?: string }[];
  structuredContent?: unknown;
  isError?: boolean;
}

/** The conversation with the host: a few JSON-RPC messages over postMessage. */
export interface HostBridge {
  connect(): Promise<void>;
  callTool(name: string, args: Fields): Promise<ToolResult>;
  reportHeight(height: number): void;
}

interface Pending {
  resolve(value: Fields): void;
  reject(reason: Error): void;
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Creates the bridge to the window that embeds this page. */
export const createHostBridge = (events: HostEvents): HostBridge => {
  const pending = new Map<number, Pending>();
  let lastId = 0;
  // The embedder's origin is learned from its first message; until then nothing private is sent.
  let hostOrigin = '*';

  const post = (message: Fields): void =>
    window.parent.postMessage({ jsonrpc: '2.0', ...message }, hostOrigin);

  const request = (method: string, params: Fields): Promise<Fields> =>
    new Promise((resolve, reject) => {
      lastId += 1;
      pending.set(lastId, { resolve, reject });
      post({ id: lastId, method, params });
    });

  const settle = (id: unknown, message: Fields): void => {
    const waiting = typeof id === 'number' ? pending.get(id) : undefined;
    if (!waiting) return;
    pending.delete(Number(id));
    if (isFields(message.error)) waiting.reject(new Error(String(message.error.message)));
    else waiting.resolve(isFields(message.result) ? message.result : {});
  };

  const answer = (id: unknown, method: unknown): void => {
    if (method === 'ping' || method === 'ui/resource-teardown') post({ id, result: {} });
    else post({ id, error: { code: -32601, message: `This app does not answer ${String(method)}.` } });
  };

  const hear = (method: unknown, params: Fields): void => {
    if (method === 'ui/notifications/tool-input')
      events.onToolInput(isFields(params.arguments) ? params.arguments : {});
    else if (method === 'ui/notifications/tool-result') events.onToolResult(params);
    else if (method === 'ui/notifications/tool-cancelled')
      events.onToolCancelled(typeof params.reason === 'string' ? params.reason : undefined);
    else if (method === 'ui/notifications/host-context-changed') events.onHostContext(params);
  };

  window.addEventListener('message', ({ source, origin, data }: MessageEvent<unknown>) => {
    if (source !== window.parent || !isFields(data) || data.jsonrpc !== '2.0') return;
    if (hostOrigin === '*' && origin !== 'null') hostOrigin = origin;
    const params = isFields(data.params) ? data.params : {};
    if (data.method === undefined) settle(data.id, data);
    else if (data.id === undefined) hear(data.method, params);
    else answer(data.id, data.method);
  });

  return {
    connect: async () => {
      const { hostContext } = await request('ui/initialize', {
        protocolVersion: '2026-01-26',
        appInfo: { name: 'weather-dashboard', title: 'Weather dashboard', version: '0.1.0' },
        appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
      });
      if (isFields(hostContext)) events.onHostContext(hostContext);
      post({ method: 'ui/notifications/initialized', params: {} });
    },
    callTool: (name, args) => request('tools/call', { name, arguments: args }),
    reportHeight: (height) => post({ method: 'ui/notifications/size-changed', params: { height } }),
  };
};
