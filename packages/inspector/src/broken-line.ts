import type { RecordingEntry } from '@casement/protocol';
import { isRecord, toPrintable } from '@casement/protocol';

/** What to say to whoever waits for an answer when a server sent something that begins as a message and is none. */
export const readBrokenLine = ({ leg, kind, raw }: RecordingEntry): string | undefined => {
  const text = leg === 'server' && kind === 'invalid' && isRecord(raw) ? raw.text : undefined;
  if (typeof text !== 'string' || !/^\s*[{[]/.test(text)) return undefined;
  return `The server just sent a line that is not JSON, which may have been the answer: ${toPrintable(text, 300)} The call waits on until its time limit. Send each message as one whole line of JSON.`;
};
