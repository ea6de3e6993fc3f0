import { randomBytes } from 'node:crypto';
import { CasementError } from '@casement/protocol/start';
import { createRecordStore, type StorePlaces } from './record-store.js';
import {
  createServerSignIn,
  type BeginOptions,
  type BegunSignIn,
  type ServerSignIn,
} from './server-sign-in.js';
import type { HttpServerConfig, ServerConfig } from '../facts/server-config.js';

/** What a gateway is told of signing in. */
export interface SignInOptions extends StorePlaces {
  /** The address of a document that describes this client, for issuers that read such documents. */
  clientMetadataUrl?: string | undefined;
  /** The clock that ends attempts, in milliseconds. */
  now: () => number;
  /** How long a call waits for the user. Default five minutes. */
  waitMs?: number | undefined;
}

/** Every sign-in of a gateway. */
export interface SignIns {
  /** Reads the accounts that are stored. */
  load(): Promise<void>;
  /** Says at which port browsers come back. */
  listen(port: number): void;
  /** The sign-in of a server; undefined for one that brings its own credentials, or none can be sent to. */
  of(config: ServerConfig): ServerSignIn | undefined;
  begin(signIn: ServerSignIn, options: BeginOptions): Promise<{ address: string }>;
  /** A browser came back, or the user pasted its address (then only for the attempt of that server). */
  finish(query: URLSearchParams, only?: ServerSignIn): Promise<void>;
  /** Parses an address that was pasted. */
  parsePasted(text: string): URLSearchParams;
}

const LIFE_MS = 10 * 60_000;
const WAIT_MS = 5 * 60_000;
const MAX_ATTEMPTS = 50;
/** The path that browsers come back to. */
export const CALLBACK_PATH = '/oauth/callback';

/** Creates the sign-ins of a gateway; the store is opened when it is needed. */
export const createSignIns = ({
  clientMetadataUrl,
  now,
  waitMs = WAIT_MS,
  ...places
}: SignInOptions): SignIns => {
  const store = createRecordStore(places);
  const attempts = new Map<string, Omit<BegunSignIn, 'address'> & { signIn: ServerSignIn; until: number }>();
  let redirectUri = '';

  const forgetOld = (signIn: ServerSignIn): void => {
    for (const [state, attempt] of attempts)
      if (attempt.signIn === signIn || attempt.until <= now()) attempts.delete(state);
    for (const state of [...attempts.keys()].slice(0, -MAX_ATTEMPTS)) attempts.delete(state);
  };

  return {
    load: store.load,
    listen(port) {
      redirectUri = `http://127.0.0.1:${port}${CALLBACK_PATH}`;
    },
    of: (config) =>
      config.kind === 'http' && !hasOwnCredentials(config)
        ? createServerSignIn(config, { store, clientMetadataUrl, waitMs, redirectUri: () => redirectUri })
        : undefined,
    async begin(signIn, options) {
      const state = randomBytes(32).toString('base64url');
      const { address, ...begun } = await signIn.begin(options, state);
      // The last one counts: two attempts for one server at once are a mix-up.
      forgetOld(signIn);
      attempts.set(state, { ...begun, signIn, until: now() + LIFE_MS });
      return { address };
    },
    async finish(query, only) {
      const state = query.get('state') ?? '';
      const found = attempts.get(state);
      if (found === undefined || (only !== undefined && found.signIn !== only)) throw toUnknown();
      // Whatever follows, it works once.
      attempts.delete(state);
      if (found.until <= now()) {
        found.signIn.fail(toUnknown());
        throw toUnknown();
      }
      try {
        await found.signIn.finish(found, await readAnswer(query, found.attempt.metadata));
      } catch (error) {
        const failure =
          error instanceof CasementError ? error : new CasementError('internal', 'Internal error');
        found.signIn.fail(failure);
        throw failure;
      }
    },
    parsePasted(text) {
      const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
      if (url === undefined || `${url.origin}${url.pathname}` !== redirectUri)
        throw new CasementError('bad-request', 'This is not the address at which the sign-in ended.', {
          hint: `Paste the whole address of the page that could not be opened; it begins with ${redirectUri}.`,
        });
      return url.searchParams;
    },
  };
};

const hasOwnCredentials = ({ headers = {} }: HttpServerConfig): boolean =>
  Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');

const toUnknown = (): CasementError =>
  new CasementError('sign-in-unknown', 'This sign-in is not known here, or is over.', {
    hint: 'Begin it again in the page.',
  });

/** Reads what the issuer's page sent back with the browser; who it is from is checked before its words count. */
const readAnswer = async (
  query: URLSearchParams,
  metadata: BegunSignIn['attempt']['metadata'],
): Promise<{ code: string; iss: string | undefined }> => {
  const iss = query.get('iss') ?? undefined;
  const { checkAnswerIssuer, toWords } = await import('./issuer.js');
  checkAnswerIssuer(metadata, iss);
  const error = query.get('error');
  if (error !== null) {
    const words = toWords(query.get('error_description') ?? error);
    throw new CasementError('sign-in-denied', `The issuer said no: "${words}".`, {
      hint: 'Sign in again and agree, or use another account.',
    });
  }
  const codes = query.getAll('code');
  const [code = ''] = codes;
  if (codes.length !== 1 || code === '')
    throw new CasementError('sign-in-failed', 'The issuer sent the browser back without a code.');
  return { code, iss };
};
