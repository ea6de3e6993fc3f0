import type { EntryDraft, EntryView, StoredItem } from '@casement/gateway';
import { CasementError } from '@casement/protocol/start';
import type { GatewayClient } from '../connection/gateway-client.js';
import { readAnswer } from '../connection/gateway-client.js';
import type { ServerEntries } from '../servers/server-entries.js';

/** What the page asks of the gateway about configured servers and stored data. */
export const createEntryRequests = ({ api }: Pick<GatewayClient, 'api'>) => {
  const one = api.entries[':name'];
  return {
    /** Reads a pasted or dropped config; nothing is kept. */
    parse: (text: string) => readAnswer(api.entries.parse.$post({ json: { text } })),
    /** Keeps entries; nothing starts. */
    add: async (entries: EntryDraft[]): Promise<readonly EntryView[]> =>
      (await readAnswer(api.entries.$post({ json: { entries } }))).entries,
    change: (name: string, entry: EntryDraft) =>
      readAnswer(one.change.$post({ param: { name }, json: { entry } })),
    /** The user's yes to an entry as it was shown. */
    confirm: (name: string, hash: string, inputs: Record<string, string>) =>
      readAnswer(one.confirm.$post({ param: { name }, json: { hash, inputs } })),
    enable: (name: string, enabled: boolean) =>
      readAnswer(one.enable.$post({ param: { name }, json: { enabled } })),
    remove: (name: string) => readAnswer(one.remove.$post({ param: { name }, json: {} })),
    /** What Casement keeps in files of this machine. */
    stored: async (): Promise<readonly StoredItem[]> => (await readAnswer(api.stored.$get())).items,
    /** Deletes some of it and says what is left. */
    forget: async (what: string[]): Promise<readonly StoredItem[]> =>
      (await readAnswer(api.stored.forget.$post({ json: { what } }))).items,
  };
};

/** The requests of a page that has access; one without is never asked to draw this. */
export const toEntryRequests = ({
  entries,
}: {
  readonly entries: ServerEntries;
}): ReturnType<typeof createEntryRequests> => {
  const client = entries.client();
  if (!client) throw new CasementError('unauthorized', 'This page has no access to its gateway.');
  return createEntryRequests(client);
};
