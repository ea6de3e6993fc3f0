import { createClientRequests } from '@casement/protocol/ports';
import type { Client } from '@modelcontextprotocol/client';
import type { ServerList } from '../facts/gateway-event.js';

const lists = ['tools', 'resources', 'prompts'] as const;

/** Listens to a server's list_changed notifications in either era; returns the way to stop. */
export const watchListChanges = (
  client: Client,
  {
    quietMs,
    onStale,
    onChanged,
  }: {
    quietMs: number;
    /** At once, each time: what was read is no longer current. */
    onStale(list: ServerList): void;
    /** Once per burst (D16). */
    onChanged(list: ServerList): void;
  },
): (() => void) => {
  const timers = new Map<ServerList, NodeJS.Timeout>();
  for (const list of lists) {
    client.setNotificationHandler(`notifications/${list}/list_changed`, () => {
      onStale(list);
      if (timers.has(list)) return;
      const timer = setTimeout(() => {
        timers.delete(list);
        onChanged(list);
      }, quietMs);
      timer.unref();
      timers.set(list, timer);
    });
  }
  // What it opens ends with the client.
  createClientRequests(client).followLists();
  return () => {
    for (const timer of timers.values()) clearTimeout(timer);
    timers.clear();
  };
};
