import { toPrintable } from '@casement/protocol/basics';
import { memo } from 'react';
import { CodePlaceView } from './code-place.js';
import { Disclosure } from '../../parts/disclosure.js';
import type { ConsoleRow } from './console-rows.js';
import { ShownValueView } from './shown-value.js';

const levelWords: Record<ConsoleRow['level'], string> = {
  debug: 'debug',
  log: 'log',
  info: 'info',
  warn: 'warning',
  error: 'error',
};

const maxValues = 50;

const toClock = (at: number): string => new Date(at).toTimeString().slice(0, 8);

const ConsoleLineView = ({ row: { at, level, values, count, place, stack } }: { row: ConsoleRow }) => (
  <li className="console-line" data-level={level}>
    <span className="console-level">{levelWords[level]}</span>
    {count > 1 && (
      <span className="console-count" title={`${count} times in a row`}>
        ×{count}
      </span>
    )}
    <div className="console-values">
      {values.slice(0, maxValues).map((value, index) => (
        <ShownValueView key={index} value={value} />
      ))}
      {stack !== undefined && (
        <Disclosure title="Stack">
          <pre tabIndex={0} aria-label="Stack of the error">
            {toPrintable(stack, 4_000, { lines: 'keep' })}
          </pre>
        </Disclosure>
      )}
    </div>
    {at !== undefined && <time>{toClock(at)}</time>}
    <CodePlaceView place={place} />
  </li>
);

/** One line: its level, the values, how often it came, and where it was written. */
export const ConsoleLine = memo(ConsoleLineView);
