/** What is still held in a page: everything that was begun and not ended. */
interface Held {
  readonly listeners: readonly string[];
  readonly timers: number;
  readonly observers: number;
  readonly frames: number;
  readonly elements: number;
}

declare global {
  interface Window {
    stillHeld(): Held;
  }
}

/**
 * Runs before any script of a page and keeps the books of it: each listener, timer and observer is written down when it
 * begins and struck out when it ends. Elements outside the document are not counted, as nothing reaches them any more.
 */
export const installLedger = (): void => {
  interface Entry {
    readonly target: EventTarget;
    readonly type: string;
    readonly listener: unknown;
    readonly capture: boolean;
  }
  const entries = new Set<Entry>();
  const find = (target: EventTarget, type: string, listener: unknown, capture: boolean): Entry | undefined =>
    [...entries].find(
      (entry) =>
        entry.target === target &&
        entry.type === type &&
        entry.listener === listener &&
        entry.capture === capture,
    );
  const toCapture = (options: unknown): boolean =>
    options === true ||
    (typeof options === 'object' && options !== null && Reflect.get(options, 'capture') === true);

  const { addEventListener, removeEventListener } = EventTarget.prototype;
  EventTarget.prototype.addEventListener = function (this: EventTarget | undefined, type, listener, options) {
    const target = this ?? window;
    const capture = toCapture(options);
    addEventListener.call(target, type, listener, options);
    if (!listener || find(target, type, listener, capture)) return;
    const given = typeof options === 'object' ? options : {};
    if (given.signal?.aborted) return;
    const entry = { target, type, listener, capture };
    entries.add(entry);
    const strike = (): boolean => entries.delete(entry);
    if (given.signal) addEventListener.call(given.signal, 'abort', strike, { once: true });
    if (given.once) addEventListener.call(target, type, strike, { once: true, capture });
  };
  EventTarget.prototype.removeEventListener = function (
    this: EventTarget | undefined,
    type,
    listener,
    options,
  ) {
    const target = this ?? window;
    removeEventListener.call(target, type, listener, options);
    const entry = find(target, type, listener, toCapture(options));
    if (entry) entries.delete(entry);
  };

  const timers = new Set<unknown>();
  const { setTimeout: later, clearTimeout: forget, setInterval: again, clearInterval: endAgain } = window;
  const { requestAnimationFrame: nextFrame, cancelAnimationFrame: endFrame } = window;
  // The DOM's own overloads take strings too; nothing here passes one.
  window.setTimeout = ((run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => {
    const id = later(() => {
      timers.delete(id);
      run(...args);
    }, ms);
    timers.add(id);
    return id;
  }) as typeof window.setTimeout;
  window.clearTimeout = (id) => {
    timers.delete(id);
    forget(id);
  };
  window.setInterval = ((run: () => void, ms?: number) => {
    const id = again(run, ms);
    timers.add(id);
    return id;
  }) as typeof window.setInterval;
  window.clearInterval = (id) => {
    timers.delete(id);
    endAgain(id);
  };
  window.requestAnimationFrame = (run) => {
    const id = nextFrame((time) => {
      timers.delete(`frame ${id}`);
      run(time);
    });
    timers.add(`frame ${id}`);
    return id;
  };
  window.cancelAnimationFrame = (id) => {
    timers.delete(`frame ${id}`);
    endFrame(id);
  };

  const observers = new Set<object>();
  const watchObservers = (Observer: { prototype: { observe: unknown; disconnect: unknown } }): void => {
    const { observe, disconnect } = Observer.prototype as {
      observe: (...args: unknown[]) => void;
      disconnect: () => void;
    };
    Observer.prototype.observe = function (this: object, ...args: unknown[]) {
      observers.add(this);
      observe.apply(this, args);
    };
    Observer.prototype.disconnect = function (this: object) {
      observers.delete(this);
      disconnect.call(this);
    };
  };
  watchObservers(ResizeObserver);
  watchObservers(MutationObserver);
  watchObservers(IntersectionObserver);

  window.stillHeld = () => ({
    listeners: [...entries]
      .filter(({ target }) => !(target instanceof Node) || target.isConnected)
      .map(({ target, type }) => `${target.constructor.name} ${type}`)
      .sort(),
    timers: timers.size,
    observers: observers.size,
    frames: document.querySelectorAll('iframe').length + window.length,
    elements: document.querySelectorAll('*').length,
  });
};
