import type { RecordingEntry } from '@casement/protocol';

export interface Recorded {
  readonly leg: RecordingEntry['leg'];
  readonly dir: RecordingEntry['dir'];
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: unknown;
  readonly error?: { readonly code: number };
  readonly seq: number;
}

/** The JSON-RPC messages of a recording, flat enough to filter and compare. */
export const toMessages = (entries: readonly RecordingEntry[]): Recorded[] =>
  entries
    .filter((entry) => ['request', 'response', 'notification'].includes(entry.kind))
    .map(({ leg, dir, raw, seq }) => ({
      // Entries of these kinds hold the message as it went over the wire.
      ...(raw as Omit<Recorded, 'leg' | 'dir' | 'seq'>),
      leg,
      dir,
      seq,
    }));

/** The methods the host sent to the app, in order. */
export const toMethodsSentToApp = (entries: readonly RecordingEntry[]): string[] =>
  toMessages(entries).flatMap(({ leg, dir, method }) =>
    leg === 'app' && dir === 'out' && method !== undefined ? [method] : [],
  );
