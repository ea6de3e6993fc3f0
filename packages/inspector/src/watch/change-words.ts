import type { GatewayEvent } from '@casement/gateway';
import { toPrintable } from '@casement/protocol/basics';

/** One change of a server's files, as the gateway tells it. */
export type WatchChange = Extract<GatewayEvent, { type: 'watch-change' }>['change'];

/** What became of the last call when its app was shown anew. */
export type CallOutcome = 'repeated' | 'recorded' | 'none';

const toSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** "server.js was saved", "server.js and 2 more files were saved". */
const toSaved = ({ files, more = 0 }: WatchChange): string => {
  const [first = 'A file', ...others] = files.map((file) => toPrintable(file, 120));
  const count = others.length + more;
  if (count === 0) return `${first} was saved`;
  return `${first} and ${count} more ${count === 1 ? 'file' : 'files'} were saved`;
};

/** What was done about a change, as the beginning of a sentence. */
export const toChangeWords = (change: WatchChange): string => {
  const saved = toSaved(change);
  switch (change.step) {
    case 'seen':
      return `${saved}; the app follows`;
    case 'read':
      return saved;
    case 'restarted':
      return `${saved}; server restarted in ${toSeconds(change.ms)}`;
    case 'failed':
      return `${saved}; the server did not start: ${toPrintable(change.error?.message ?? 'unknown reason', 300)}`;
  }
};

/** What the new app was told of the last call. */
export const toCallWords = (outcome: CallOutcome, tool: string, saysItReads: boolean): string => {
  const name = toPrintable(tool, 60);
  if (outcome === 'none') return '';
  if (outcome === 'recorded') return ` with the recorded result; ${name} was not called again`;
  return saysItReads
    ? `; ${name} was called again: it says that it only reads`
    : `; ${name} was called again`;
};
