import type { DisplayMode, HostContext } from '@casement/protocol';

/** A size the frame should take. */
export interface AppSize {
  readonly width?: number;
  readonly height?: number;
}

/** What decides over a size report. */
export interface SizeRules {
  readonly dimensions: NonNullable<HostContext['containerDimensions']> | undefined;
  readonly displayMode: DisplayMode;
  readonly maxHeight: number;
}

/**
 * The size to apply for an app's report, or nothing. Only flexible axes follow it (HOST-043, HOST-044), only inline;
 * numbers are finite, whole and within 0 and the axis' maximum.
 */
export const toAppSize = (report: AppSize, rules: SizeRules): AppSize | undefined => {
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
export interface SizeGuard {
  judge(height: number): SizeVerdict;
  /** The height that waits, to be applied after a pause: content stays quiet then, a loop answers again. */
  retry(): number | undefined;
}

/**
 * A view that is always a bit taller than its window (100vh plus padding) or flips between two heights answers every
 * change, quickly, with a change of the same amount. After ten of these the growth is no longer followed: rows of one
 * height that stream in look the same, but send another amount next time or stay quiet once the last one was applied.
 * Heights that jump up and down without a pause end at the largest, so that nothing is cut off.
 */
export const createSizeGuard = (now: () => number = Date.now): SizeGuard => {
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
