// `window.mcpApp` for apps written before the spec was final: they expect their host to have put it there, and to
// shake hands for them (S1-95 to S1-110). A convenience, never a defence: it runs in the guest.
import { createShimRequests } from './shim-requests.js';

type Params = Readonly<Record<string, unknown>>;

const eventNames: Readonly<Record<string, string>> = {
  'ui/notifications/tool-input': 'mcp:tool-input',
  'ui/notifications/tool-result': 'mcp:tool-result',
  'ui/notifications/tool-cancelled': 'mcp:tool-cancelled',
  'ui/notifications/host-context-changed': 'mcp:context-change',
  'ui/resource-teardown': 'mcp:teardown',
};

const isObject = (value: unknown): value is Params => typeof value === 'object' && value !== null;

/** Older apps read the room they have under its older name. */
const toOldContext = (context: Params): Params =>
  context['containerDimensions'] === undefined
    ? context
    : { viewport: context['containerDimensions'], ...context };

/**
 * Puts `mcpApp` on the window and shakes hands once the document has loaded, unless the app did that itself: then the
 * shim keeps quiet (its methods still work), because a second handshake would start the app anew. The proxy, through
 * which everything passes in order, is asked whether the app was first.
 */
export const installMcpApp = (window: Window, parent: Window, proxyOrigin: string): void => {
  const { document } = window;
  const post = (message: object): void => parent.postMessage({ jsonrpc: '2.0', ...message }, proxyOrigin);
  const requests = createShimRequests(post);
  let isQuiet = false;
  let reported = '';

  const resize = (width: number, height: number): void =>
    requests.whenReady(() => post({ method: 'ui/notifications/size-changed', params: { width, height } }));
  const mcpApp = {
    toolInput: null as unknown,
    toolResult: null as unknown,
    hostContext: {} as Params,
    callTool: (name: string, args: object = {}) => requests.send('tools/call', { name, arguments: args }),
    readResource: (uri: string) => requests.send('resources/read', { uri }),
    openLink: (url: string) => requests.send('ui/open-link', { url }),
    sendMessage: (text: string) =>
      requests.send('ui/message', { role: 'user', content: [{ type: 'text', text }] }),
    resize,
  };
  Object.assign(window, { mcpApp });

  const reportSize = (): void => {
    // Of the root, which counts the margins of the body: a frame of the body's own height would scroll.
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
    const size = `${window.innerWidth} ${height}`;
    if (size === reported || isQuiet) return;
    reported = size;
    resize(window.innerWidth, height);
  };

  const shakeHands = async (): Promise<void> => {
    const appInfo = { name: document.title || 'MCP App', version: '1.0.0' };
    const params = { appInfo, appCapabilities: {}, protocolVersion: '2026-01-26' };
    const result = await requests.sendNow('ui/initialize', params);
    if (isObject(result['hostContext'])) mcpApp.hostContext = toOldContext(result['hostContext']);
    post({ method: 'ui/notifications/initialized', params: {} });
    requests.ready();
    new ResizeObserver(reportSize).observe(document.body);
  };

  const hear = (method: string, params: Params, id: unknown): void => {
    if (method === 'ui/notifications/tool-input') mcpApp.toolInput = params['arguments'];
    if (method === 'ui/notifications/tool-result') mcpApp.toolResult = params;
    if (method === 'ui/notifications/host-context-changed')
      mcpApp.hostContext = { ...mcpApp.hostContext, ...toOldContext(params) };
    const type = eventNames[method];
    // From the document up, so that listeners on it and on the window hear it alike.
    if (type) document.dispatchEvent(new CustomEvent(type, { detail: params, bubbles: true }));
    if (id !== undefined && (type || method === 'ping')) post({ id, result: {} });
  };

  window.addEventListener('message', ({ source, origin, data }: MessageEvent) => {
    if (source !== parent || origin !== proxyOrigin || data?.jsonrpc !== '2.0') return;
    if (data.method === 'ui/notifications/sandbox-shim-start') return void shakeHands();
    if (typeof data.method === 'string') {
      if (!isQuiet) hear(data.method, data.params ?? {}, data.id);
    } else if (!requests.settle(data) && data.result?.protocolVersion !== undefined) {
      // The answer to a handshake that was not ours.
      isQuiet = true;
      requests.ready();
    }
  });
  const askToStart = (): void => {
    if (!isQuiet) post({ method: 'ui/notifications/sandbox-shim-ready', params: {} });
  };
  // A task later: the app's own load listeners come first.
  window.addEventListener('load', () => setTimeout(askToStart), { once: true });
};
