import type { RejectedMessage } from '@casement/protocol';
import { createWindowTransport } from '@casement/protocol/basics';
import type { Surface } from '../../core/surface.js';
import type { AppLayout } from './app-layout.js';
import { readPage } from '../build-host-context.js';
import { askFrameUse } from './frame-use.js';

/** The surface of a page: one outer frame, a window transport to it, and styles. */
export const createFrameSurface = (options: {
  readonly layout: AppLayout;
  readonly title: string;
  readonly fonts: string | undefined;
  guard(): Promise<void>;
  openLink?(url: string): void;
  /** A message from the right window with the wrong origin: the proxy's page was navigated (B02). */
  onWrongOrigin(origin: string): void;
}): Surface & { readonly frame: HTMLIFrameElement | undefined } => {
  const { layout, title, fonts } = options;
  let frame: HTMLIFrameElement | undefined;
  const hasCredentialless = 'credentialless' in HTMLIFrameElement.prototype;
  const origins = [location.origin, ...(location.ancestorOrigins ?? [])];

  return {
    hasCredentialless,
    origins,
    guard: options.guard,
    get context() {
      return { ...readPage({ container: layout.place, fonts }), containerDimensions: layout.measure() };
    },
    get frame() {
      return frame;
    },
    mount(spec) {
      const element = layout.wrapper.ownerDocument.createElement('iframe');
      frame = element;
      element.setAttribute('sandbox', spec.sandbox); // HOST-026
      element.setAttribute('allow', spec.allow);
      // Before the address: it holds for what is loaded afterwards.
      element.toggleAttribute('credentialless', spec.credentialless);
      element.title = title;
      element.referrerPolicy = 'no-referrer';
      const onRejected = ({ reason, origin }: RejectedMessage): void => {
        if (reason === 'origin') options.onWrongOrigin(origin);
      };
      const transport = createWindowTransport({
        listenOn: window,
        peer: () => element.contentWindow,
        origin: spec.origin,
        onRejected,
      });
      // Until the app is ready nothing is seen of it, least of all a white canvas: light is what its pages are then.
      Object.assign(element.style, { opacity: '0', colorScheme: 'light' });
      element.src = spec.url;
      layout.head.after(element);
      layout.setSize({});
      return transport;
    },
    async diagnose(spec, signal) {
      if (!frame || !(await isLoaded(frame, signal))) return undefined;
      const { diagnoseSandbox } = await import('../sandbox/diagnose-sandbox.js');
      const isCredentialless = spec.credentialless && hasCredentialless;
      return diagnoseSandbox(spec, { origins, isCredentialless }, signal);
    },
    unmount() {
      frame?.remove();
      frame = undefined;
    },
    // On demand: most apps keep their frame.
    readView: async () => (await import('./frame-view.js')).askFrameView(frame),
    giveView: (view) =>
      void import('./frame-view.js').then(
        ({ giveFrameView }) => giveFrameView(frame, view),
        () => undefined,
      ),
    setSize: (size) => layout.setSize(size),
    setDisplayMode: (mode) => layout.setDisplayMode(mode),
    openLink(url) {
      if (options.openLink) options.openLink(url);
      else window.open(url, '_blank', 'noopener,noreferrer');
    },
    saveFile({ name, mimeType, content }) {
      const url = URL.createObjectURL(new Blob([content], { type: mimeType }));
      const link = layout.wrapper.ownerDocument.createElement('a');
      link.href = url;
      link.download = name;
      link.click();
      // The browser has taken the content once the click was handled.
      setTimeout(() => URL.revokeObjectURL(url), 10_000);
    },
    // The apps of one page come up a few at a time.
    page: window,
    nextFrame(callback) {
      const request = requestAnimationFrame(callback);
      return () => cancelAnimationFrame(request);
    },
    async hasUserActivation(since) {
      const { isActive, pressedAt } = await askFrameUse(frame, 1000);
      return isActive && (since === undefined || pressedAt > since);
    },
  };
};

/** What a proxy says as it starts may be on its way while the load event of its frame is here. */
const afterLoadMs = 150;

/** Whether the frame's document has come, whatever it is; false when nobody wants to know any more. */
const isLoaded = (frame: HTMLIFrameElement, signal: AbortSignal): Promise<boolean> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(false), { once: true });
    const told = (): unknown => setTimeout(() => resolve(!signal.aborted), afterLoadMs);
    frame.addEventListener('load', told, { once: true });
  });
