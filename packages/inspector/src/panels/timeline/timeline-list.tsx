import type { KeyboardEvent, RefObject } from 'react';
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useRowWindow } from '../../parts/use-row-window.js';
import { EntryRow, rowHeight } from './entry-row.js';
import type { TimelineRow } from './timeline-row.js';
import type { TimelineView } from './timeline-store.js';

interface ListProps {
  readonly view: TimelineView;
  readonly selected: string | undefined;
  onSelect(key?: string): void;
  /** Shows the detail, with the keyboard in it when asked for by a key. */
  onOpen(key: string, hasFocus: boolean): void;
  onEscape(): void;
  readonly listRef: RefObject<HTMLDivElement | null>;
}

const toTarget = (key: string, index: number, last: number, page: number): number | undefined => {
  const moves: Record<string, number> = {
    ArrowDown: index + 1,
    // Without a selection the arrows begin at the end the list is read from: the newest.
    ArrowUp: index < 0 ? last : index - 1,
    PageDown: index + page,
    PageUp: index - page,
    Home: 0,
    End: last,
  };
  const target = moves[key];
  return target === undefined ? undefined : Math.min(Math.max(target, 0), last);
};

/** The rows, as many as fit; stays at the newest entry until the user looks further up. */
export const TimelineList = ({ view, selected, onSelect, onOpen, onEscape, listRef }: ListProps) => {
  const { rows, start } = view;
  const id = useId();
  const follows = useRef(true);
  const [isFollowing, setFollowing] = useState(true);
  const { indices, height, look, show } = useRowWindow(listRef, {
    count: rows.length,
    rowHeight,
    margin: 8,
  });
  const index = useMemo(
    () => (selected === undefined ? -1 : rows.findIndex(({ key }) => key === selected)),
    [rows, selected],
  );

  const follow = (): void => {
    follows.current = true;
    listRef.current?.scrollTo({ top: listRef.current.scrollHeight });
    look();
  };
  /** The row at the upper edge of what is in sight, and whether the selected one is. */
  const edge = useRef<TimelineRow>(undefined);
  const isSelectedSeen = useRef(false);
  const notePlace = ({ scrollTop, clientHeight }: HTMLElement): void => {
    edge.current = rows[Math.floor(scrollTop / rowHeight)];
    const top = index * rowHeight;
    isSelectedSeen.current = index >= 0 && top > scrollTop - rowHeight && top < scrollTop + clientHeight;
  };
  const onScroll = (): void => {
    const list = listRef.current;
    if (!list) return;
    follows.current = list.scrollHeight - list.scrollTop - list.clientHeight < rowHeight;
    setFollowing(follows.current);
    notePlace(list);
  };
  useLayoutEffect(() => {
    const list = listRef.current;
    if (follows.current || !list) return follow();
    // Rows that came or went above leave what is being read where it is.
    const place = edge.current ? rows.indexOf(edge.current) : -1;
    if (place >= 0) list.scrollTop = place * rowHeight + (list.scrollTop % rowHeight);
    notePlace(list);
    look();
  }, [rows]);
  const isListed = index >= 0;
  const settle = (): void => {
    if (follows.current) follow();
    else if (isListed) show(index);
    if (listRef.current) notePlace(listRef.current);
  };
  useEffect(() => {
    // Who looks at an entry wants it to stay, whatever comes in below.
    if (isListed && index < rows.length - 1) follows.current = false;
    settle();
    // Only a new selection moves the list, not the entries that come in around it.
  }, [selected, isListed]);
  const onResize = useRef(settle);
  onResize.current = () => {
    // Who has scrolled away from the selected entry does not want it back.
    if (follows.current || isSelectedSeen.current) settle();
  };
  useEffect(() => {
    // Shown after being hidden, or made smaller by the detail.
    const observer = new ResizeObserver(() => onResize.current());
    if (listRef.current) observer.observe(listRef.current);
    return () => observer.disconnect();
  }, []);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Enter' && selected !== undefined) onOpen(selected, true);
    else if (event.key === 'Escape') onEscape();
    else {
      const page = Math.floor((listRef.current?.clientHeight ?? 0) / rowHeight);
      const target = toTarget(event.key, index, rows.length - 1, page);
      const row = target === undefined ? undefined : rows[target];
      if (!row) return;
      onSelect(row.key);
    }
    event.preventDefault();
  };

  const isDrawn = indices.includes(index);
  return (
    <div className="timeline-frame">
      <div
        ref={listRef}
        className="timeline-list"
        tabIndex={0}
        {...(rows.length > 0 ? { role: 'listbox' } : { role: 'group' })}
        aria-label="Entries"
        aria-activedescendant={isDrawn ? `${id}-${index}` : undefined}
        onKeyDown={onKeyDown}
        onScroll={onScroll}
      >
        <div role="presentation" className="timeline-rows" style={{ height }}>
          {indices.map((at) => {
            const row = rows[at];
            if (!row) return null;
            const place = { top: at * rowHeight, index: at, count: rows.length, id: `${id}-${at}` };
            const shared = { row, start, ...place };
            // The reply arrives later and changes what the row of the request says.
            return (
              <EntryRow
                key={row.key}
                {...shared}
                reply={row.reply}
                isSelected={at === index}
                onOpen={onOpen}
              />
            );
          })}
        </div>
        {view.isRead && rows.length === 0 && (
          <p className="timeline-empty">
            {view.total === 0 ? 'Nothing has happened yet. Run a tool.' : 'No entry fits this filter.'}
          </p>
        )}
      </div>
      {!isFollowing && rows.length > 0 && (
        <button type="button" className="timeline-newest small-button" onClick={follow}>
          Newest ↓
        </button>
      )}
    </div>
  );
};
