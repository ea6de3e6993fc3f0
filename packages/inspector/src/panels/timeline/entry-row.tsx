import type { RecordingEntry } from '@casement/protocol';
import { isRecord } from '@casement/protocol/start';
import { memo } from 'react';
import { toJsonSize } from './search-text.js';
import { toByteSize, toDuration } from '../../parts/quantity.js';
import { toClock, toRelative } from './entry-time.js';
import type { TimelineRow } from './timeline-row.js';
import { isMessageKind, toLabel, toLatency, toRoute } from './timeline-row.js';

/** The height of every row, in pixels: known heights are what makes scrolling cheap. */
export const rowHeight = 44;

interface RowProps {
  readonly row: TimelineRow;
  readonly reply: TimelineRow | undefined;
  readonly start: number;
  readonly top: number;
  readonly index: number;
  readonly count: number;
  readonly id: string;
  readonly isSelected: boolean;
  onOpen(key: string, hasFocus: boolean): void;
}

const sizes = new WeakMap<RecordingEntry, string>();

/** About how many bytes the entry's message has, in words, counted when it is first shown. */
export const toEntrySize = (entry: RecordingEntry): string => {
  const known = sizes.get(entry);
  if (known !== undefined) return known;
  const { bytes, isWhole } = toJsonSize(entry.raw);
  const text = `${isWhole ? '' : 'over '}${toByteSize(bytes)}`;
  sizes.set(entry, text);
  return text;
};

const toFigures = (row: TimelineRow): string => {
  const latency = toLatency(row);
  const time = latency === undefined ? '' : toDuration(latency);
  const waiting = row.entry.kind === 'request' && !row.reply ? 'no reply' : '';
  return [time || waiting, isMessageKind(row.entry.kind) ? toEntrySize(row.entry) : '']
    .filter((part) => part !== '')
    .join(' · ');
};

const arrows = { in: '→', out: '←', none: '' } as const;

/** The word that tells a reply or an event from the request of the same name. */
const toPrefix = ({ entry: { kind, raw } }: TimelineRow): string => {
  if (kind === 'response') return 'reply ';
  return isMessageKind(kind) || !isRecord(raw) || typeof raw.method !== 'string' ? '' : `${kind} `;
};

const Route = ({ entry }: { entry: RecordingEntry }) => (
  <span className="entry-route" data-leg={entry.leg}>
    <span aria-hidden="true">
      {entry.leg === 'none' ? 'host' : entry.leg} {arrows[entry.dir]}
    </span>
    <span className="unseen">{toRoute(entry)}</span>
  </span>
);

const EntryRowView = ({ row, start, top, index, count, id, isSelected, onOpen }: RowProps) => {
  const { entry, code, summary } = row;
  return (
    <div
      role="option"
      id={id}
      className="entry"
      aria-selected={isSelected}
      aria-setsize={count}
      aria-posinset={index + 1}
      data-kind={entry.kind}
      data-problem={row.isProblem}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => onOpen(row.key, false)}
    >
      <Route entry={entry} />
      <span className="entry-label">
        <span className="entry-prefix">{toPrefix(row)}</span>
        {toLabel(row)}
      </span>
      <span className="entry-figures">{toFigures(row)}</span>
      <time title={toClock(entry.t)}>{toRelative(entry.t, start)}</time>
      <span className="entry-summary">
        {code !== undefined && <code>{code}</code>} {summary}
      </span>
    </div>
  );
};

/** One entry on two lines: who said what and how long it took, then when and what about. */
export const EntryRow = memo(EntryRowView);
