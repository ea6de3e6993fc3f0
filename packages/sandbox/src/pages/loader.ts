// The loader of family mcp-apps. It leaves nothing behind but listeners and the port the proxy gave it: no global, no
// timer. Only an app of an older style, if the host says so, finds `window.mcpApp`.
import { installMcpApp } from '@casement/app/shim';
import { awaitHandover } from './handover.js';

awaitHandover(({ proxyOrigin, params, write }) => {
  write(String(params['html']), () => {
    if (params['shim'] === true) installMcpApp(proxyOrigin);
  });
});
