import { useState, type KeyboardEvent } from 'react';

/** Keys and attributes of a list with one focus stop, whose active item the arrow keys move. */
export interface RovingList {
  active: number;
  setActive(index: number): void;
  onKeyDown(event: KeyboardEvent): void;
}

const pageSize = 10;

/** Keeps the active item of a listbox; Enter and Space choose it. */
export const useRovingList = (
  count: number,
  selected: number,
  onChoose: (index: number) => void,
): RovingList => {
  const [moved, setMoved] = useState<{ to: number; from: number }>();
  // A new selection takes the active item along; until then the arrow keys lead.
  const wanted = moved && moved.from === selected ? moved.to : selected;
  const active = Math.min(Math.max(wanted, 0), count - 1);
  const setActive = (index: number): void =>
    setMoved({ to: Math.min(Math.max(index, 0), count - 1), from: selected });
  const targets: Record<string, number> = {
    ArrowDown: active + 1,
    ArrowUp: active - 1,
    Home: 0,
    End: count - 1,
    PageDown: active + pageSize,
    PageUp: active - pageSize,
  };
  return {
    active,
    setActive,
    onKeyDown: (event) => {
      const target = targets[event.key];
      if (target !== undefined) setActive(target);
      else if ((event.key === 'Enter' || event.key === ' ') && active >= 0) onChoose(active);
      else return;
      event.preventDefault();
    },
  };
};
