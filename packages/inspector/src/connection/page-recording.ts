import type { Recording, RecordingEntry } from '@casement/protocol';
import { toPrintable } from '@casement/protocol/basics';
import { createRecording, isRecord } from '@casement/protocol/start';
import type { GatewayEvents } from './gateway-client.js';
import { createMergedLog, type LogLimits } from './merged-log.js';
import { createListeners } from '../store.js';

/** The recording of the page and that of the gateway, as one. */
export interface PageRecording {
  /** Where sessions on this page write. */
  readonly page: Recording;
  /** Both, merged by time; the same array until something is added. */
  entries(): readonly RecordingEntry[];
  /** How many old entries made room for new ones. */
  evicted(): number;
  follow(events: GatewayEvents): void;
  subscribe(listener: () => void): () => void;
}

/** What the page keeps of both together; the oldest entries go first. */
const limits: LogLimits = { maxEntries: 100_000, maxBytes: 128 * 1024 * 1024 };

/** Creates the recording of this page load. */
export const createPageRecording = (): PageRecording => {
  const page = createRecording({ writer: 'page' });
  const merged = createMergedLog(limits);
  const { subscribe, tell } = createListeners();
  let last = { seq: -1, t: 0 };

  const add = (entry: RecordingEntry): void => {
    merged.add(entry);
    tell();
  };

  page.subscribe(add);
  return {
    page,
    entries: merged.entries,
    evicted: merged.evicted,
    follow: (events) => {
      events.subscribe((event) => {
        if (event.type !== 'recording') return;
        // A stream that is opened again begins with entries that an earlier one brought.
        if (event.entry.seq <= last.seq && event.entry.t <= last.t) return;
        last = event.entry;
        add(event.entry);
      });
    },
    subscribe,
  };
};

/** The warning beside a call that waits, when its server sent a line that begins like a message and is not JSON. */
export const readBrokenLine = ({ leg, kind, raw }: RecordingEntry): string | undefined => {
  const text = leg === 'server' && kind === 'invalid' && isRecord(raw) ? raw.text : undefined;
  if (typeof text !== 'string' || !/^\s*[{[]/.test(text)) return undefined;
  return `The server just sent a line that is not JSON, which may have been the answer: ${toPrintable(text, 300)} The call waits on until its time limit. Send each message as one whole line of JSON.`;
};
