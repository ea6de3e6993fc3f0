// What the generated script runs: finds a host, shakes hands when the document is parsed, and puts two objects on the
// window. The same App as everywhere; only the way in is another.
import { findAdapters } from '../transports/adapters.js';
import { App } from '../app.js';
import { Bridge } from '../bridge/bridge.js';
import { AppError } from '../session/errors.js';
import { createMcpApp, dispatch, type HeardType } from '../bridge/mcp-app.js';
import type { BridgeConfig } from './config.js';

/** Put in by generateBridgeIIFE. */
declare const BRIDGE_CONFIG: BridgeConfig;

const toolEvents: Readonly<Partial<Record<HeardType, string>>> = {
  toolinput: 'tool:input',
  toolinputpartial: 'tool:input-partial',
  toolresult: 'tool:result',
  toolcancelled: 'tool:cancelled',
  hostcontextchanged: 'host:context-changed',
};

const start = (config: BridgeConfig): void => {
  const { adapters, trustedOrigins, capabilities, timeoutMs } = config;
  // Its title is not parsed yet where the script stands in the head.
  const appInfo = config.appInfo ?? { name: 'MCP App', version: '1.0.0' };
  const app = new App(
    appInfo,
    { tools: { listChanged: true }, ...capabilities },
    { trustedOrigins, timeoutMs },
  );

  const connect = async (): Promise<void> => {
    if (!config.appInfo && document.title) appInfo.name = document.title;
    let failure: unknown = new AppError('no-host', `None of ${adapters.join(', ')} has a host here.`);
    for (const adapter of findAdapters(adapters)) {
      try {
        await app.connect(adapter.createTransport({ trustedOrigins }));
        const hostContext = app.getHostContext() ?? {};
        learn({ ...hostContext });
        dispatch('bridge:ready', { adapter: adapter.name, hostContext });
        return;
      } catch (error) {
        failure = error;
      }
    }
    dispatch('bridge:error', failure);
    throw failure;
  };
  const ready = new Promise<void>((resolve) => {
    if (document.readyState !== 'loading') resolve();
    else document.addEventListener('DOMContentLoaded', () => resolve(), { once: true });
  }).then(connect);
  // Whoever asks something hears of it; nobody has to.
  ready.catch(() => undefined);

  const { mcpApp, learn, hear } = createMcpApp({
    request: (method, params) => ready.then(() => app.request(method, params)),
    notify: (method, params) => void ready.then(() => app.notify(method, params)).catch(() => undefined),
  });
  const tell = (type: HeardType, params: object): void => {
    hear(type, { ...params });
    const name = toolEvents[type];
    if (name) dispatch(name, params);
  };
  for (const type of [
    'toolinput',
    'toolinputpartial',
    'toolresult',
    'toolcancelled',
    'hostcontextchanged',
  ] as const)
    app.on(type, (params) => tell(type, params));
  app.onteardown = (params) => tell('teardown', params);
  app.onerror = (error) => dispatch('bridge:error', error);

  const bridge = Object.assign(new Bridge(app, () => ready), { ready });
  Object.assign(window, { [config.global]: bridge, ...(config.mcpApp && { mcpApp }) });
};

start(BRIDGE_CONFIG);
