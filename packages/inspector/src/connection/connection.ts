import type { GatewayEvent, ServerSummary } from '@casement/gateway';
import { createGatewayEvents } from '@casement/protocol/ports';
import { CasementError } from '@casement/protocol/start';
import type { Access, GatewayClient, GatewayEvents } from './gateway-client.js';
import { createGatewayClient, readAccess, readCode } from './gateway-client.js';
import { createAppPlaces, type FindAppPlace } from './app-place.js';
import type { DeepLink } from '../address/page-address.js';
import {
  clearFragment,
  forgetTabKey,
  keepTabKey,
  readCarriedAccess,
  readDeepLink,
  readTabKey,
} from '../address/page-address.js';
import { askAccess, askCode } from '../start/ask-access.js';
import type { Readable } from '../store.js';
import { createStore } from '../store.js';

/** The state of the connection, with words for the user. */
interface ConnectionState {
  readonly link: 'waiting' | 'connected' | 'lost' | 'unauthorized';
  readonly text: string;
  /** What the user has to know or do before anything works. */
  readonly notice: string;
}

/** What a page has once it reached its gateway. */
export interface ConnectedGateway {
  client: GatewayClient;
  events: GatewayEvents;
  /** The servers as they were when the page was given access; the events tell what changed since. */
  servers: readonly ServerSummary[];
  findAppPlace: FindAppPlace;
  link: DeepLink;
  /** A code or the token came with this very load, so what the link says was meant by who has access. */
  trusted: boolean;
}

/** The page's connection to its gateway. */
export interface Connection extends Readable<ConnectionState> {
  /** Connects; `asked` is the answer to what the page asked for on its way here. */
  start(asked?: Promise<Response>): Promise<void>;
}

const accessNotice =
  'This page has no token, so it cannot reach the gateway. Open the link that the casement command printed: it brings one, once.';

const staleNotice =
  'The gateway does not know this tab: it was probably started anew. Open the link that the casement command printed last.';

const linkTexts = {
  connected: 'Connected',
  lost: 'Connection lost, trying again',
  unauthorized: 'Not connected',
} as const;

/**
 * Creates the connection. `onReady` is called once the gateway answered, `onFailure` when there is no
 * access.
 */
export const createConnection = (
  onReady: (gateway: ConnectedGateway) => void,
  onFailure: (link: DeepLink) => void,
): Connection => {
  const store = createStore<ConnectionState>({ link: 'waiting', text: 'Connecting…', notice: '' });
  const change = (patch: Partial<ConnectionState>): void => store.set({ ...store.getSnapshot(), ...patch });

  const onLink = (link: keyof typeof linkTexts): void => {
    if (link === 'unauthorized') forgetTabKey();
    change({ link, text: linkTexts[link], ...(link === 'unauthorized' ? { notice: staleNotice } : {}) });
  };

  /** Connects with what this load's address carries, or with the key this tab kept; only the first may run a tool. */
  const begin = async (asked?: Promise<Response>): Promise<void> => {
    const link = readDeepLink(location);
    const access = await findAccess(asked);
    if (access === undefined) {
      change({ text: linkTexts.unauthorized, notice: accessNotice });
      onFailure(link);
      return;
    }
    const { key, start, trusted } = access;
    keepTabKey(key);
    clearFragment();
    change({ notice: '' });
    const client = createGatewayClient(access);
    const events = createGatewayEvents<GatewayEvent>(client.link, onLink);
    // Never given back: the page itself listens from its first moment to its last.
    events.subscribe(() => undefined);
    const { servers, sandbox } = start;
    onReady({ client, events, servers, findAppPlace: createAppPlaces(sandbox), link, trusted });
  };

  return {
    getSnapshot: store.getSnapshot,
    subscribe: store.subscribe,
    start: (asked) =>
      begin(asked).catch((error: unknown) => {
        onFailure(readDeepLink(location));
        clearFragment();
        if (error instanceof CasementError && error.code === 'unauthorized') onLink('unauthorized');
        else change({ text: linkTexts.unauthorized, notice: toNotice(error) });
      }),
  };
};

const toNotice = (error: unknown): string => {
  if (!(error instanceof CasementError)) return error instanceof Error ? error.message : String(error);
  return [error.message, error.hint].filter(Boolean).join(' ');
};

/** The access that the address carries or this tab kept. A dead link does no harm to a tab whose key works. */
const findAccess = async (
  asked: Promise<Response> | undefined,
): Promise<(Access & { readonly trusted: boolean }) | undefined> => {
  const { token, code } = readCarriedAccess(location.hash) ?? {};
  const kept = readTabKey();
  if (token !== undefined) {
    const fresh = await readCode(askCode(token));
    return { ...(await readAccess(askAccess(fresh))), trusted: true };
  }
  if (code !== undefined) {
    try {
      return { ...(await readAccess(asked ?? askAccess(code))), trusted: true };
    } catch (error) {
      if (kept === undefined) throw error;
    }
  }
  if (kept === undefined) return undefined;
  const answer = code === undefined && asked ? asked : askAccess(kept);
  return { ...(await readKept(answer)), trusted: false };
};

const readKept = async (answer: Promise<Response>): Promise<Access> => {
  try {
    return await readAccess(answer);
  } catch (error) {
    // Another gateway runs here now.
    if (error instanceof CasementError && error.code === 'access-unknown')
      throw new CasementError('unauthorized', error.message, { cause: error });
    throw error;
  }
};
