/** How much of one kind of message is kept, and when a server has gone too far. */
export interface FloodLimits {
  /** Of each kind, so many are kept at once … */
  burst: number;
  /** … and so many more with every second. */
  perSecond: number;
  /** Leaving out more than this in a second is a second of flood. */
  floodPerSecond: number;
  /** After so many seconds of flood in a row the server is disconnected. */
  maxSeconds: number;
}

/** Counts what a server sends beyond what anybody can read, kind by kind. */
export interface FloodGate {
  /** Whether one more of this kind is kept; if not, it is counted as left out. `share` keeps less of a kind, always the same. */
  admit(kind: string, share?: number): boolean;
  /** One that was counted as left out is kept after all. */
  takeBack(kind: string): void;
  /** Tells what was left out so far; nothing is told later. */
  end(): void;
}

const WINDOW_MS = 1000;

/** Creates the gate of one connection. Kinds are a closed list, never a server's own words. */
export const createFloodGate = ({
  limits: { burst, perSecond, floodPerSecond, maxSeconds },
  now = () => performance.now(),
  onWindow = () => Promise.resolve(),
  onLeftOut,
  onFlood,
}: {
  limits: FloodLimits;
  now?: () => number;
  /** A second in which something was left out is over, and about to be told. */
  onWindow?(): Promise<void>;
  /** At most once per second and kind. */
  onLeftOut(kind: string, count: number): void;
  onFlood(seconds: number): void;
}): FloodGate => {
  const buckets = new Map<string, { tokens: number; at: number }>();
  const leftOut = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let total = 0;
  let windowStart = 0;
  let floodMs = 0;

  const tell = (): void => {
    for (const [kind, count] of [...leftOut]) {
      leftOut.delete(kind);
      if (count > 0) onLeftOut(kind, count);
    }
  };

  const endWindow = (): void => {
    timer = undefined;
    const length = now() - windowStart;
    floodMs = total > (floodPerSecond * length) / 1000 ? floodMs + length : 0;
    total = 0;
    windowStart += length;
    void onWindow().then(tell);
    if (floodMs >= maxSeconds * 1000) onFlood(Math.round(floodMs / 1000));
  };

  const leaveOut = (kind: string): void => {
    leftOut.set(kind, (leftOut.get(kind) ?? 0) + 1);
    total += 1;
    if (timer !== undefined) return;
    const begun = now();
    // A quiet second between two windows ends a flood.
    if (begun - windowStart > WINDOW_MS) floodMs = 0;
    windowStart = begun;
    timer = setTimeout(endWindow, WINDOW_MS);
    timer.unref();
  };

  return {
    admit(kind, share = 1) {
      const at = now();
      const bucket = buckets.get(kind) ?? { tokens: burst * share, at };
      buckets.set(kind, bucket);
      bucket.tokens = Math.min(share * burst, bucket.tokens + ((at - bucket.at) / 1000) * share * perSecond);
      bucket.at = at;
      if (bucket.tokens >= 1) {
        bucket.tokens -= 1;
        return true;
      }
      leaveOut(kind);
      return false;
    },
    takeBack(kind) {
      leftOut.set(kind, (leftOut.get(kind) ?? 0) - 1);
    },
    end() {
      clearTimeout(timer);
      tell();
    },
  };
};
