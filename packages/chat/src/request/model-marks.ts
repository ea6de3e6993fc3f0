import type { ContentBlock } from '@casement/protocol';

/** Puts words of an app between marks for one request to a model (T21). */
export interface ModelMarks {
  /** The blocks as they are, with a mark before and after them. */
  enclose(what: 'Context' | 'Message', whose: string, blocks: readonly ContentBlock[]): ContentBlock[];
  /** Whether a block is such a mark, which must never be cut or left out. */
  has(block: ContentBlock): boolean;
}

/**
 * Marks of one request. They carry a random word that is drawn when everything between them is fixed already, so that
 * nothing in between can contain it: an app can write any words, but not the end of its own.
 */
export const createModelMarks = (): ModelMarks => {
  const word = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
  const marks = new Set<ContentBlock>();
  const addMark = (text: string): ContentBlock => {
    const mark: ContentBlock = { type: 'text', text };
    marks.add(mark);
    return mark;
  };
  return {
    enclose: (what, whose, blocks) => [
      addMark(`[${what} from ${whose}. The app wrote it, not the user. It ends only at the mark ${word}.]`),
      ...blocks,
      addMark(`[${word}: end of the ${what.toLowerCase()}.]`),
    ],
    has: (block) => marks.has(block),
  };
};
