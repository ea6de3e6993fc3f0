import type { RecordingEntry } from '@casement/protocol';
import type { RefObject } from 'react';
import { useMemo, useState } from 'react';
import { downloadRecording } from './export-recording.js';
import { kinds, legs, parseQuery, problemTerm, toggleTerm, toLegTerm, withKind } from './timeline-query.js';

interface ToolbarProps {
  readonly query: string;
  onQueryChange(query: string): void;
  readonly shown: number;
  readonly total: number;
  /** How many older entries made room. */
  readonly evicted: number;
  readonly isBusy: boolean;
  entries(): readonly RecordingEntry[];
  readonly searchRef: RefObject<HTMLInputElement | null>;
}

const legNames = { app: 'App', server: 'Server', host: 'Host' } as const;

const toNumber = (count: number): string => count.toLocaleString('en');

/** Search, filters, the count and the export of the timeline; the buttons only edit the query. */
export const TimelineToolbar = (props: ToolbarProps) => {
  const { query, onQueryChange, shown, total, evicted, isBusy, entries, searchRef } = props;
  const filter = useMemo(() => parseQuery(query), [query]);
  const [isExporting, setExporting] = useState(false);
  const [kind = ''] = filter.kinds.size === 1 ? filter.kinds : [];

  const save = (): void => {
    setExporting(true);
    void downloadRecording(entries()).finally(() => setExporting(false));
  };

  return (
    <div className="timeline-toolbar" role="search" aria-label="Timeline">
      <div className="timeline-search">
        <input
          ref={searchRef}
          type="search"
          value={query}
          placeholder="Search or leg:app kind:request is:problem"
          aria-label="Search timeline"
          aria-keyshortcuts="/"
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => onQueryChange(event.target.value)}
        />
        <button type="button" className="small-button" onClick={save} disabled={isExporting || total === 0}>
          Export<span className="wide-only"> JSONL</span>
        </button>
      </div>
      <div className="timeline-filters">
        <div className="toggle-group" role="group" aria-label="Leg">
          {legs.map((leg) => (
            <button
              key={leg}
              type="button"
              data-leg={leg}
              aria-pressed={filter.legs.has(leg)}
              onClick={() => onQueryChange(toggleTerm(query, toLegTerm(leg)))}
            >
              {legNames[leg]}
            </button>
          ))}
        </div>
        <select
          aria-label="Kind"
          value={kind}
          onChange={(event) => onQueryChange(withKind(query, event.target.value))}
        >
          <option value="">{filter.kinds.size > 1 ? 'several kinds' : 'every kind'}</option>
          {kinds.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
        <button
          type="button"
          className="toggle"
          aria-pressed={filter.onlyProblems}
          onClick={() => onQueryChange(toggleTerm(query, problemTerm))}
        >
          Problems
        </button>
        <p className="timeline-count" role="status" data-busy={isBusy}>
          {shown === total ? toNumber(total) : `${toNumber(shown)} of ${toNumber(total)}`}
          <span className="wide-only"> entries</span>
          {evicted > 0 && `, ${toNumber(evicted)} older ones made room`}
        </p>
      </div>
    </div>
  );
};
