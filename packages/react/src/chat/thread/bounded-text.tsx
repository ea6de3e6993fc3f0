import { toPrintable } from '@casement/host';
import { useMemo } from 'react';
import { useWords } from './use-words.js';

const maxLength = 20_000;

/** Foreign text letter by letter, as much of it as anybody reads; what would not be seen is written out (E09). */
export const BoundedText = ({ text, name }: { readonly text: string; readonly name: string }) => {
  const words = useWords();
  return (
    // A region that scrolls has to be reachable by keyboard, and have a name.
    <pre
      className="casement-values"
      {...(isLong(text) ? { tabIndex: 0 } : {})}
      role="group"
      aria-label={name}
    >
      {toPrintable(text, maxLength, { lines: 'keep', rest: (count) => `…\n${words.more(count)}` })}
    </pre>
  );
};

/** Whether it may scroll in the narrowest place it has; what does not is no stop for the keyboard. */
const isLong = (text: string): boolean => text.length > 250 || text.split('\n', 8).length > 7;

/** A value as indented JSON. */
export const JsonText = ({ value, name }: { readonly value: unknown; readonly name: string }) => {
  const { unreadable } = useWords();
  const text = useMemo(() => toJsonText(value) ?? unreadable, [value, unreadable]);
  return <BoundedText text={text} name={name} />;
};

/** Undefined for what nests too deeply, or into itself. */
const toJsonText = (value: unknown): string | undefined => {
  try {
    return JSON.stringify(value, undefined, 2);
  } catch {
    return undefined;
  }
};
