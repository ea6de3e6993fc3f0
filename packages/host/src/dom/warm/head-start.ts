import type { Transport } from '@casement/protocol';
import { isRecord } from '@casement/protocol/start';

/*
 * An app whose document was read before it was asked for may start when it is asked for, while the server is asked
 * whether that document still holds. Nobody sees it meanwhile, and nobody serves it: what it says is held back, in
 * order, and nothing is said to it. The session knows nothing of this. It hands over the document of its own fresh read:
 * if that is the one that runs, the app goes on as if it had just begun; any other goes into new frames, and nothing is
 * left of the first.
 */

/** Why an app that started early is not the one that is shown. */
export type HeadStartFault = 'html-changed' | 'spoke-much' | 'unconfirmed' | 'focus-taken';

/** What a proxy is told of an app. */
export type Handover = Readonly<Record<string, unknown>>;

/** An app that runs, or will when its pages are there, and is not confirmed yet. */
export interface HeadStart {
  /** The proxy of its frame is there. */
  begin(): void;
  /** Takes what comes out of its frame; false as long as it does not run. */
  hear(data: unknown): boolean;
  /** Makes the session's way to the frame; the first `told` messages on it are from before there was an app. */
  follow(way: Transport, told: number): Transport;
  /** Ends it; nothing happens once it is confirmed. */
  drop(fault: HeadStartFault): void;
  /** Nobody waits for it any more. */
  end(): void;
}

const handoverMethod = 'ui/notifications/sandbox-resource-ready';
const words = ['proxy-ready', 'loader-ready', 'frame-loaded'].map(
  (word) => `ui/notifications/sandbox-${word}`,
);

/** How long an app may run that nobody sees. */
const confirmMs = 2_000;
/** An app says hello, and perhaps how tall it is; one that says much more than that wants something else. */
const maxHeld = 100;
const maxHeldLength = 256 * 1024;

const methodOf = (data: unknown): unknown => (isRecord(data) ? data.method : undefined);

/** The HTML by itself: it is long, and most often the very same string. */
const isSameApp = ({ html, ...rest }: Handover, message: unknown): boolean => {
  const params = isRecord(message) && isRecord(message.params) ? message.params : {};
  const { html: other, ...otherRest } = params;
  return html === other && JSON.stringify(rest) === JSON.stringify(otherRest);
};

/** Makes the head start of an app in a frame without one. */
export const createHeadStart = (given: {
  readonly handover: Handover;
  send: Transport['send'];
  onBegun(): void;
  /** Nothing is in the frame any more, or will be, but the app that the session hands over. */
  onSettled(): void;
  /** The app is not the one to show: its frame has to go at once, for a new one if the session has it already. */
  onFault(fault: HeadStartFault): void;
}): HeadStart => {
  const { handover } = given;
  const held: unknown[] = [];
  let state: 'before' | 'unconfirmed' | 'replaced' | 'open' = 'before';
  let { send } = given;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let heldLength = 0;
  /** What the frame in its place says that the session has heard of the first one. */
  let known: unknown[] = [];
  let isNewProxyUp = false;
  let next: Parameters<Transport['send']>[0] | undefined;

  const settle = (to: 'replaced' | 'open'): void => {
    state = to;
    clearTimeout(timer);
    given.onSettled();
  };
  const drop = (fault: HeadStartFault): void => {
    if (state !== 'unconfirmed') return;
    held.length = 0;
    known = [...words];
    settle('replaced');
    given.onFault(fault);
  };
  const begin = (): void => {
    if (state !== 'before') return;
    state = 'unconfirmed';
    timer = setTimeout(() => drop('unconfirmed'), confirmMs);
    given.onBegun();
    send({ jsonrpc: '2.0', method: handoverMethod, params: handover });
  };
  const end = (): void => {
    held.length = 0;
    if (state === 'before' || state === 'unconfirmed') settle('open');
  };
  const hold = (data: unknown): void => {
    held.push(data);
    heldLength += JSON.stringify(data)?.length ?? 0;
    if (held.length > maxHeld || heldLength > maxHeldLength) drop('spoke-much');
  };
  /** What the new frame says before its app is there is no news. */
  const isNews = (data: unknown): boolean => {
    const index = known.indexOf(methodOf(data));
    if (index < 0) return true;
    known.splice(index, 1);
    return false;
  };

  return {
    begin,
    drop,
    end,
    hear(data) {
      if (state === 'unconfirmed') hold(data);
      return state !== 'before';
    },
    follow(way, told) {
      ({ send } = way);
      const listeners = new Set<(data: unknown) => void>();
      let left = told;
      const pass = (data: unknown): void => {
        for (const listener of [...listeners]) listener(data);
      };
      const handNext = (): void => {
        if (!isNewProxyUp || next === undefined) return;
        way.send(next);
        next = undefined;
        state = 'open';
      };
      way.subscribe((data) => {
        left -= 1;
        if (left >= 0) return pass(data);
        if (state === 'unconfirmed') return hold(data);
        const isProxyUp = methodOf(data) === words[0];
        if (isNews(data)) {
          pass(data);
          if (isProxyUp) begin();
          return;
        }
        isNewProxyUp ||= isProxyUp;
        handNext();
      });
      return {
        send(message) {
          // Before it hands over its app a session has nothing to say.
          const isHandover = methodOf(message) === handoverMethod;
          if (state === 'before' && isHandover) end();
          if (state === 'open') return way.send(message);
          if (!isHandover) return;
          if (state === 'unconfirmed' && isSameApp(handover, message)) {
            settle('open');
            // The session has to be where it waits for the app first.
            return queueMicrotask(() => held.splice(0).forEach(pass));
          }
          drop('html-changed');
          next = message;
          handNext();
        },
        subscribe(listener) {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
        close() {
          listeners.clear();
          end();
          way.close();
        },
      };
    },
  };
};
