import type { SandboxTarget } from '@casement/host';
import { CasementError } from '@casement/protocol';
import { chooseSandbox } from './choose-sandbox.js';
import type { GatewayClient } from './gateway-client.js';
import { createGatewayClient } from './gateway-client.js';
import type { GatewayEvents } from './gateway-events.js';
import { createGatewayEvents } from './gateway-events.js';
import type { DeepLink } from './page-address.js';
import {
  consumeFragmentToken,
  forgetToken,
  readDeepLink,
  readFragmentToken,
  readKeptToken,
} from './page-address.js';
import type { Readable } from './store.js';
import { createStore } from './store.js';

/** How the page stands with its gateway, in words for the user. */
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
  /** The token came with this very load, so what the link says was meant by who holds the token. */
  trusted: boolean;
}

/** The way to the gateway. */
export interface Connection extends Readable<ConnectionState> {
  start(): Promise<void>;
}

const tokenNotice =
  'This page has no token, so it cannot reach the gateway. Open the address that the casement command printed: it carries the token.';

const staleNotice =
  'The gateway does not take this token: it was probably started anew. Open the address that the casement command printed last.';

const linkTexts = {
  connected: 'Connected',
  lost: 'Connection lost, trying again',
  unauthorized: 'Not connected',
} as const;

/** Creates the connection; `onReady` follows once the gateway answered and the page is where it has to be. */
export const createConnection = (
  onReady: (gateway: ConnectedGateway) => Promise<void>,
  onFailure: (link: DeepLink) => void,
): Connection => {
  const store = createStore<ConnectionState>({ link: 'waiting', text: 'Connecting…', notice: '' });
  const change = (patch: Partial<ConnectionState>): void => store.set({ ...store.get(), ...patch });

  const onLink = (link: keyof typeof linkTexts): void => {
    if (link === 'unauthorized') forgetToken();
    change({ link, text: linkTexts[link], ...(link === 'unauthorized' ? { notice: staleNotice } : {}) });
  };

  /** Connects with the token of this load's fragment, or the one this tab kept; only the first may run a tool. */
  const begin = async (): Promise<void> => {
    const link = readDeepLink(location);
    const carried = readFragmentToken(location.hash);
    const token = carried ?? readKeptToken();
    if (token === undefined) {
      change({ text: linkTexts.unauthorized, notice: tokenNotice });
      onFailure(link);
      return;
    }
    const client = createGatewayClient(token);
    const choice = await chooseSandbox(await client.status());
    if ('moveTo' in choice) {
      location.replace(choice.moveTo);
      return;
    }
    consumeFragmentToken();
    change({ notice: '' });
    const events = createGatewayEvents(client, onLink);
    await onReady({ client, events, sandbox: choice.target, link, trusted: carried !== undefined });
  };

  return {
    get: store.get,
    subscribe: store.subscribe,
    start: () =>
      begin().catch((error: unknown) => {
        onFailure(readDeepLink(location));
        consumeFragmentToken();
        if (error instanceof CasementError && error.code === 'unauthorized') onLink('unauthorized');
        else
          change({
            text: linkTexts.unauthorized,
            notice: error instanceof Error ? error.message : String(error),
          });
      }),
  };
};
