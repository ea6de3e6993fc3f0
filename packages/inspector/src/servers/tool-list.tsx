import { useEffect, useImperativeHandle, useRef, type Ref } from 'react';
import { toPrintable } from '@casement/protocol/basics';
import { familyNames, type ListedTool } from './tool-order.js';
import { useRovingList } from '../parts/use-roving-list.js';
import { useRowWindow } from '../parts/use-row-window.js';

interface ToolListProps {
  ref: Ref<HTMLDivElement>;
  tools: readonly ListedTool[];
  selected: string | undefined;
  onChoose(index: number): void;
}

const rowHeight = 30;

/** The list itself: only the rows in sight exist, so that thousands of tools cost no more than a few. */
export const ToolList = ({ ref, tools, selected, onChoose }: ToolListProps) => {
  const scroller = useRef<HTMLDivElement>(null);
  useImperativeHandle<HTMLDivElement | null, HTMLDivElement | null>(ref, () => scroller.current, []);
  const at = tools.findIndex(({ tool }) => tool.name === selected);
  const list = useRovingList(tools.length, at, onChoose);
  const { indices, height, show } = useRowWindow(scroller, { count: tools.length, rowHeight, margin: 12 });
  // Only what exists may be pointed at.
  const isDrawn = indices.includes(list.active);
  useEffect(() => {
    if (list.active >= 0) show(list.active);
  }, [show, list.active]);
  return (
    <div
      ref={scroller}
      className="tool-list"
      role="listbox"
      aria-labelledby="tools-title"
      tabIndex={0}
      aria-activedescendant={isDrawn ? `tool-${list.active}` : undefined}
      onKeyDown={list.onKeyDown}
    >
      <div role="presentation" className="rows" style={{ height }}>
        {indices.map((index) => {
          const row = tools[index];
          return (
            row && (
              <div
                key={row.tool.name}
                id={`tool-${index}`}
                role="option"
                aria-selected={index === at}
                aria-setsize={tools.length}
                aria-posinset={index + 1}
                data-active={index === list.active || undefined}
                title={row.tool.title}
                style={{ height: rowHeight, transform: `translateY(${index * rowHeight}px)` }}
                onClick={() => onChoose(index)}
              >
                <span className="name">{toPrintable(row.tool.name, 120)}</span>
                {row.appOnly && <span className="badge plain">app-only</span>}
                {row.family && (
                  <span className="badge" data-broken={row.isBroken || undefined}>
                    {familyNames[row.family]}
                    {row.isBroken && ', broken'}
                  </span>
                )}
              </div>
            )
          );
        })}
      </div>
    </div>
  );
};
