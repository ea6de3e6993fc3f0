import { toPrintable } from '@casement/protocol/basics';
import { isRecord } from '@casement/protocol/start';
import type { KeyboardEvent, RefObject } from 'react';
import { JsonText } from '../../parts/json-text.js';
import type { Fact } from '../../parts/section.js';
import { Facts } from '../../parts/section.js';
import { toEntrySize } from './entry-row.js';
import { toDuration } from '../../parts/quantity.js';
import { toClock, toRelative } from './entry-time.js';
import type { TimelineRow } from './timeline-row.js';
import { toLabel, toLatency, toRoute } from './timeline-row.js';

interface DetailProps {
  readonly row: TimelineRow;
  readonly start: number;
  /** False when the filter hides the entry. */
  readonly isListed: boolean;
  onJump(key: string): void;
  onShow(): void;
  onClose(): void;
  readonly detailRef: RefObject<HTMLElement | null>;
}

const toFacts = (row: TimelineRow, start: number): Fact[] => {
  const { entry } = row;
  const latency = toLatency(row);
  const id: unknown = isRecord(entry.raw) ? entry.raw.id : undefined;
  const facts: (Fact | false)[] = [
    ['Time', `${toClock(entry.t)} (${toRelative(entry.t, start)} s)`],
    ['Kind', entry.kind],
    ['Way', toRoute(entry)],
    latency !== undefined && ['Latency', toDuration(latency)],
    ['Size', toEntrySize(entry)],
    id !== undefined && ['Id', toPrintable(JSON.stringify(id), 80)],
    row.code !== undefined && ['Code', <code key="code">{row.code}</code>],
    ['Number', `${entry.seq} of the ${entry.writer}`],
    ['Session', `${toPrintable(entry.session, 80)}, epoch ${entry.epoch}`],
  ];
  return facts.filter((fact) => fact !== false);
};

/** Everything known about one entry. */
export const EntryDetail = ({ row, start, isListed, onJump, onShow, onClose, detailRef }: DetailProps) => {
  const { entry, reply, request } = row;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    onClose();
  };
  return (
    <section
      ref={detailRef}
      className="entry-detail"
      aria-label="Selected entry"
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <header>
        <h3>
          {entry.kind === 'response' && 'Reply to '}
          {toLabel(row)}
        </h3>
        {reply && (
          <button type="button" className="small-button" onClick={() => onJump(reply.key)}>
            Go to reply
          </button>
        )}
        {request && (
          <button type="button" className="small-button" onClick={() => onJump(request.key)}>
            Go to request
          </button>
        )}
        <button type="button" className="small-button" onClick={onClose} aria-label="Close detail">
          ✕
        </button>
      </header>
      {!isListed && (
        <p className="panel-note">
          The filter hides this entry.{' '}
          <button type="button" className="small-button" onClick={onShow}>
            Clear filter
          </button>
        </p>
      )}
      {row.summary !== '' && (
        <p className="entry-sentence" data-problem={row.isProblem}>
          {row.summary}
        </p>
      )}
      <Facts rows={toFacts(row, start)} />
      <JsonText key={row.key} value={entry.raw} name="Message" />
      {entry.normalised !== undefined && (
        <JsonText key={`${row.key}+`} value={entry.normalised} name="As understood" />
      )}
    </section>
  );
};
