import { toPrintable } from '@casement/protocol/basics';

/** Guest text for a sentence that people read: printable, short, in quotes. */
export const toQuoted = (text: string): string => `"${toPrintable(text, 80)}"`;
