/**
 * Watches over one guest document at a time through a port that only its loader holds, so that the guest can neither
 * answer for its own stalled thread nor end the watch. Time is counted in ticks of this page's own timer alone: where
 * the browser slows the timers of a hidden tab, or the machine slept, nobody is called silent for it.
 *
 * A thread that is busy and a process that crashed are both silent. They are told apart by a witness: a new document
 * of the guest's own origin has to run on the guest's thread, so one that runs while the guest stays silent shows that
 * this thread is no more. An opaque guest shares its origin with nobody; there silence is all there is to tell, unless
 * the browser has the `close` event of ports (in Chromium 156 it is behind a switch).
 *
 * Where the browser runs guest and watch on one thread, the watch stands still with the guest and sees nothing while it
 * lasts. So each tick looks back at the clock, and a stand-still of the time that silence takes is told afterwards.
 */
const TICK_MS = 1000;
const TICKS_BETWEEN_BEATS = 2;
const TICKS_UNTIL_SILENT = 5;
/** Two clocks that disagree by more than this: the machine slept, which one of them does not count. */
const SLEEP_MS = 1000;
/** The guest's answer may wait in another queue than the witness's first word. */
const TICKS_AFTER_WITNESS = 3;
/** A new document after an ended one may take this long to show. */
const GONE_MS = 1000;

/** Returns a function that tells for how long this page stood still since the last call, while it was visible. */
const createStandstill = (): (() => number) => {
  const read = () => ({
    at: performance.now(),
    date: Date.now(),
    isVisible: document.visibilityState === 'visible',
  });
  let last = read();
  return () => {
    const { at, date, isVisible } = last;
    last = read();
    const ms = last.at - at;
    const hasSlept = last.date - date - ms > SLEEP_MS;
    return isVisible && last.isVisible && !hasSlept ? ms : 0;
  };
};

/** Watches over the documents of one guest. */
export interface GuestHealth {
  /** Watches a new document from now on, and the last one no more; the port goes to its loader. */
  watch(): MessagePort;
  /** Another document of the guest's origin runs. */
  onWitness(): void;
  /** Another document replaced the last one, so the last one did not crash, even if it sent no farewell. */
  replaced(): void;
  /** The document was taken away: until the next one is watched, silence counts as before. */
  awaitNext(): void;
  /** Stops watching: the document went away, and the one in its place has no loader. */
  stop(): void;
  /** Says something to the loader of the document that is watched. */
  tell(word: unknown): void;
}

/** Creates the watch; it watches nothing until `watch()` is called. */
export const createGuestHealth = (options: {
  onState(state: 'silent' | 'alive' | 'gone'): void;
  /** This page, and with it the watch, stood still for so long. */
  onStandstill(ms: number): void;
  /**
   * The document goes away; the loader says when, and anything else it says answers a beat. The watch goes on: guest
   * code still runs after this word, and may never let its document end.
   */
  onFarewell(at: number): void;
  /** The user pressed in the document. */
  onPress(): void;
  /** The user typed or chose something in it. */
  onInput(): void;
  /** The loader hands on what a script of the host said in its page, with the number of the question: the guest's word. */
  onView(view: unknown, asked: unknown): void;
}): GuestHealth => {
  let isSilent = false;
  let isAwaited = false;
  let isLeaving = false;
  let ticks = 0;
  let goneAt = Infinity;
  let end = (): void => undefined;
  let tell = (_word: unknown): void => undefined;
  let goneTimer: ReturnType<typeof setTimeout> | undefined;

  const onSign = (): void => {
    isAwaited = false;
    ticks = 0;
    goneAt = Infinity;
    if (isSilent) options.onState('alive');
    isSilent = false;
  };
  const tick = (port: MessagePort): void => {
    ticks += 1;
    if (!isAwaited) {
      if (ticks < TICKS_BETWEEN_BEATS) return;
      isAwaited = true;
      ticks = 0;
      port.postMessage('beat');
    } else if (ticks === TICKS_UNTIL_SILENT) {
      isSilent = true;
      options.onState('silent');
    } else if (ticks >= goneAt) {
      end();
      options.onState('gone');
    }
  };
  const replaced = (): void => clearTimeout(goneTimer);
  const awaitNext = (): void => {
    replaced();
    isLeaving = true;
    isAwaited = true;
    ticks = 0;
  };

  return {
    replaced,
    awaitNext,
    stop: () => end(),
    tell: (word) => tell(word),
    onWitness() {
      goneAt = Math.min(goneAt, ticks + TICKS_AFTER_WITNESS);
    },
    watch() {
      end();
      replaced();
      onSign();
      isLeaving = false;
      const { port1, port2 } = new MessageChannel();
      const measure = createStandstill();
      const timer = setInterval(() => {
        const ms = measure();
        if (ms >= TICKS_UNTIL_SILENT * TICK_MS) options.onStandstill(ms);
        tick(port1);
      }, TICK_MS);
      end = () => {
        clearInterval(timer);
        port1.close();
      };
      tell = (word) => port1.postMessage(word);
      port1.onmessage = ({ data }) => {
        if (isLeaving) return;
        onSign();
        if (data === 'press') options.onPress();
        if (data === 'input') options.onInput();
        if (typeof data === 'object') options.onView(data?.view, data?.asked);
        if (typeof data !== 'number') return;
        awaitNext();
        options.onFarewell(data);
      };
      port1.addEventListener('close', () => {
        if (isLeaving) return;
        end();
        goneTimer = setTimeout(() => options.onState('gone'), GONE_MS);
      });
      return port2;
    },
  };
};
