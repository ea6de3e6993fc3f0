import type { Recording, RecordingEntry } from '@casement/protocol';
import { mergeRecordings } from '@casement/protocol';
import { createRecording, isRecord, toPrintable } from '@casement/protocol/basics';
import type { GatewayEvents } from './gateway-client.js';
import { createListeners } from '../store.js';

/** The recording of the page and that of the gateway, as one. */
export interface PageRecording {
  /** Where sessions on this page write. */
  readonly page: Recording;
  /** Both, merged by time; the same array until something is added. */
  entries(): readonly RecordingEntry[];
  follow(events: GatewayEvents): void;
  subscribe(listener: () => void): () => void;
}

const maxGatewayEntries = 20_000;

/** Creates the recording of this page load. */
export const createPageRecording = (): PageRecording => {
  const page = createRecording({ writer: 'page' });
  const { subscribe, tell } = createListeners();
  const gateway: RecordingEntry[] = [];
  let merged: readonly RecordingEntry[] = [];
  let added: RecordingEntry[] = [];
  let mustMerge = false;
  let evicted = 0;
  let last = { seq: -1, t: 0 };

  const add = (entry: RecordingEntry): void => {
    const newest = added.at(-1) ?? merged.at(-1);
    // Nearly always entries come in the order of their time; only then is adding them at the end the whole merge.
    if (newest && entry.t < newest.t) mustMerge = true;
    added.push(entry);
    tell();
  };

  const merge = (): readonly RecordingEntry[] => {
    if (added.length === 0) return merged;
    if (page.evicted !== evicted) mustMerge = true;
    merged = mustMerge ? mergeRecordings(page.entries(), gateway) : merged.concat(added);
    evicted = page.evicted;
    mustMerge = false;
    added = [];
    return merged;
  };

  page.subscribe(add);
  return {
    page,
    entries: merge,
    follow: (events) => {
      events.subscribe((event) => {
        if (event.type !== 'recording') return;
        // A stream that is opened again begins with entries that an earlier one brought.
        if (event.entry.seq <= last.seq && event.entry.t <= last.t) return;
        last = event.entry;
        gateway.push(event.entry);
        if (gateway.length > maxGatewayEntries) {
          // In steps, so that a full log is not merged anew for each entry.
          gateway.splice(0, 1_000);
          mustMerge = true;
        }
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
