// The loader of family mcp-apps. It leaves nothing behind but listeners and the port the proxy gave it: no global, and
// no timer but while it restores a page. Only an app of an older style, if the host says so, finds `window.mcpApp`.
import { installMcpApp } from '@casement/app/shim';
import { awaitHandover } from './handover.js';
import { findClickedLink } from './tab-links.js';

awaitHandover(({ proxyOrigin, params, report, write }) => {
  const onClick = (event: MouseEvent): void => {
    const link = findClickedLink(event);
    // The browser says so on a console that no user of the host sees.
    if (link?.opensTab) report('violation', { directive: 'sandbox', blockedUri: link.url.href });
  };
  write(String(params['html']), () => {
    window.addEventListener('click', onClick);
    if (params['shim'] === true) installMcpApp(proxyOrigin);
  });
});
