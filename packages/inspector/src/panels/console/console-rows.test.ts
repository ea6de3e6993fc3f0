import type { AppEvidence, EvidenceLog } from '@casement/protocol';
import { describe, expect, it } from 'vitest';
import type { ConsoleLevel } from './console-rows.js';
import { countLevels, toConsoleMatcher, toConsoleRows, toLoadRows } from './console-rows.js';

const toLog = (...items: AppEvidence[]): EvidenceLog => ({ mode: 'full', items, left: 0 });
const line = (at: number, level: ConsoleLevel, text: string, count?: number): AppEvidence => ({
  kind: 'console',
  at,
  level,
  values: [{ type: 'string', text }],
  ...(count === undefined ? {} : { count }),
});
const evidence = toLog(
  line(20, 'log', 'Weather loaded', 3),
  { kind: 'painted', at: 25 },
  line(30, 'warn', 'Slow'),
  {
    kind: 'console',
    at: 40,
    level: 'info',
    values: [{ type: 'object', text: 'Object', members: [['city', { type: 'string', text: 'Kyoto' }]] }],
    sourceFile: 'https://a.example/app.js',
    line: 7,
  },
);
const scriptErrors = [{ message: 'Uncaught TypeError: x', line: 3, at: 35, stack: 'at f' }];
const rows = toConsoleRows({ evidence, scriptErrors });
const texts = (filter: Parameters<typeof toConsoleMatcher>[0]) =>
  rows.filter(toConsoleMatcher(filter)).map(({ values }) => values[0]?.text);

describe('the rows of the console', () => {
  it('are what was written and what nothing caught, by time', () => {
    expect(rows.map(({ level, at, count }) => [level, at, count])).toEqual([
      ['log', 20, 3],
      ['warn', 30, 1],
      ['error', 35, 1],
      ['info', 40, 1],
    ]);
    expect(rows[2]).toMatchObject({ place: { line: 3 }, stack: 'at f' });
    expect(new Set(rows.map(({ key }) => key)).size).toBe(4);
  });

  it('stay the very same while others come and go, so that a flood draws nothing twice', () => {
    const [first, second, third] = [line(1, 'log', 'a'), line(2, 'log', 'b'), line(3, 'log', 'c')];
    const of = (...items: AppEvidence[]) => toConsoleRows({ evidence: toLog(...items), scriptErrors: [] });
    const before = of(first, second);
    expect(of(second, third)[0]).toBe(before[1]);
    expect(new Set([...before, ...of(second, third)].map(({ key }) => key)).size).toBe(3);
  });

  it('are there for an app of which nothing was collected', () => {
    expect(
      toConsoleRows({ evidence: { mode: 'none', items: [], left: 0 }, scriptErrors: [{ message: 'm' }] }),
    ).toHaveLength(1);
  });

  it('are filtered by level, by words in any case, and by what is inside of objects', () => {
    expect(texts({ levels: new Set(), text: '' })).toHaveLength(4);
    expect(texts({ levels: new Set(['warn', 'error']), text: '' })).toEqual([
      'Slow',
      'Uncaught TypeError: x',
    ]);
    expect(texts({ levels: new Set(), text: 'WEATHER' })).toEqual(['Weather loaded']);
    expect(texts({ levels: new Set(), text: 'city kyoto' })).toEqual(['Object']);
    expect(texts({ levels: new Set(), text: 'app.js' })).toEqual(['Object']);
    expect(texts({ levels: new Set(['log']), text: 'kyoto' })).toEqual([]);
  });

  it('are counted with their repeats', () => {
    expect(Object.fromEntries(countLevels(rows))).toEqual({ log: 3, warn: 1, error: 1, info: 1 });
  });

  it('of values in values without end are searched only so far', () => {
    let deep: AppEvidence = line(1, 'log', 'needle');
    for (let index = 0; index < 20_000; index++)
      deep = {
        kind: 'console',
        at: 1,
        level: 'log',
        values: [
          {
            type: 'object',
            text: '',
            members: [
              [
                'x',
                deep.kind === 'console'
                  ? (deep.values[0] ?? { type: 'null', text: 'null' })
                  : { type: 'null', text: 'null' },
              ],
            ],
          },
        ],
      };
    const found = toConsoleRows({ evidence: toLog(deep), scriptErrors: [] }).filter(
      toConsoleMatcher({ levels: new Set(), text: 'needle' }),
    );
    expect(found).toEqual([]);
  });
});

describe('the loads that failed', () => {
  it('are told once each, with the status where the browser says it', () => {
    const url = 'https://cdn.example/lib.js';
    const failed = { kind: 'load-failed', at: 1, url, element: 'script' } as const;
    const image = {
      kind: 'load-failed',
      at: 2,
      url: 'https://a.example/x.png',
      element: 'img',
      status: 404,
    } as const;
    expect(toLoadRows({ evidence: toLog(failed, failed, image) })).toMatchObject([
      { url, element: 'script', status: 'the browser does not say why' },
      { element: 'img', status: 'status 404' },
    ]);
    expect(toLoadRows({ evidence: toLog() })).toEqual([]);
  });
});
