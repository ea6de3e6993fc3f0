import type { GatewayEvent, ServerSummary } from '@casement/gateway';
import type { GatewayEvents } from '../connection/gateway-client.js';
import type { Store } from '../store.js';
import type { Watch, WatchParts } from './watch.js';

/** Whether an event may mean that an app, or the server it is from, is not what it was. */
const isAboutChange = (event: GatewayEvent): boolean =>
  event.type === 'watch-change' ||
  event.type === 'app-changed' ||
  event.type === 'resource-updated' ||
  (event.type === 'list-changed' && event.list === 'resources') ||
  (event.type === 'server' && event.server.watch !== undefined);

/** Follows changes; the code that acts on them is loaded with the first one, or when something is watched. */
export const followWatch = ({
  events,
  known,
  watch,
  parts,
}: {
  events: GatewayEvents;
  known: readonly ServerSummary[];
  watch: Store<Watch | undefined>;
  parts: WatchParts;
}): void => {
  let coming: Promise<Watch> | undefined;
  const bring = (): Promise<Watch> =>
    (coming ??= import('./watch.js').then(({ createWatch }) => {
      const made = createWatch(parts);
      watch.set(made);
      return made;
    }));
  events.subscribe((event) => {
    // Whoever cannot load it is not told of changes; the page goes on.
    if (isAboutChange(event))
      bring().then(
        (made) => made.hear(event),
        () => (coming = undefined),
      );
  });
  if (known.some((server) => server.watch !== undefined)) bring().catch(() => (coming = undefined));
};
