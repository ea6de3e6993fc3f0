import type { Recording, RecordingEntry } from '@casement/protocol';
import { createRecording, mergeRecordings } from '@casement/protocol';
import type { GatewayEvents } from './gateway-events.js';

/** The page's entries and the gateway's as one. */
export interface PageRecording {
  /** Where sessions on this page write. */
  readonly page: Recording;
  entries(): RecordingEntry[];
  /** The newest entries, without merging all the others. */
  newest(count: number): RecordingEntry[];
  size(): number;
  follow(events: GatewayEvents): void;
  subscribe(listener: () => void): () => void;
}

const maxGatewayEntries = 20_000;

/** Creates the recording of this page load. */
export const createPageRecording = (): PageRecording => {
  const page = createRecording({ writer: 'page' });
  const listeners = new Set<() => void>();
  const gateway: RecordingEntry[] = [];
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  page.subscribe(tell);
  return {
    page,
    entries: () => mergeRecordings(page.entries(), gateway),
    newest: (count) => mergeRecordings(page.entries().slice(-count), gateway.slice(-count)).slice(-count),
    size: () => page.entries().length + gateway.length,
    follow: (events) => {
      events.subscribe((event) => {
        if (event.type !== 'recording') return;
        gateway.push(event.entry);
        if (gateway.length > maxGatewayEntries) gateway.splice(0, gateway.length - maxGatewayEntries);
        tell();
      });
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
