/** What the user did in a frame of the sandbox, as its proxy knows it. */
export interface FrameUse {
  /** When the user last pressed in the app, on this page's clock; never is long ago. */
  readonly pressedAt: number;
  /** Whether the browser counts a click, tap or key of the last seconds as the app's. */
  readonly isActive: boolean;
  /** Whether the user did anything in the app since its frame is there. */
  readonly hasActed: boolean;
}

const unused: FrameUse = { pressedAt: -Infinity, isActive: false, hasActed: false };

/**
 * Asks the proxy in a frame. This page's own activation says nothing of one app: a click anywhere in the page counts
 * there. The proxy's is honest, because clicks of the host and of other apps do not reach it, and no app can speak for
 * it: the answer comes on a port of its own. No answer in time means no use.
 */
export const askFrameUse = (frame: HTMLIFrameElement | undefined, withinMs = 250): Promise<FrameUse> =>
  new Promise((resolve) => {
    if (!frame?.contentWindow) return resolve(unused);
    const { port1, port2 } = new MessageChannel();
    const end = (use: FrameUse): void => {
      clearTimeout(timer);
      port1.close();
      resolve(use);
    };
    const timer = setTimeout(() => end(unused), withinMs);
    port1.onmessage = ({ data }) => {
      const { sincePress, isActive, hasActed } = Object(data);
      const pressedAt = typeof sincePress === 'number' ? performance.now() - sincePress : -Infinity;
      end({ pressedAt, isActive: isActive === true, hasActed: hasActed === true });
    };
    const message = { jsonrpc: '2.0', method: 'ui/notifications/sandbox-use-asked', params: {} };
    frame.contentWindow.postMessage(message, new URL(frame.src).origin, [port2]);
  });
