import type { Client } from '@modelcontextprotocol/client';
import type { ServerList } from './gateway-event.js';

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
  if (client.getProtocolEra() === 'modern') void subscribe(client);
  return () => {
    for (const timer of timers.values()) clearTimeout(timer);
    timers.clear();
  };
};

/** Revision 2026-07-28 sends changes only to those who ask for them. */
const subscribe = async (client: Client): Promise<void> => {
  const offered = client.getServerCapabilities();
  const filter = {
    ...(offered?.tools?.listChanged === true && { toolsListChanged: true }),
    ...(offered?.resources?.listChanged === true && { resourcesListChanged: true }),
    ...(offered?.prompts?.listChanged === true && { promptsListChanged: true }),
  };
  if (Object.keys(filter).length === 0) return;
  try {
    await client.listen(filter);
  } catch {
    // A server that advertises changes and refuses the subscription is heard no further; its lists are read on demand.
  }
};
