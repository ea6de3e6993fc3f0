import type { AppEvidence, ShownValue } from '@casement/protocol';
import type { EvidenceQueue } from '../evidence-queue.js';
import { readPlace } from './code-place.js';
import type { Call } from './natives.js';
import { readNow, watchCalls } from './natives.js';
import { toShown } from './show-value.js';

type Line = AppEvidence & { readonly kind: 'console' };

const methods = ['debug', 'log', 'info', 'warn', 'error', 'assert', 'trace', 'dir', 'table'] as const;

const toLevel = (method: (typeof methods)[number]): Line['level'] => {
  if (method === 'assert') return 'error';
  return method === 'trace' || method === 'dir' || method === 'table' ? 'log' : method;
};

const MAX_VALUES = 10;
/** Of one line. */
const MAX_NODES = 60;
const MAX_CHARACTERS = 4000;
/** What looking at values may take of each 100 ms of the page's thread. */
const MAX_MS = 10;
const WINDOW_MS = 100;

/** Reports what the app writes on the console; a line like the last one is counted. */
export const watchConsole = ({ add, hasRoom }: EvidenceQueue): void => {
  let last:
    | { level: Line['level']; args: readonly unknown[]; line: { count?: number }; batch: readonly object[] }
    | undefined;
  let spent = 0;
  let windowEnd = 0;

  const isLast = (level: Line['level'], args: readonly unknown[]): boolean => {
    if (!last || last.level !== level || last.args.length !== args.length) return false;
    for (let index = 0; index < args.length; index += 1) {
      const value = args[index];
      // An object may have changed since.
      if (value !== last.args[index] || Object(value) === value) return false;
    }
    return true;
  };
  const toValues = (args: readonly unknown[], from: number): ShownValue[] => {
    const start = readNow();
    if (start > windowEnd) {
      windowEnd = start + WINDOW_MS;
      spent = 0;
    }
    const room = { nodes: MAX_NODES, characters: MAX_CHARACTERS, until: start + MAX_MS - spent };
    const values: ShownValue[] = [];
    for (let index = from; index < args.length && values.length < MAX_VALUES; index += 1)
      values[values.length] = toShown(args[index], room);
    spent += readNow() - start;
    return values;
  };

  // This runs before the guest can replace what a loop uses.
  for (const method of methods) {
    const level = toLevel(method);
    const isAssert = method === 'assert';
    watchCalls(console, method, ({ args, marker }: Call) => {
      if (isAssert && args[0]) return;
      if (last && last.batch.length > 0 && isLast(level, args)) {
        last.line.count = (last.line.count ?? 1) + 1;
        return;
      }
      if (!hasRoom('console')) return;
      const line: Omit<Line, 'at' | 'count'> & { count?: number } = {
        kind: 'console',
        level,
        values: toValues(args, isAssert ? 1 : 0),
        ...readPlace(marker),
      };
      const batch = add(line);
      last = batch && { level, args, line, batch };
    });
  }
};
