import type { DisplayMode, HostContext } from '@casement/protocol';
import { addExplained } from '../state/explain.js';
import type { SessionStore } from '../state/session-store.js';
import type { AppSize, Surface } from '../surface.js';
import type { SessionContext } from './host-context.js';

/** Lets the frame follow the sizes that its app reports. */
export interface AppSizing {
  resize(report: AppSize): void;
  /** The size to begin with; what the app reports later counts more. */
  prefer(size: AppSize): void;
  /** The document is new, or gone: what the old one reported has no more to do with it. */
  renew(): void;
}

/** How many of the sizes that an app asked for are kept. */
const maxAsked = 20;

// Longer than any loop takes to answer.
const retryMs = 500;

/** Makes the sizing of one session's frame. */
export const createAppSizing = (parts: {
  readonly context: SessionContext;
  readonly surface: Pick<Surface, 'setSize'>;
  readonly maxHeight: number;
  readonly store: SessionStore;
}): AppSizing => {
  const { context, surface, maxHeight, store } = parts;
  let guard = createSizeGuard();
  let retrying: ReturnType<typeof setTimeout> | undefined;

  const apply = (size: AppSize): void => {
    surface.setSize(size);
    store.update({ size });
  };
  const note = ({ width, height }: AppSize): void => {
    const { sizes } = store.getSnapshot();
    const last = sizes.at(-1);
    if (last && last.width === width && last.height === height) return;
    store.update({ sizes: [...sizes.slice(1 - maxAsked), { at: Date.now(), width, height }] });
  };
  const isShown = (): boolean => {
    const { status } = store.state;
    return status === 'ready' || status === 'handshake';
  };
  const retryLater = (size: AppSize): void => {
    retrying ??= setTimeout(() => {
      retrying = undefined;
      const height = isShown() && context.displayMode === 'inline' ? guard.retry() : undefined;
      if (height !== undefined) apply({ ...size, height });
    }, retryMs);
  };
  const toAllowed = (size: AppSize): AppSize | undefined =>
    toAppSize(size, {
      dimensions: context.current().containerDimensions,
      displayMode: context.displayMode,
      maxHeight,
    });

  return {
    resize(report) {
      if (!isShown()) return;
      note(report);
      const size = toAllowed(report);
      if (!size) return;
      const verdict = size.height === undefined ? 'follow' : guard.judge(size.height);
      if (verdict === 'follow') apply(size);
      if (verdict === 'wait') retryLater(size);
      if (verdict === 'loop') addExplained(store, ({ sizeLoop }) => sizeLoop);
    },
    prefer(wish) {
      const size = toAllowed(wish);
      if (size) apply(size);
    },
    renew() {
      clearTimeout(retrying);
      retrying = undefined;
      guard = createSizeGuard();
    },
  };
};

/** What decides over a size report. */
interface SizeRules {
  readonly dimensions: NonNullable<HostContext['containerDimensions']> | undefined;
  readonly displayMode: DisplayMode;
  readonly maxHeight: number;
}

/**
 * The size to apply for an app's report, or nothing. Only flexible axes follow it (HOST-043, HOST-044), only inline;
 * numbers are finite, whole and within 0 and the axis' maximum.
 */
const toAppSize = (report: AppSize, rules: SizeRules): AppSize | undefined => {
  if (rules.displayMode !== 'inline') return undefined;
  // A union of per-axis shapes; read as the flat object it is on the wire.
  const axes: { width?: number; maxWidth?: number; height?: number; maxHeight?: number } =
    rules.dimensions ?? {};
  const height =
    axes.height === undefined
      ? clamp(report.height, Math.min(axes.maxHeight ?? Infinity, rules.maxHeight))
      : undefined;
  // An unbounded width stays the container's: views report their viewport's width, not their content's.
  const width =
    axes.width === undefined && axes.maxWidth !== undefined ? clamp(report.width, axes.maxWidth) : undefined;
  if (height === undefined && width === undefined) return undefined;
  return { ...(width === undefined ? {} : { width }), ...(height === undefined ? {} : { height }) };
};

const clamp = (value: number | undefined, max: number): number | undefined =>
  typeof value === 'number' && Number.isFinite(value)
    ? Math.min(Math.max(Math.ceil(value), 0), max)
    : undefined;

const quickMs = 250;
const maxRepeats = 10;
const maxTurns = 20;

/** What becomes of a reported height: it is applied, changes nothing, waits for a second try, or is part of a loop. */
type SizeVerdict = 'follow' | 'same' | 'wait' | 'loop';

/** Stops an app and its frame from chasing each other. */
interface SizeGuard {
  judge(height: number): SizeVerdict;
  /** The height that waits, to be applied after a pause: content stays quiet then, a loop answers again. */
  retry(): number | undefined;
}

/**
 * Makes what tells a loop from an app that grows. A view that is always a bit taller than its window (100vh plus padding) or flips between two heights answers every
 * change, quickly, with a change of the same amount. After ten of these the growth is no longer followed: rows of one
 * height that stream in look the same, but send another amount next time or stay quiet once the last one was applied.
 * Heights that jump up and down without a pause end at the largest, so that nothing is cut off.
 */
const createSizeGuard = (now: () => number = Date.now): SizeGuard => {
  let height = 0;
  let lastStep = 0;
  let lastTime = -Infinity;
  let repeats = 0;
  let turns = 0;
  let waiting: number | undefined;
  let triedStep = 0;
  let isLoop = false;

  return {
    judge(next) {
      const time = now();
      const step = next - height;
      const isQuick = time - lastTime <= quickMs;
      lastTime = time;
      if (!isQuick) repeats = turns = 0;
      if (step === 0) return 'same';
      if (step === triedStep && (isLoop || isQuick)) {
        isLoop = true;
        return 'loop';
      }
      const alternates = step > 0 !== lastStep > 0;
      repeats = isQuick && Math.abs(step) === Math.abs(lastStep) ? repeats + 1 : 0;
      if (isQuick && alternates) turns += 1;
      if (step < 0 && (turns >= maxTurns || (alternates && repeats >= maxRepeats))) return 'loop';
      if (step > 0 && !alternates && repeats >= maxRepeats) {
        waiting = next;
        return 'wait';
      }
      height = next;
      lastStep = step;
      waiting = undefined;
      triedStep = 0;
      isLoop = false;
      return 'follow';
    },
    retry() {
      if (waiting === undefined) return undefined;
      triedStep = waiting - height;
      height = waiting;
      lastTime = now();
      waiting = undefined;
      return height;
    },
  };
};
