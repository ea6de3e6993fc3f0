// The loader of family mcp-apps: becomes the app by writing its HTML over itself, so that this response's headers
// stay in force whatever the HTML begins with (T3). It leaves nothing behind but listeners and the port the proxy gave
// it: no global, no timer. Only an app of an older style, if the host says so, finds `window.mcpApp`.
import { installMcpApp } from '@casement/app/shim';
import { reportTrouble } from './loader-reports.js';

const { proxy } = document.documentElement.dataset;
const { parent } = window;
const origins = window.location.ancestorOrigins;

if (proxy !== undefined && parent !== window && (origins === undefined || origins[0] === proxy)) {
  const post = (name: string, params: object): void => {
    parent.postMessage({ jsonrpc: '2.0', method: `ui/notifications/sandbox-${name}`, params }, proxy);
  };
  const become = (event: MessageEvent): void => {
    if (event.source !== parent || event.origin !== proxy) return;
    if (event.data?.method !== 'ui/notifications/sandbox-resource-ready') return;
    window.removeEventListener('message', become);
    document.open();
    // After open(), which removes listeners, and before the first byte: first in line, whatever the guest adds.
    reportTrouble(post);
    window.addEventListener('load', () => post('app-loaded', {}), { once: true });
    const [port] = event.ports;
    if (port) {
      // Bound before guest code runs, which could otherwise catch the port by replacing the method.
      const answer = port.postMessage.bind(port);
      port.onmessage = () => answer('here');
      window.addEventListener('pagehide', () => answer(performance.timeOrigin + performance.now()), true);
    }
    if (event.data.params.shim === true) installMcpApp(proxy);
    document.write(event.data.params.html);
    document.close();
    if (window.location.protocol === 'about:' && document.querySelector('base') === null) {
      // An opaque document borrows the proxy's address as base: a click on "#part" would be a navigation to the
      // proxy, which is blocked and ends the app (A19).
      const base = document.createElement('base');
      base.href = 'about:srcdoc';
      document.head.prepend(base);
    }
  };
  window.addEventListener('message', become);
  // From the load handler, so that this page's own load is always the first and the app's always a later one.
  window.addEventListener('load', () => post('loader-ready', { at: performance.timeOrigin }));
}
