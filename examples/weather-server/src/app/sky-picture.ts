import type { WeatherReport } from '../weather-report.js';
import { svg } from './svg.js';

type Condition = WeatherReport['condition'];

/** How each condition is called in words. */
export const conditionWords: Record<Condition, string> = {
  clear: 'Clear',
  'partly-cloudy': 'Partly cloudy',
  cloudy: 'Cloudy',
  fog: 'Fog',
  rain: 'Rain',
  storm: 'Thunderstorm',
  snow: 'Snow',
};

const sun = (cx: number, cy: number, r: number): SVGElement[] => [
  ...Array.from({ length: 8 }, (_, index) =>
    svg('path', {
      d: `M${cx} ${cy - r - 5}v-5`,
      stroke: '#ffc94d',
      'stroke-width': 3.4,
      'stroke-linecap': 'round',
      transform: `rotate(${index * 45} ${cx} ${cy})`,
    }),
  ),
  svg('circle', { cx, cy, r, fill: '#ffc94d' }),
];

const cloud = (fill: string, y = 0): SVGElement =>
  svg('path', {
    d: 'M20 48a11 11 0 0 1 1.6-21.9A15 15 0 0 1 50 27a10.6 10.6 0 0 1-2 21z',
    transform: `translate(0 ${y})`,
    fill,
  });

const strokes = (paths: string[], stroke: string): SVGElement[] =>
  paths.map((d) => svg('path', { d, stroke, 'stroke-width': 3.2, 'stroke-linecap': 'round', fill: 'none' }));

const pictures: Record<Condition, () => SVGElement[]> = {
  clear: () => sun(32, 32, 13),
  'partly-cloudy': () => [...sun(42, 21, 9), cloud('#dfe8f2')],
  cloudy: () => [cloud('#a9b8c9', -8), cloud('#dfe8f2', 2)],
  fog: () => [cloud('#c3cedb', -8), ...strokes(['M12 46h40', 'M18 54h28'], '#c3cedb')],
  rain: () => [cloud('#b9c9da', -8), ...strokes(['M22 46l-3 9', 'M34 46l-3 9', 'M46 46l-3 9'], '#5eb0ff')],
  storm: () => [
    cloud('#b6b4d0', -8),
    svg('path', { d: 'M35 39l-9 12h7l-3 10 11-14h-7l4-8z', fill: '#ffc94d' }),
  ],
  snow: () => [
    cloud('#c6d6e6', -8),
    ...[
      [20, 48],
      [32, 53],
      [44, 48],
    ].map(([cx = 0, cy = 0]) => svg('circle', { cx, cy, r: 2.8, fill: '#9fd0ff' })),
  ],
};

/** Draws a condition; the words beside it carry the meaning, so the picture is hidden from assistive technology. */
export const toSkyPicture = (condition: Condition): SVGElement =>
  svg('svg', { viewBox: '0 0 64 64', 'aria-hidden': 'true' }, ...pictures[condition]());
