import { getOwnPropertyDescriptor, indexOf, lastIndexOf, slice } from './natives.js';

/** Where code of the page stands, counted from 1. */
interface Place {
  readonly sourceFile?: string;
  readonly line?: number;
  readonly column?: number;
}

/** Not in every browser. */
const { captureStackTrace } = Error as { captureStackTrace?(target: object, below: object): void };

/** A stack is put together by the guest if it wants that, and is not read then. */
export const isStackNative = (): boolean =>
  getOwnPropertyDescriptor(Error, 'prepareStackTrace') === undefined;

/** The place that called a wrapped function, where the browser tells. */
export const readPlace = (marker: (...args: never[]) => unknown): Place => {
  if (!captureStackTrace || !isStackNative()) return {};
  const traced: { stack?: string } = {};
  captureStackTrace(traced, marker);
  const { stack } = traced;
  if (typeof stack !== 'string') return {};
  const start = indexOf(stack, '\n    at ');
  if (start < 0) return {};
  const end = indexOf(stack, '\n', start + 1);
  const frame = slice(stack, start + 8, end < 0 ? stack.length : end);
  // "name (address:1:2)" or "address:1:2".
  const open = lastIndexOf(frame, '(');
  const place = slice(frame, open + 1, open < 0 ? frame.length : -1);
  const column = lastIndexOf(place, ':');
  const line = lastIndexOf(place, ':', column - 1);
  if (line < 1) return {};
  const query = indexOf(place, '?');
  const sourceFile = slice(place, 0, query < 0 || query > line ? line : query);
  return {
    // A script that stands in the page itself has no file.
    ...(sourceFile === '<anonymous>' ? {} : { sourceFile }),
    line: Number(slice(place, line + 1, column)),
    column: Number(slice(place, column + 1)),
  };
};
