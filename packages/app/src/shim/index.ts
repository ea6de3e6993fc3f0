// `window.mcpApp` for apps written before the spec was final: they expect their host to have put it there, and to
// shake hands for them (S1-95 to S1-110). A convenience, never a defence: it runs in the guest.
import { watchSize } from '../watch-size.js';
import { createMcpApp } from '../bridge/mcp-app.js';
import { createParentTransport } from '../transports/parent-transport.js';
import { createSession } from '../session/session.js';
import { isRecord } from '../session/session.js';
import type { Params } from '../session/wire-types.js';

/**
 * Puts `mcpApp` on the window and shakes hands once the document has loaded, unless the app did that itself: then the
 * shim keeps quiet (its methods still work), because a second handshake would start the app anew. The proxy, through
 * which everything passes in order, is asked whether the app was first.
 */
export const installMcpApp = (proxyOrigin: string): void => {
  let isQuiet = false;
  // Of a kind of their own: the app may send requests besides.
  const idPrefix = 'mcpApp-';
  const transport = createParentTransport({ trustedOrigins: [proxyOrigin] });
  /** Reads two messages besides the session: the proxy's word to start, and the answer to the app's own handshake. */
  const overhear = (data: unknown): void => {
    const { method, id, result }: Params = isRecord(data) ? data : {};
    if (method === 'ui/notifications/sandbox-shim-start') shakeHands().catch(() => undefined);
    if (!isRecord(result) || result['protocolVersion'] === undefined || String(id).startsWith(idPrefix))
      return;
    isQuiet = true;
    session.open();
  };
  const session = createSession({
    transport: {
      ...transport,
      subscribe: (listener, onTrouble) =>
        transport.subscribe((data) => {
          overhear(data);
          listener(data);
        }, onTrouble),
    },
    timeoutMs: 30_000,
    idPrefix,
    emit: (type, params) => {
      if (!isQuiet) hear(type, params);
    },
    onRequest(method, params) {
      const isTeardown = method === 'ui/resource-teardown';
      if (isQuiet || !(isTeardown || method === 'ping')) return undefined;
      if (isTeardown) hear('teardown', params);
      return {};
    },
    onTrouble: () => undefined,
  });
  const { mcpApp, learn, hear } = createMcpApp(session);
  Object.assign(window, { mcpApp });

  const shakeHands = async (): Promise<void> => {
    await session.connect({ name: document.title || 'MCP App', version: '1.0.0' }, {});
    learn({ ...session.state.hostContext });
    watchSize((width, height) => {
      if (!isQuiet) mcpApp.resize(width, height);
    });
  };
  const askToStart = (): void => {
    const message = { jsonrpc: '2.0', method: 'ui/notifications/sandbox-shim-ready', params: {} };
    if (!isQuiet) window.parent.postMessage(message, proxyOrigin);
  };
  // A task later: the app's own load listeners come first.
  window.addEventListener('load', () => setTimeout(askToStart), { once: true });
};
