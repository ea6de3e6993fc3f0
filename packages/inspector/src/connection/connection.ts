import type { GatewayEvent } from '@casement/gateway';
import type { SandboxTarget } from '@casement/host';
import { createGatewayEvents } from '@casement/protocol/ports';
import { CasementError } from '@casement/protocol/basics';
import { chooseSandbox } from './choose-sandbox.js';
import type { GatewayClient, GatewayEvents } from './gateway-client.js';
import { createGatewayClient, requestAccess } from './gateway-client.js';
import type { DeepLink } from '../address/page-address.js';
import {
  clearFragment,
  forgetTabKey,
  keepTabKey,
  readCarriedAccess,
  readDeepLink,
  readTabKey,
  toMovedAddress,
} from '../address/page-address.js';
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
  sandbox: SandboxTarget;
  link: DeepLink;
  /** A code or the token came with this very load, so what the link says was meant by who has access. */
  trusted: boolean;
}

/** The page's connection to its gateway. */
export interface Connection extends Readable<ConnectionState> {
  start(): Promise<void>;
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
 * Creates the connection. `onReady` is called once the gateway answered and the page is at the right address,
 * `onFailure` when there is no access.
 */
export const createConnection = (
  onReady: (gateway: ConnectedGateway) => Promise<void>,
  onFailure: (link: DeepLink) => void,
): Connection => {
  const store = createStore<ConnectionState>({ link: 'waiting', text: 'Connecting…', notice: '' });
  const change = (patch: Partial<ConnectionState>): void => store.set({ ...store.getSnapshot(), ...patch });

  const onLink = (link: keyof typeof linkTexts): void => {
    if (link === 'unauthorized') forgetTabKey();
    change({ link, text: linkTexts[link], ...(link === 'unauthorized' ? { notice: staleNotice } : {}) });
  };

  /** Connects with what this load's address carries, or with the key this tab kept; only the first may run a tool. */
  const begin = async (): Promise<void> => {
    const link = readDeepLink(location);
    const access = await findAccess();
    if (access === undefined) {
      change({ text: linkTexts.unauthorized, notice: accessNotice });
      onFailure(link);
      return;
    }
    const { token, trusted } = access;
    const client = createGatewayClient(token);
    const choice = await chooseSandbox(await client.status());
    if ('moveTo' in choice) {
      location.replace(toMovedAddress(choice.moveTo, await client.createCode(), trusted));
      return;
    }
    keepTabKey(access.key ?? (await requestAccess(await client.createCode())).key);
    clearFragment();
    change({ notice: '' });
    const events = createGatewayEvents<GatewayEvent>(client.link, onLink);
    // Never given back: the page itself listens from its first moment to its last.
    events.subscribe(() => undefined);
    await onReady({ client, events, sandbox: choice.target, link, trusted });
  };

  return {
    getSnapshot: store.getSnapshot,
    subscribe: store.subscribe,
    start: () =>
      begin().catch((error: unknown) => {
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

interface Access {
  readonly token: string;
  readonly key?: string;
  readonly trusted: boolean;
}

/** The token for what the address carries or this tab kept. A dead link does no harm to a tab whose key works. */
const findAccess = async (): Promise<Access | undefined> => {
  const carried = readCarriedAccess(location.hash);
  const kept = readTabKey();
  if (carried?.token !== undefined) return { token: carried.token, trusted: true };
  if (carried?.code !== undefined) {
    try {
      return { ...(await requestAccess(carried.code)), trusted: true };
    } catch (error) {
      if (kept === undefined) throw error;
    }
  }
  return kept === undefined ? undefined : { ...(await requestKept(kept)), trusted: false };
};

const requestKept = async (key: string): Promise<{ token: string; key: string }> => {
  try {
    return await requestAccess(key);
  } catch (error) {
    // Another gateway runs here now.
    if (error instanceof CasementError && error.code === 'access-unknown')
      throw new CasementError('unauthorized', error.message, { cause: error });
    throw error;
  }
};
