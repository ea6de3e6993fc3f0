import { toPrintable } from '@casement/protocol/basics';
import { useEffect, useRef } from 'react';
import { ToolName } from '../calls/tool-source.js';
import type { Commands } from './use-commands.js';
import { useWords } from '../host/use-words.js';

/** The tools a slash may mean; the focus stays in the field, which says which one is meant. */
export const CommandList = ({
  commands: { id, found, active, toOptionId, pick },
}: {
  readonly commands: Commands;
}) => {
  const words = useWords();
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // Newer browsers give back a promise, which is no end of an effect.
    void list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  if (!found) return null;
  if (found.length === 0) return <p className="casement-commands casement-note">{words.noCommands}</p>;
  return (
    <ul ref={list} id={id} className="casement-commands" role="listbox" aria-label={words.commands}>
      {found.map((offered, index) => (
        <li
          key={offered.name}
          id={toOptionId(index)}
          role="option"
          aria-selected={index === active}
          // A press would take the focus out of the field.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => pick(offered)}
        >
          <ToolName source={offered.source} name={offered.name} />
          {offered.tool.description !== undefined && (
            <span className="casement-note">{toPrintable(offered.tool.description, 160)}</span>
          )}
        </li>
      ))}
    </ul>
  );
};
