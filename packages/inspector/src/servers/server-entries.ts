import type { EntryProblem, EntryView } from '@casement/gateway';
import type { GatewayClient, GatewayEvents } from '../connection/gateway-client.js';
import type { Readable, Store } from '../store.js';
import { createStore } from '../store.js';

/** What the page asks or shows about configured servers; one at a time. */
export type ServerDialog =
  | {
      readonly kind: 'add';
      /** A config that was dropped. */
      readonly dropped?: File;
    }
  | { readonly kind: 'edit' | 'remove'; readonly name: string }
  /** Asks for the user's yes to these, one after the other. */
  | { readonly kind: 'confirm'; readonly names: readonly string[] }
  | { readonly kind: 'stored' };

/** The configured servers as far as they were asked for. */
interface KnownEntries {
  readonly entries: readonly EntryView[];
  /** What is wrong with a config file that is watched. */
  readonly problems: readonly EntryProblem[];
}

/** The configured servers, and what the page asks about them. */
export interface ServerEntries extends Readable<KnownEntries> {
  readonly dialog: Store<ServerDialog | undefined>;
  /** Follows the gateway; without one there is nothing to ask about. */
  open(client: GatewayClient, events: GatewayEvents): void;
  /** Undefined as long as the page has no access. */
  client(): GatewayClient | undefined;
  /** Asks the gateway again; throws what the gateway answers. */
  refresh(): Promise<readonly EntryView[]>;
}

/** Creates the page's knowledge of configured servers; they are asked for when somebody wants to see them. */
export const createServerEntries = (): ServerEntries => {
  const known = createStore<KnownEntries>({ entries: [], problems: [] });
  const dialog = createStore<ServerDialog | undefined>(undefined);
  let client: GatewayClient | undefined;
  const refresh = async (): Promise<readonly EntryView[]> => {
    if (!client) return [];
    const { entries, problems } = await client.entries();
    known.set({ entries, problems });
    return entries;
  };
  return {
    getSnapshot: known.getSnapshot,
    subscribe: known.subscribe,
    dialog,
    open: (next, events) => {
      client = next;
      events.subscribe(({ type }) => {
        // Whoever waits for the answer of his own gets its failure; here the next change asks again.
        if (type === 'entries-changed') refresh().catch(() => undefined);
      });
    },
    client: () => client,
    refresh,
  };
};
