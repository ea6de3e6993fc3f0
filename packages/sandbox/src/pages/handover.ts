// The path every loader takes: it says that it is there, is given the app by the proxy, and becomes the app by writing
// it over itself, so that this response's headers stay in force whatever the HTML begins with (T3).
import { afterWriting } from './after-writing.js';
import { createTroubleReport } from './loader-reports.js';
import { mayHaveParent } from './parent-origin.js';

/** What the proxy handed to a loader, and the way to become it. */
export interface Handover {
  readonly proxy: Window;
  readonly proxyOrigin: string;
  /** Of ui/notifications/sandbox-resource-ready. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Tells the proxy something about this document, under a name that stays between the two. */
  report(name: string, params: object): void;
  /** Writes the document; `install` runs before its first byte, when every listener of the loader is gone. */
  write(html: string, install?: () => void): void;
  /**
   * The same for an app that the loader hears for: `listen` runs before its first byte, when it is written, and
   * whenever the document writes itself anew, which takes the listeners again.
   */
  writeListening(html: string, listen: () => void): void;
}

/** Whether this origin may store anything; browsers that block third-party cookies throw for a sandbox on another site. */
const hasStorage = (): boolean => {
  try {
    return window.localStorage !== null;
  } catch {
    return false;
  }
};

/** Announces this loader and gives what it gets to `take`, once. Does nothing at top level or under a stranger (A46). */
export const awaitHandover = (take: (handover: Handover) => void): void => {
  const { proxy: proxyOrigin } = document.documentElement.dataset;
  const proxy = window.parent;
  if (proxyOrigin === undefined || proxy === window || !mayHaveParent(proxyOrigin)) return;
  // The proxy's word for this one document: it knows its loader by it, and guest code finds it gone, and used.
  const pass = window.name;
  window.name = '';
  // Bound before guest code runs, which could otherwise catch a listener, or the port, by replacing the method.
  const listen = window.addEventListener.bind(window);
  const toNow = performance.now.bind(performance);
  const { timeOrigin } = performance;

  const report = (name: string, params: object): void => {
    proxy.postMessage({ jsonrpc: '2.0', method: `ui/notifications/sandbox-${name}`, params }, proxyOrigin);
  };
  const become = (event: MessageEvent): void => {
    if (event.source !== proxy || event.origin !== proxyOrigin) return;
    if (event.data?.method !== 'ui/notifications/sandbox-resource-ready') return;
    window.removeEventListener('message', become);
    const [port] = event.ports;
    const answer = port?.postMessage.bind(port);
    if (port) port.onmessage = () => answer?.('here');
    const listenForTrouble = createTroubleReport(report);
    const tellLoad = (): void => report('app-loaded', {});
    const tellLeaving = (event: Event): void => {
      // The guest can dispatch an event of this name, but none that the browser vouches for.
      if (event.isTrusted) answer?.(timeOrigin + toNow());
    };
    const tellPress = (event: Event): void => {
      if (event.isTrusted) answer?.('press');
    };
    const attend = (): void => {
      // Each of these is one listener, however often it is added.
      listenForTrouble();
      listen('load', tellLoad, { once: true });
      listen('pagehide', tellLeaving, true);
      // The host tells by these who moved the focus here; assistive technology presses without a pointer.
      listen('pointerdown', tellPress, true);
      listen('mousedown', tellPress, true);
    };
    const write = (html: string, install?: () => void): void => {
      document.open();
      // After open(), which removes listeners, and before the first byte: first in line, whatever the guest adds.
      attend();
      install?.();
      document.write(html);
      document.close();
      if (window.location.protocol === 'about:' && document.querySelector('base') === null) {
        // An opaque document borrows the proxy's address as base: a click on "#part" would be a navigation to the
        // proxy, which is blocked and ends the app (A19).
        const base = document.createElement('base');
        base.href = 'about:srcdoc';
        document.head.prepend(base);
      }
    };
    const writeListening = (html: string, listen: () => void): void => {
      write(html, () => {
        listen();
        afterWriting(() => {
          attend();
          listen();
        });
      });
    };
    take({ proxy, proxyOrigin, params: event.data.params, report, write, writeListening });
  };
  window.addEventListener('message', become);
  const storage = hasStorage() ? {} : { storage: 'blocked' };
  // From the load handler, so that this page's own load is always the first and the app's always a later one.
  listen('load', () => report('loader-ready', { at: timeOrigin, pass, ...storage }));
};
