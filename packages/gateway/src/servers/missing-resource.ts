import { toPrintable } from '@casement/protocol/basics';
import { CasementError } from '@casement/protocol/start';
import { findNearest } from '@casement/protocol/resource';
import type { ServerCatalog } from './server-catalog.js';

/** Explaining a failure must not take as long as the failure. */
const LIST_TIMEOUT_MS = 3000;
/** An app that asks for the same wrong address over and over makes the server list once in a while, not each time. */
const LIST_LIFE_MS = 1000;
const MAX_SHOWN = 3;

interface Addresses {
  readonly listed: ReadonlySet<string>;
  readonly templates: readonly string[];
}

/** Creates the explainer of failed resource reads: from the server's lists it tells the nearest address, or that the resource is listed. */
export const createMissingResources = (catalog: Pick<ServerCatalog, 'list'>) => {
  let known: { at: number; addresses: Promise<Addresses> } | undefined;

  const readAddresses = async (): Promise<Addresses> => {
    const settings = { timeoutMs: LIST_TIMEOUT_MS };
    const [resources, templates] = await Promise.all([
      catalog.list('resources', settings).catch(() => []),
      catalog.list('templates', settings).catch(() => []),
    ]);
    return {
      listed: new Set(resources.map(({ uri }) => uri)),
      templates: templates.map(({ uriTemplate }) => uriTemplate),
    };
  };

  return {
    /** Returns the failure with what the lists say about the address. */
    async explain(failure: CasementError, uri: string, server: string): Promise<CasementError> {
      if (known === undefined || performance.now() - known.at > LIST_LIFE_MS)
        known = { at: performance.now(), addresses: readAddresses() };
      const { listed, templates } = await known.addresses;
      const said = toPrintable(failure.wire?.message ?? failure.message, 1000, { mode: 'replace' });
      const details = { cause: failure, ...(failure.wire !== undefined && { wire: failure.wire }) };
      const address = show(uri);
      if (listed.has(uri) || !isNotFound(failure)) {
        const has = listed.has(uri) ? `lists ${address} but could not read it` : `could not read ${address}`;
        return new CasementError('resource-unreadable', `The server "${server}" ${has}: ${said}`, {
          ...details,
          hint: 'Fix what the server complains about, then try again; what it says is also in its error output.',
        });
      }
      return new CasementError(
        'resource-missing',
        `The server "${server}" did not give the resource ${address}: ${said}`,
        { ...details, hint: `${CHECK} ${toCandidates(uri, listed, templates)}`.trim() },
      );
    },
  };
};

const CHECK = 'Check that the address in the tool matches a resource the server registers.';

const show = (address: string): string => toPrintable(address, 200, { mode: 'replace' });

/** Servers without the official library often have one number for everything; their words tell. */
const isNotFound = ({ wire }: CasementError): boolean =>
  wire?.code !== -32603 || /not found|unknown|no such resource/i.test(wire.message.slice(0, 500));

const toCandidates = (uri: string, listed: ReadonlySet<string>, templates: readonly string[]): string => {
  const nearest = findNearest(uri, [...listed, ...templates]);
  if (nearest.length > 0) return `Did you mean ${nearest.map(show).join(' or ')}?`;
  const apps = [...listed].filter((address) => address.startsWith('ui:'));
  if (apps.length === 0) return listed.size === 0 ? 'It lists no resource.' : 'It lists no app.';
  const more = apps.length > MAX_SHOWN ? ` and ${apps.length - MAX_SHOWN} more` : '';
  return `It lists ${apps.slice(0, MAX_SHOWN).map(show).join(', ')}${more}.`;
};
