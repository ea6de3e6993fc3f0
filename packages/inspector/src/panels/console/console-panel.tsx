import './console.css';
import type { AppSnapshot } from '@casement/host';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Section } from '../../parts/section.js';
import type { ConsoleFilter, ConsoleLevel, ConsoleRow } from './console-rows.js';
import { consoleLevels, countLevels, toConsoleMatcher, toConsoleRows, toLoadRows } from './console-rows.js';
import { ConsoleLine } from './console-line.js';
import { LoadList } from './load-list.js';

/** More lines than this are never on the screen at once. */
const maxShown = 500;

const levelNames: Record<ConsoleLevel, string> = {
  debug: 'Debug',
  log: 'Log',
  info: 'Info',
  warn: 'Warnings',
  error: 'Errors',
};

const allLevels: ConsoleFilter = { levels: new Set(), text: '' };

const ConsoleFilters = ({
  filter,
  rows,
  shown,
  onChange,
}: {
  filter: ConsoleFilter;
  rows: readonly ConsoleRow[];
  shown: number;
  onChange(filter: ConsoleFilter): void;
}) => {
  const counts = useMemo(() => countLevels(rows), [rows]);
  const toggle = (level: ConsoleLevel): void => {
    const levels = new Set(filter.levels);
    if (!levels.delete(level)) levels.add(level);
    onChange({ ...filter, levels });
  };
  return (
    <div className="timeline-toolbar">
      <div className="timeline-search">
        <input
          type="search"
          aria-label="Search console"
          placeholder="Search console"
          value={filter.text}
          onChange={(event) => onChange({ ...filter, text: event.target.value.slice(0, 500) })}
        />
        <p className="timeline-count" role="status">
          {shown === rows.length ? rows.length : `${shown} of ${rows.length}`}
          {rows.length === 1 ? ' line' : ' lines'}
        </p>
      </div>
      <div className="timeline-filters">
        <div className="toggle-group" role="group" aria-label="Level">
          {consoleLevels.map((level) => (
            <button
              key={level}
              type="button"
              data-level={level}
              aria-pressed={filter.levels.has(level)}
              onClick={() => toggle(level)}
            >
              {levelNames[level]} {counts.get(level) ?? 0}
            </button>
          ))}
        </div>
      </div>
    </div>
  );
};

const toEmptyText = ({ mode }: AppSnapshot['evidence'], hasRows: boolean): string => {
  if (hasRows) return 'No line fits this filter.';
  if (mode === 'none') return 'Nothing is collected from this app.';
  return 'The app has written nothing to its console.';
};

const upKeys: ReadonlySet<string> = new Set(['ArrowUp', 'PageUp', 'Home']);

/**
 * The lines, the newest at the end, which stays in sight until the user looks further up. Where the list stands says
 * nothing of that: lines that make room, or are taller than they were thought to be, move it too.
 */
const ConsoleLines = ({ rows, empty }: { rows: readonly ConsoleRow[]; empty: string }) => {
  const list = useRef<HTMLOListElement>(null);
  const follows = useRef(true);
  const stay = (): void => {
    follows.current = false;
  };
  useLayoutEffect(() => {
    if (follows.current) list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [rows]);
  if (rows.length === 0) return <p className="panel-empty">{empty}</p>;
  const shown = rows.slice(-maxShown);
  return (
    <ol
      ref={list}
      className="console-lines"
      tabIndex={0}
      aria-label="Console of the app"
      onWheel={({ deltaY }) => deltaY < 0 && stay()}
      onKeyDown={({ key }) => upKeys.has(key) && stay()}
      onPointerDown={stay}
      onTouchMove={stay}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        if (scrollHeight - scrollTop - clientHeight < 40) follows.current = true;
      }}
    >
      {rows.length > maxShown && (
        <li className="quiet">{rows.length - maxShown} older lines are not shown.</li>
      )}
      {shown.map((row) => (
        <ConsoleLine key={row.key} row={row} />
      ))}
    </ol>
  );
};

const AppConsole = ({ evidence, scriptErrors }: Pick<AppSnapshot, 'evidence' | 'scriptErrors'>) => {
  const [filter, setFilter] = useState(allLevels);
  const rows = useMemo(() => toConsoleRows({ evidence, scriptErrors }), [evidence, scriptErrors]);
  const loads = useMemo(() => toLoadRows({ evidence }), [evidence]);
  const found = useMemo(() => rows.filter(toConsoleMatcher(filter)), [rows, filter]);
  return (
    <>
      {loads.length > 0 && (
        <Section title={`Failed loads (${loads.length})`}>
          <LoadList loads={loads} />
        </Section>
      )}
      <ConsoleFilters filter={filter} rows={rows} shown={found.length} onChange={setFilter} />
      <ConsoleLines rows={found} empty={toEmptyText(evidence, rows.length > 0)} />
      {evidence.left > 0 && (
        <p className="console-left">{evidence.left} more reports of the app were not kept.</p>
      )}
    </>
  );
};

/** The Console tab: what the app wrote, errors that nothing in it caught, and loads that failed; all by its own word. */
export const ConsolePanel = ({ snapshot }: { snapshot?: AppSnapshot | undefined }) => (
  <div className="console panel-body" role="group" aria-label="Console">
    <h2 className="unseen">Console</h2>
    {snapshot ? (
      <AppConsole evidence={snapshot.evidence} scriptErrors={snapshot.scriptErrors} />
    ) : (
      <p className="panel-empty">No app is shown. Run a tool that has one.</p>
    )}
  </div>
);
