import { svg } from './svg.js';

/** Draws temperatures as one smooth line over its soft shadow; the numbers stand below it as text. */
export const toTemperatureCurve = (temperatures: readonly number[]): SVGElement => {
  const low = Math.min(...temperatures);
  const spread = Math.max(1, Math.max(...temperatures) - low);
  // Each point stands over the middle of its column in the list below.
  const step = 100 / temperatures.length;
  const points = temperatures.map((value, index) => ({
    x: step * (index + 0.5),
    y: 44 - ((value - low) / spread) * 38,
  }));
  const [first, ...rest] = points;
  if (!first) return svg('svg');
  let previous = first;
  let line = `M${first.x} ${first.y}`;
  for (const point of rest) {
    const middle = (previous.x + point.x) / 2;
    line += `C${middle} ${previous.y} ${middle} ${point.y} ${point.x} ${point.y}`;
    previous = point;
  }
  return svg(
    'svg',
    { viewBox: '0 0 100 56', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    svg(
      'defs',
      {},
      svg(
        'linearGradient',
        { id: 'warmth', x1: 0, x2: 0, y1: 0, y2: 1 },
        svg('stop', { offset: 0 }),
        svg('stop', { offset: 1 }),
      ),
    ),
    svg('path', { class: 'area', d: `${line}V56H${first.x}Z` }),
    svg('path', { class: 'line', d: line }),
  );
};
