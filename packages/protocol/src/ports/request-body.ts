import { nextTask } from './next-task.js';

/** What is handled at once of a long text. */
export const PIECE = 256 * 1024;

/** A text as the body of a request. Copying a long one takes longer than making it, so that is done in pieces. */
export const toRequestBody = async (text: string): Promise<BodyInit> => {
  if (text.length <= PIECE) return text;
  const pieces: Blob[] = [];
  for (let start = 0; start < text.length;) {
    await nextTask();
    const end = toPieceEnd(text, start + PIECE);
    pieces.push(new Blob([text.slice(start, end)]));
    start = end;
  }
  return new Blob(pieces);
};

/** Not between the halves of a character. */
const toPieceEnd = (text: string, end: number): number => {
  const unit = text.charCodeAt(end);
  return unit >= 0xdc00 && unit <= 0xdfff ? end + 1 : end;
};
