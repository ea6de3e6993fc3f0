import type { Transport } from '@casement/protocol';
import { createWindowTransport } from '@casement/protocol/basics';
import type { FrameSpec, Surface } from '../../core/surface.js';
import type { AppLayout } from './app-layout.js';
import type { readPage } from '../build-host-context.js';
import { createFrameElement } from './frame-element.js';
import type { FrameUse } from './frame-use.js';
import { askFrameUse, askProxy, postToProxy } from './frame-use.js';

/** A frame that was made ready before its session began. */
export interface ReadyFrame {
  /** The frame, if it is exactly the one that the session wants; otherwise it is gone. Asked once. */
  claim(spec: FrameSpec): ClaimedFrame | undefined;
}

/** A ready frame that became the frame of a session. */
export interface ClaimedFrame {
  readonly element: HTMLIFrameElement;
  /** Puts what the frame said before in front of what it says from now on; `renew` is called if it says nothing at all. */
  follow(transport: Transport, renew: () => void): Transport;
}

/** Told the address of every frame that is taken away: what waits for an app of its origin must not outlive it. */
export const frameEnds = new Set<(url: string) => void>();

/** What decides about frames and is the page's own. */
export const readFrameFacts = (): Pick<Surface, 'hasCredentialless' | 'origins'> => ({
  hasCredentialless: 'credentialless' in HTMLIFrameElement.prototype,
  origins: [location.origin, ...(location.ancestorOrigins ?? [])],
});

/** Makes the way to the proxy in a frame; a message from its window with another origin is only told of. */
export const createFrameTransport = (
  { origin }: FrameSpec,
  frame: () => HTMLIFrameElement | undefined,
  onWrongOrigin: (origin: string) => void,
): Transport =>
  createWindowTransport({
    listenOn: window,
    peer: () => frame()?.contentWindow ?? null,
    origin,
    onRejected(rejected) {
      if (rejected.reason === 'origin') onWrongOrigin(rejected.origin);
    },
  });

/** The surface of a page, with what the page itself asks of the frame. */
export interface FrameSurface extends Surface {
  readonly frame: HTMLIFrameElement | undefined;
  /** What the user did in the app. */
  askUse(): Promise<FrameUse>;
}

/** Makes the surface of a page: one outer frame, a window transport to it, and styles. */
export const createFrameSurface = (options: {
  readonly layout: AppLayout;
  readonly title: string;
  readonly fonts: string | undefined;
  readonly readPage: typeof readPage;
  guard(): Promise<void>;
  openLink?(url: string): void;
  /** A message from the right window with the wrong origin: the proxy's page was navigated (B02). */
  onWrongOrigin(origin: string): void;
  readonly ready?: ReadyFrame | undefined;
}): FrameSurface => {
  const { layout, title, fonts, readPage } = options;
  let frame: HTMLIFrameElement | undefined;
  const { hasCredentialless, origins } = readFrameFacts();

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
      const place = (): void => {
        frame?.remove();
        frame = createFrameElement(layout.wrapper.ownerDocument, spec, title);
        layout.head.after(frame);
        layout.setSize({});
      };
      const transport = createFrameTransport(spec, () => frame, options.onWrongOrigin);
      const claimed = options.ready?.claim(spec);
      if (!claimed) {
        place();
        return transport;
      }
      frame = claimed.element;
      frame.title = title;
      layout.setSize({});
      return claimed.follow(transport, place);
    },
    async diagnose(spec, signal) {
      if (!frame || !(await isLoaded(frame, signal))) return undefined;
      const { diagnoseSandbox } = await import('../page-extras.js');
      const isCredentialless = spec.credentialless && hasCredentialless;
      return diagnoseSandbox(spec, { origins, isCredentialless }, signal);
    },
    unmount() {
      const { src = '' } = frame ?? {};
      frame?.remove();
      frame = undefined;
      for (const tell of [...frameEnds]) tell(src);
    },
    // On demand: most apps keep their frame.
    readView: async () => (await import('../page-extras.js')).askFrameView(frame, askProxy),
    fetchText: async (url) => (await import('../page-extras.js')).askFrameFetch(frame, url, askProxy),
    giveView: (view) =>
      void import('../page-extras.js').then(
        ({ giveFrameView }) => giveFrameView(frame, view, postToProxy),
        () => undefined,
      ),
    askUse: () => askFrameUse(frame),
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
