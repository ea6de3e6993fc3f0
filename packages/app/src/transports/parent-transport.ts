import { AppError } from '../session/errors.js';
import type { Transport } from '../session/wire-types.js';

/** The options of createParentTransport. */
export interface ParentTransportOptions {
  /**
   * The origins the page around the app may have: that of the host's sandbox, not of the chat. Without any, the first
   * origin that speaks is kept. In both cases only the parent window is heard.
   */
  readonly trustedOrigins?: readonly string[] | undefined;
}

/** The parent's origin where the browser tells; some hide it behind "null". */
const readParentOrigin = (): string | undefined => {
  const origin = window.location.ancestorOrigins?.[0];
  return origin === 'null' ? undefined : origin;
};

/** Creates the transport to the parent window: postMessage, with source and origin checked. */
export const createParentTransport = ({ trustedOrigins = [] }: ParentTransportOptions = {}): Transport => {
  const { parent } = window;
  if (parent === window) throw new AppError('no-host', 'The page is in no frame.');
  const known = readParentOrigin();
  const isTrusted = (origin: string): boolean =>
    trustedOrigins.length === 0 || trustedOrigins.includes(origin);
  const toWrongOrigin = (origin: string): AppError =>
    new AppError('wrong-origin', `${origin} is not a trusted origin: name that of the host's sandbox.`);
  if (known !== undefined && !isTrusted(known)) throw toWrongOrigin(known);
  let pinned = known;
  let stop = (): void => undefined;

  return {
    send(message) {
      const targets = pinned === undefined && trustedOrigins.length > 0 ? trustedOrigins : [pinned ?? '*'];
      // Only the window of that very origin gets it; an opaque one can be named by the window alone, and then once.
      for (const target of targets.includes('null') ? ['*'] : targets) parent.postMessage(message, target);
    },
    subscribe(listener, onTrouble) {
      const hear = ({ source, origin, data }: MessageEvent): void => {
        if (source !== parent || data?.jsonrpc !== '2.0') return;
        if (pinned === undefined ? !isTrusted(origin) : origin !== pinned)
          return onTrouble?.(toWrongOrigin(origin));
        pinned = origin;
        listener(data);
      };
      window.addEventListener('message', hear);
      stop = () => window.removeEventListener('message', hear);
      return stop;
    },
    close: () => stop(),
  };
};
