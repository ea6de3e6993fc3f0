import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { EntryDetail } from './entry-detail.js';
import { TimelineList } from './timeline-list.js';
import type { RecordingSource } from './timeline-store.js';
import { createTimelineStore } from './timeline-store.js';
import { TimelineToolbar } from './timeline-toolbar.js';

/** What the timeline needs; query and selection belong to the page, so that its address can carry them. */
interface TimelinePanelProps {
  /** The same object as long as it is the same recording. */
  readonly recording: RecordingSource;
  readonly query: string;
  onQueryChange(query: string): void;
  readonly selected?: string | undefined;
  onSelect(key?: string): void;
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select, [role="textbox"]'));

/** The Timeline tab: every message between app, host and server, and what the host did. */
export const TimelinePanel = ({
  recording,
  query,
  onQueryChange,
  selected,
  onSelect,
}: TimelinePanelProps) => {
  // The query of the first render spares a pass; later ones are told to the store.
  const store = useMemo(() => createTimelineStore(recording, query), [recording]);
  const view = useSyncExternalStore(store.subscribe, store.getSnapshot);
  const [isOpen, setOpen] = useState(selected !== undefined);
  const search = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const detail = useRef<HTMLElement>(null);

  useEffect(() => store.setQuery(query), [store, query]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target) || !search.current?.checkVisibility()) return;
      event.preventDefault();
      search.current.focus();
      search.current.select();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);

  const row = useMemo(
    () => (selected === undefined ? undefined : store.find(selected)),
    [store, selected, view],
  );
  const isListed = useMemo(() => row !== undefined && view.rows.includes(row), [row, view]);

  const close = (): void => {
    setOpen(false);
    list.current?.focus();
  };
  const openDetail = useCallback(
    (key: string, hasFocus: boolean): void => {
      onSelect(key);
      setOpen(true);
      // The detail exists after the next render.
      if (hasFocus) requestAnimationFrame(() => detail.current?.focus());
    },
    [onSelect],
  );
  // The other half may have made room for newer entries.
  const jump = (key: string): void => {
    if (store.find(key)) onSelect(key);
  };

  return (
    <div className="timeline panel-body">
      <h2 className="unseen">Timeline</h2>
      <TimelineToolbar
        query={query}
        onQueryChange={onQueryChange}
        shown={view.rows.length}
        total={view.total}
        evicted={view.evicted}
        isBusy={view.query !== query || !view.isWhole}
        entries={() => recording.entries()}
        searchRef={search}
      />
      <div className="timeline-split" data-detail={isOpen && row !== undefined}>
        <TimelineList
          view={view}
          selected={selected}
          onSelect={onSelect}
          onOpen={openDetail}
          onEscape={() => (isOpen ? setOpen(false) : onSelect(undefined))}
          listRef={list}
        />
        {isOpen && row && (
          <EntryDetail
            row={row}
            start={view.start}
            isListed={isListed}
            onJump={jump}
            onShow={() => onQueryChange('')}
            onClose={close}
            detailRef={detail}
          />
        )}
      </div>
    </div>
  );
};
