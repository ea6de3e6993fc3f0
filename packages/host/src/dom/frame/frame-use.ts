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

/** Posts a notification of ours to the proxy in a frame. */
export const postToProxy = (
  frame: HTMLIFrameElement,
  what: 'use-asked' | 'view',
  params: object,
  ports: MessagePort[] = [],
): void => {
  const message = { jsonrpc: '2.0', method: `ui/notifications/sandbox-${what}`, params };
  frame.contentWindow?.postMessage(message, new URL(frame.src).origin, ports);
};

/**
 * Posts one and reads what is said to it on a port of its own. It does not go through the session's transport, and so
 * not into the recording. `read` gives undefined as long as more is to come; so does this without an answer in time.
 */
export const askProxy = <T>(
  frame: HTMLIFrameElement | undefined,
  what: 'use-asked' | 'view',
  params: object,
  { ms, read }: { readonly ms: number; read(said: unknown): T | undefined },
): Promise<T | undefined> =>
  new Promise((resolve) => {
    if (!frame?.contentWindow) return resolve(undefined);
    const { port1, port2 } = new MessageChannel();
    const end = (answer?: T): void => {
      clearTimeout(timer);
      port1.close();
      resolve(answer);
    };
    const timer = setTimeout(end, ms);
    port1.onmessage = ({ data }) => {
      const answer = read(data);
      if (answer !== undefined) end(answer);
    };
    postToProxy(frame, what, params, [port2]);
  });

/**
 * Asks the proxy in a frame. This page's own activation says nothing of one app: a click anywhere in the page counts
 * there. The proxy's is honest, because clicks of the host and of other apps do not reach it, and no app can speak for
 * it: the answer comes on a port of its own. No answer in time means no use.
 */
export const askFrameUse = async (frame: HTMLIFrameElement | undefined, ms = 250): Promise<FrameUse> =>
  (await askProxy(frame, 'use-asked', {}, { ms, read: toUse })) ?? unused;

const toUse = (said: unknown): FrameUse => {
  // Of the proxy, which is ours; whatever it is, each part is looked at.
  const { sincePress, isActive, hasActed } = Object(said) as Readonly<Record<string, unknown>>;
  const pressedAt = typeof sincePress === 'number' ? performance.now() - sincePress : -Infinity;
  return { pressedAt, isActive: isActive === true, hasActed: hasActed === true };
};
