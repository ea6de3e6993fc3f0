import { describe, expect, it } from 'vitest';
import type { DrawnApp } from './drawing-facts.js';
import { toDrawingFacts, toSizeHistory } from './drawing-facts.js';

const started = 1_000;
const layout = { kind: 'layout', width: 600, contentHeight: 300, boxes: 4 } as const;

const toApp = (
  items: DrawnApp['evidence']['items'],
  sizes: DrawnApp['sizes'] = [],
  mode: DrawnApp['evidence']['mode'] = 'full',
): DrawnApp => ({ evidence: { mode, items, left: 0 }, times: { started }, sizes });

describe('what is said of the drawing of an app', () => {
  it('is when it drew first, how large its content is and how long its scripts ran', () => {
    const app = toApp([
      { kind: 'painted', at: 1_320 },
      { kind: 'long-task', at: 1_400, ms: 60 },
      { kind: 'long-task', at: 1_500, ms: 210 },
      { ...layout, at: 1_600, contentWidth: 600 },
    ]);
    expect(toDrawingFacts(app)).toEqual([
      ['First content', 'after 320 ms'],
      ['Content', '600 × 300 px in a frame 600 px wide: it fits'],
      ['Long tasks', '2, the longest 210 ms, together 270 ms'],
    ]);
  });

  it('names what is wider than the frame, and what did not come yet', () => {
    const facts = new Map(toDrawingFacts(toApp([{ ...layout, at: 1_600, contentWidth: 640 }])));
    expect(facts.get('First content')).toBe('nothing was drawn yet');
    expect(facts.get('Content')).toBe(
      '640 × 300 px in a frame 600 px wide: 40 px are out of sight to the side',
    );
    expect(facts.get('Long tasks')).toBe('none of more than 50 ms');
  });

  it('is nothing where nobody looked', () => {
    expect(toDrawingFacts(toApp([], [], 'errors'))).toEqual([]);
  });
});

describe('the sizes of an app', () => {
  it('are those it had and those it asked for, by time', () => {
    const app = toApp(
      [
        { ...layout, at: 1_100, contentWidth: 600 },
        { ...layout, at: 3_000, contentWidth: 600, contentHeight: 420 },
      ],
      [{ at: 2_000, height: 420 }],
    );
    expect(toSizeHistory(app)).toEqual([
      'after 100 ms: the content is 600 × 300 px, the frame 600 px wide',
      'after 1.00 s: the app asks for a height of 420 px',
      'after 2.00 s: the content is 600 × 420 px, the frame 600 px wide',
    ]);
  });
});
