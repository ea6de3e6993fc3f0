import type { ContainerDimensions, DisplayMode } from '@casement/protocol';

/** A size the frame should take. */
export interface AppSize {
  readonly width?: number;
  readonly height?: number;
}

/** What decides over a size report. */
export interface SizeRules {
  readonly dimensions: ContainerDimensions | undefined;
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

const quickMs = 150;
const maxRepeats = 10;
const maxTurns = 20;

/** Whether a reported height is applied, changes nothing, or only answers the last one. */
type SizeVerdict = 'follow' | 'same' | 'loop';

/**
 * Stops an app and its frame from chasing each other. A view that is always a bit taller than its window (100vh plus
 * padding) or flips between two heights answers every change, quickly, with a change of the same amount; after ten of
 * these the growth is no longer followed. Content that really grows sends another amount next time and is. Heights
 * that jump up and down without a pause end at the largest.
 */
export const createSizeGuard = (now: () => number = Date.now): ((height: number) => SizeVerdict) => {
  let height: number | undefined;
  let lastStep = 0;
  let lastTime = -Infinity;
  let repeats = 0;
  let turns = 0;

  return (next) => {
    const time = now();
    const step = next - (height ?? 0);
    const isQuick = time - lastTime <= quickMs;
    const repeated = isQuick && (step === 0 || Math.abs(step) === Math.abs(lastStep));
    lastTime = time;
    if (!isQuick) turns = 0;
    if (!repeated) repeats = 0;
    if (step === 0) return 'same';
    if (repeated) repeats += 1;
    const alternates = step > 0 !== lastStep > 0;
    if (alternates) turns += 1;
    // Of two alternating heights the larger one stays, so that nothing is cut off.
    if (repeats >= maxRepeats && (alternates ? step < 0 : step > 0)) return 'loop';
    if (turns >= maxTurns && step < 0) return 'loop';
    height = next;
    lastStep = step;
    return 'follow';
  };
};
