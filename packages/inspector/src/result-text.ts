import type { CallToolResult } from '@casement/protocol';
import { toPrintable } from '@casement/protocol';

/** The text of a result that is shown, and whether it is all there is. */
export interface ResultText {
  text: string;
  cut: boolean;
}

const separator = '\n';

/** The blocks of a result as text, no longer than `limit`, without ever joining more than that. */
export const toResultText = ({ content = [] }: CallToolResult, limit = 20_000): ResultText => {
  const parts: string[] = [];
  let room = limit;
  let cut = false;
  for (const block of content) {
    const text = 'text' in block && typeof block.text === 'string' ? block.text : `[${block.type}]`;
    if (text.length > room) cut = true;
    parts.push(text.slice(0, room));
    room -= text.length + separator.length;
    if (room > 0) continue;
    cut ||= block !== content.at(-1);
    break;
  }
  return { text: toPrintable(parts.join(separator), Infinity, { lines: 'keep' }), cut };
};
