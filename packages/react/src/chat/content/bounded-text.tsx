import { shownLength, toTextPieces } from '@casement/host/questions';
import { toReadableJson } from '@casement/protocol/consents';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useWords } from '../host/use-words.js';

/** The props of a text. */
interface BoundedTextProps {
  readonly text: string;
  readonly name: string;
  /**
   * For a question: called when all of the text has been in sight. If it is given, a note says that the text is longer
   * than its box.
   */
  onSeen?(): void;
}

/**
 * Foreign text letter by letter; what would not be seen is written out (E09). Of a long one the beginning is shown, which
 * is said above it, with a button that shows all of it.
 */
export const BoundedText = ({ text, name, onSeen }: BoundedTextProps) => {
  const words = useWords();
  const place = useRef<HTMLPreElement>(null);
  const [isAll, setAll] = useState(false);
  const [isBeyond, setBeyond] = useState(false);
  const isCut = !isAll && text.length > shownLength;
  const pieces = useMemo(() => toTextPieces(isCut ? `${text.slice(0, shownLength)}…` : text), [text, isCut]);
  const look = (): void => {
    const { scrollTop = 0, clientHeight = 0, scrollHeight = 0 } = place.current ?? {};
    const isAtEnd = scrollTop + clientHeight >= scrollHeight - 4;
    if (!isCut && isAtEnd) onSeen?.();
    else setBeyond(!isAll);
  };
  // Each time: its place may have become wider or narrower.
  useLayoutEffect(() => (onSeen ? look() : undefined));
  return (
    <>
      {(isCut || (onSeen && isBeyond)) && (
        <p className="casement-cut">
          {words.cut(text.length)}{' '}
          <button
            type="button"
            className="casement-button"
            onClick={() => {
              setAll(true);
              setBeyond(false);
              place.current?.focus();
            }}
          >
            {words.showAll}
          </button>
        </p>
      )}
      <pre
        ref={place}
        className={isAll ? 'casement-values casement-whole' : 'casement-values'}
        // A region that scrolls has to be reachable by keyboard, and have a name.
        {...(isLong(text) || isAll ? { tabIndex: 0 } : {})}
        role="group"
        aria-label={name}
        onScroll={onSeen && look}
      >
        {pieces.length < 2 ? pieces : pieces.map((piece, index) => <span key={index}>{piece}</span>)}
      </pre>
    </>
  );
};

/** Whether it may scroll in the narrowest place it has; what does not is no stop for the keyboard. */
const isLong = (text: string): boolean => text.length > 250 || text.split('\n', 8).length > 7;

/** A value as indented JSON. */
export const JsonText = ({
  value,
  ...more
}: { readonly value: unknown } & Omit<BoundedTextProps, 'text'>) => {
  const { unreadable } = useWords();
  const text = useMemo(() => toJsonText(value) ?? unreadable, [value, unreadable]);
  return <BoundedText text={text} {...more} />;
};

/** Undefined for what nests too deeply, or into itself. */
const toJsonText = (value: unknown): string | undefined => {
  try {
    return toReadableJson(value);
  } catch {
    return undefined;
  }
};
