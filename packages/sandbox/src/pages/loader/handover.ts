// The path of every loader: it reports to the proxy, receives the app from it, and writes the app over itself, so that
// this response's headers stay in force whatever the HTML begins with (T3).
import { mayHaveParent } from '../parent-origin.js';
import { createTroubleReport } from './trouble-report.js';

/** The app as the proxy handed it to a loader, and the ways to write it. */
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
   * The same for an app whose messages the loader translates: `listen` adds the listeners before the first byte, and
   * again whenever the document writes itself anew, which removes them.
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

/**
 * Runs a script of the host in this page, with what it needs, and hands its word on. Guest code can get hold of `onView`;
 * what it says there is its own word as well.
 */
const runHostScript = (given: object, onView?: (view: unknown) => void): void => {
  const script = document.createElement('script');
  // It dispatches an event of this kind.
  script.addEventListener('view', (event) => onView?.((event as CustomEvent).detail));
  Object.assign(script, given);
  document.documentElement.append(script);
  script.remove();
};

/** Calls back whenever the document's own scripts open it or write to it, which takes every listener away. */
const onRewrite = (callback: () => void): void => {
  for (const name of ['open', 'write', 'writeln'] as const) {
    const native: (...args: never[]) => unknown = document[name].bind(document);
    const value = (...args: never[]): unknown => {
      const result = native(...args);
      callback();
      return result;
    };
    Object.defineProperty(document, name, { value, configurable: true, writable: true });
  }
};

/**
 * Tells the proxy that this loader is ready and calls `onHandover` once, with the app. Does nothing at top level or
 * under a stranger (A46).
 */
export const awaitHandover = (onHandover: (handover: Handover) => void): void => {
  const { proxy: proxyOrigin } = document.documentElement.dataset;
  const proxy = window.parent;
  if (proxyOrigin === undefined || proxy === window || !mayHaveParent(proxyOrigin)) return;
  // The proxy's word for this one document: it knows its loader by it, and guest code finds it gone, and used.
  const pass = window.name;
  window.name = '';
  // Bound before guest code runs, which could otherwise catch a listener, or the port, by replacing the method.
  const listen = window.addEventListener.bind(window);
  const readNow = performance.now.bind(performance);
  // Whoever replaces the getter must not be handed the event, and with it the port.
  const readData: (event: MessageEvent) => unknown = Function.prototype.call.bind(
    // Every browser has it.
    Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data')?.get as () => unknown,
  );
  const { timeOrigin } = performance;

  const report = (name: string, params: object): void => {
    proxy.postMessage({ jsonrpc: '2.0', method: `ui/notifications/sandbox-${name}`, params }, proxyOrigin);
  };
  const onResourceReady = (event: MessageEvent): void => {
    if (event.source !== proxy || event.origin !== proxyOrigin) return;
    if (event.data?.method !== 'ui/notifications/sandbox-resource-ready') return;
    window.removeEventListener('message', onResourceReady);
    const [port] = event.ports;
    const answer = port?.postMessage.bind(port);
    if (port)
      port.onmessage = (event) => {
        const word = readData(event);
        if (word === 'beat') answer?.('here');
        // The proxy says nothing else but what such a script needs.
        else {
          const { asked } = word as { asked?: unknown };
          runHostScript({ ...(word as object), touched }, (view) => answer?.({ view, asked }));
        }
      };
    const { params } = event.data;
    const isReporting = params.evidence !== 'none';
    const trouble = isReporting ? createTroubleReport(report) : undefined;
    let listenInFull = (): void => undefined;
    const reportLoad = (): void => report('app-loaded', {});
    const reportUnload = (event: Event): void => {
      // The guest can dispatch an event of this name, but none that the browser vouches for.
      if (!event.isTrusted) return;
      trouble?.flush();
      answer?.(timeOrigin + readNow());
    };
    const reportPress = (event: Event): void => {
      if (event.isTrusted) answer?.('press');
    };
    // Where the user typed or chose something: what only the app filled in is the app's to fill in again.
    const touched = new WeakSet();
    const noteInput = ({ isTrusted, target }: Event): void => {
      if (!isTrusted) return;
      answer?.('input');
      // An event that is under way has one.
      touched.add(target as EventTarget);
    };
    const addLoaderListeners = (): void => {
      // Each of these is one listener, however often it is added.
      trouble?.listen();
      listenInFull();
      listen('load', reportLoad, { once: true });
      listen('pagehide', reportUnload, true);
      // The host tells by these who moved the focus here; assistive technology presses without a pointer.
      listen('pointerdown', reportPress, true);
      listen('mousedown', reportPress, true);
      // Not presses: whoever took the focus gets these.
      listen('keydown', noteInput, true);
      listen('input', noteInput, true);
    };
    const write = (html: string, install?: () => void): void => {
      const { evidenceScript: text } = params;
      // It begins with the page's own functions, as long as they are the browser's.
      if (trouble && typeof text === 'string')
        runHostScript({ text, ...trouble, onListen: (listen: () => void) => (listenInFull = listen) });
      document.open();
      // After open(), which removes listeners, and before the first byte: first in line, whatever the guest adds.
      addLoaderListeners();
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
        onRewrite(() => {
          addLoaderListeners();
          listen();
        });
      });
    };
    const reportWanted: typeof report = (name, told) => {
      if (isReporting || name !== 'violation') report(name, told);
    };
    onHandover({ proxy, proxyOrigin, params, report: reportWanted, write, writeListening });
  };
  window.addEventListener('message', onResourceReady);
  const storage = hasStorage() ? {} : { storage: 'blocked' };
  // From the load handler, so that this page's own load is always the first and the app's always a later one.
  listen('load', () => report('loader-ready', { at: timeOrigin, pass, ...storage }));
};
