import { createHash, randomUUID } from 'node:crypto';
import { toSignInFailure } from '@casement/protocol/ports';
import { CasementError } from '@casement/protocol/start';
import { toUnsafe } from './address-rules.js';
import { createGuardedFetch, type GuardedFetch } from './guarded-fetch.js';
import { createWaitingCalls } from './waiting-calls.js';
import type { Attempt, WantedSignIn } from './issuer.js';
import type { RecordStore } from './record-store.js';
import type { AccountRecord, OwnClient, TokenSet } from './sign-in-records.js';
import type { HttpServerConfig } from '../facts/server-config.js';
import type {
  SignInProblem,
  SignInQuestion,
  SignInReason,
  SignInStep,
  SignInSummary,
} from '../facts/sign-in-summary.js';

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** What a sign-in tells its server's connection. */
interface SignInHooks {
  /** The summary is another one now. */
  onChange(): void;
  onStep(step: SignInStep): void;
  /** The connection is to begin anew, as another account or as nobody. */
  reconnect(): Promise<void>;
  isReady(): boolean;
}

/** What the user may say besides yes. */
export interface BeginOptions {
  /** The host that the question named: a yes counts for this issuer alone. */
  issuerHost: string;
  /** Adds an account in place of renewing the one that is used. */
  isNewAccount?: boolean;
  /** A client that the user registered at the issuer. */
  client?: { id: string; secret?: string };
}

/** Where the user goes next. */
export interface BegunSignIn {
  address: string;
  attempt: Attempt;
  /** The account that is renewed; undefined for another one. */
  account: string | undefined;
}

/** The sign-in to one server: its tokens, its accounts and its one question. */
export interface ServerSignIn {
  /** Says whom to tell; the connection is made after its sign-in. */
  connect(hooks: SignInHooks): void;
  /** A fetch that carries the token to the server's own origin, and notices when the server wants a sign-in. */
  authorize(base: Fetch): Fetch;
  summary(): SignInSummary | undefined;
  /** The account that is used, as a part of who the server is. */
  account(): string | undefined;
  /** Waits until the user has answered the question and signed in; rejects when they do not. */
  untilSignedIn(signal?: AbortSignal): Promise<void>;
  begin(options: BeginOptions, state: string): Promise<BegunSignIn>;
  finish(
    begun: Omit<BegunSignIn, 'address'>,
    answer: { code: string; iss: string | undefined },
  ): Promise<void>;
  /** An attempt did not end well. */
  fail(failure: CasementError): void;
  /** The user's no: calls that wait fail, and later ones do so at once. */
  decline(): void;
  use(account: string): Promise<void>;
  expire(account: string): Promise<void>;
  /** Forgets an account; true if its issuer was told and agreed. */
  signOut(account: string): Promise<boolean>;
  /** Forgets all accounts: the server is gone. Their issuers are told, and nobody waits for that. */
  forget(): Promise<void>;
}

/** Given by the gateway to every sign-in. */
export interface SignInSettings {
  store: RecordStore;
  redirectUri(): string;
  clientMetadataUrl: string | undefined;
  waitMs: number;
}

/** Renewed this long before it is over, so that no request is under way meanwhile. */
const EARLY_MS = 5000;

interface Need {
  reason: SignInReason;
  scopes: string[];
  wanted?: WantedSignIn;
  problem?: CasementError | undefined;
  isOpen: boolean;
}

const hostOf = (issuer: string): string => new URL(issuer).host;

/** Creates the sign-in to one server; nothing is asked or fetched before the server wants it. */
export const createServerSignIn = (
  { name, url }: HttpServerConfig,
  { store, redirectUri, clientMetadataUrl, waitMs }: SignInSettings,
): ServerSignIn => {
  const server = new URL(url);
  let hooks: SignInHooks | undefined;
  let need: Need | undefined;
  let isDeclined = false;
  /** One that the server did not ask for. */
  let attempt: SignInSummary['attempt'];
  const renewals = new Map<string, Promise<TokenSet | undefined>>();
  const waiting = createWaitingCalls(waitMs);

  const record = (step: SignInStep): void => hooks?.onStep(step);
  const changed = (): void => hooks?.onChange();
  const guarded = createGuardedFetch(server);
  const fetchForeign: GuardedFetch = async (input, init) => {
    const { origin, pathname } = new URL(String(input));
    const asked = { step: 'asked', method: init?.method ?? 'GET', address: `${origin}${pathname}` };
    try {
      const answer = await guarded(input, init);
      record({ ...asked, status: answer.status });
      return answer;
    } catch (error) {
      record({ ...asked, failure: error instanceof CasementError ? error.code : 'internal' });
      throw error;
    }
  };

  /** A disk that is full costs no sign-in: it lasts as long as this gateway. */
  const change = (edit: Parameters<RecordStore['change']>[0]): Promise<void> =>
    store.change(edit).catch((error: unknown) => {
      const { code, message } = toNamed(error);
      record({ step: 'not-stored', code, message });
    });
  const accounts = (): AccountRecord[] => store.read().accounts.filter((one) => one.server === server.href);
  const current = (): AccountRecord | undefined => accounts().find(({ isCurrent }) => isCurrent);
  const find = (id: string): AccountRecord => {
    const account = accounts().find((one) => one.id === id);
    if (account !== undefined) return account;
    throw new CasementError('bad-request', 'There is no such account.');
  };
  const isSame = (one: AccountRecord, id: string): boolean => one.server === server.href && one.id === id;
  const editAccounts = (edit: (account: AccountRecord) => AccountRecord): Promise<void> =>
    change((records) => ({
      ...records,
      accounts: records.accounts.map((one) => (one.server === server.href ? edit(one) : one)),
    }));

  /** Reads what the question has to name; the server's own document alone. */
  const describe = async (
    open: Need,
    challenge: { resourceMetadataUrl?: URL; scope?: string },
  ): Promise<void> => {
    try {
      const { checkServer, readIssuer, readWantedSignIn } = await import('./issuer.js');
      checkServer(server);
      const wanted = await readWantedSignIn(server, challenge, fetchForeign);
      // A 401 without a word of a sign-in: whether there is one is found out before anybody is asked.
      if (wanted.isGuess) await readIssuer(wanted.issuer, server, fetchForeign);
      open.wanted = wanted;
      open.scopes = [...new Set([...open.scopes, ...open.wanted.scopes])];
      record({
        step: 'needed',
        reason: open.reason,
        issuerHost: hostOf(open.wanted.issuer),
        scopes: open.scopes,
      });
    } catch (error) {
      open.problem = toNamed(error);
      record({ step: 'failed', code: open.problem.code, message: open.problem.message });
      waiting.reject(toSignInFailure(name, open.problem, open.problem.message));
    }
    if (need === open) changed();
  };

  /** Notices that the server wants a sign-in, or more of one. */
  const notice = async (response: Response, used: AccountRecord | undefined): Promise<void> => {
    if (response.status !== 401 && response.status !== 403) return;
    const { extractWWWAuthenticateParams } = await import('@modelcontextprotocol/client');
    const { error, scope, resourceMetadataUrl } = extractWWWAuthenticateParams(response);
    const wantsMore = response.status === 403 && error === 'insufficient_scope';
    if (response.status === 403 && !wantsMore) return;
    const { toScopes } = await import('./issuer.js');
    const reason = wantsMore ? 'more-scopes' : used === undefined ? 'first' : 'over';
    const scopes = [...new Set([...(used?.asked ?? []), ...toScopes(scope)])];
    const isKnown = need?.reason === reason && scopes.every((one) => need?.scopes.includes(one));
    if (isKnown && need?.problem === undefined) return;
    need = { reason, scopes, isOpen: false };
    changed();
    void describe(need, {
      ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }),
      ...(scope !== undefined && { scope }),
    });
  };

  /** One renewal at a time: issuers take a refresh token that is used twice for a stolen one. */
  const renew = (account: AccountRecord): Promise<TokenSet | undefined> => {
    const running = renewals.get(account.id);
    if (running !== undefined) return running;
    const renewal = renewNow(account).finally(() => renewals.delete(account.id));
    renewals.set(account.id, renewal);
    return renewal;
  };

  const renewNow = async (account: AccountRecord): Promise<TokenSet | undefined> => {
    await store.load();
    const stored = accounts().find(({ id }) => id === account.id);
    // Another gateway of this user renewed it already.
    if (stored !== undefined && stored.tokens.access !== account.tokens.access) return stored.tokens;
    if (account.tokens.refresh === undefined) return undefined;
    const { readIssuer, renewTokens } = await import('./issuer.js');
    const metadata = await readIssuer(account.issuer, server, fetchForeign);
    const tokens = await renewTokens(metadata, account, fetchForeign);
    record({ step: tokens === undefined ? 'not-renewed' : 'renewed', issuerHost: hostOf(account.issuer) });
    if (tokens === undefined) return undefined;
    await editAccounts((one) =>
      one.id === account.id ? { ...one, tokens: { ...one.tokens, ...tokens } } : one,
    );
    changed();
    return tokens;
  };

  const isOver = ({ expiresAt }: TokenSet): boolean =>
    expiresAt !== undefined && expiresAt - EARLY_MS < Date.now();

  const sendWith = async (
    base: Fetch,
    target: string | URL,
    init: RequestInit | undefined,
    token: string,
  ) => {
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${token}`);
    const response = await base(target, { ...init, headers, redirect: 'manual' });
    if (response.status < 300 || response.status > 399) return response;
    await response.body?.cancel();
    throw toUnsafe(
      `The server "${name}" redirects, and a token is not sent after a redirect.`,
      'Use the address that it redirects to in its configuration, if it is the intended server.',
    );
  };

  const authorize =
    (base: Fetch): Fetch =>
    async (target, init) => {
      const account = current();
      // A token goes to the exact origin it was issued for, whatever the transport asks for.
      if (account === undefined || new URL(target).origin !== account.origin) {
        const response = await base(target, init);
        await notice(response, undefined);
        return response;
      }
      const before = isOver(account.tokens) ? await renew(account) : account.tokens;
      const { access } = before ?? account.tokens;
      const response = await sendWith(base, target, init, access);
      if (response.status === 401 && before !== undefined) {
        const renewed = await renew({ ...account, tokens: before });
        if (renewed !== undefined && renewed.access !== access) {
          await response.body?.cancel();
          const again = await sendWith(base, target, init, renewed.access);
          await notice(again, account);
          return again;
        }
      }
      await notice(response, account);
      return response;
    };

  const save = async (begun: Omit<BegunSignIn, 'address'>, tokens: TokenSet): Promise<void> => {
    const { attempt: ended } = begun;
    const { issuer } = ended.metadata;
    const id = toAccountId(issuer, server, tokens.subject) ?? begun.account ?? randomUUID();
    const known = accounts().find((one) => one.id === id);
    const label = tokens.label ?? known?.label ?? `Account ${accounts().length + 1}`;
    const account: AccountRecord = {
      id,
      label,
      issuer,
      origin: server.origin,
      server: server.href,
      resource: ended.resource,
      client: ended.client,
      asked: ended.scopes,
      tokens,
      isCurrent: true,
    };
    await change(({ accounts: all, clients }) => ({
      clients,
      accounts: [
        ...all
          .filter((one) => !isSame(one, id))
          .map((one) => (one.server === server.href ? { ...one, isCurrent: false } : one)),
        account,
      ],
    }));
  };

  /** Tells the issuer that an account's tokens are not used any more; true if it agreed. */
  const revoke = async (account: AccountRecord): Promise<boolean> => {
    const { readIssuer, revokeTokens } = await import('./issuer.js');
    return readIssuer(account.issuer, server, fetchForeign)
      .then((metadata) => revokeTokens(metadata, account, fetchForeign))
      .catch(() => false);
  };

  const fail = (failure: CasementError): void => {
    record({ step: 'failed', code: failure.code, message: failure.message });
    if (need === undefined) attempt = { isOpen: false, problem: toProblem(failure) };
    else Object.assign(need, { isOpen: false, problem: failure });
    waiting.reject(failure);
    changed();
  };

  return {
    connect(given) {
      hooks = given;
    },
    authorize,
    account: () => current()?.id,
    summary() {
      const all = accounts();
      if (need === undefined && attempt === undefined && all.length === 0) return undefined;
      const keyPlace = store.keyPlace();
      return {
        needed: need !== undefined,
        ...(need !== undefined && { question: toQuestion(need, waiting.count(), current()?.id) }),
        ...(attempt !== undefined && { attempt }),
        accounts: all.map(({ id, label, issuer, tokens, isCurrent }) => ({
          id,
          label,
          issuerHost: hostOf(issuer),
          scopes: tokens.scopes,
          isCurrent,
          ...(tokens.expiresAt !== undefined && { expiresAt: tokens.expiresAt }),
        })),
        ...(keyPlace !== undefined && { keyPlace }),
      };
    },
    async untilSignedIn(signal) {
      // Somebody signed in meanwhile.
      if (need === undefined) return;
      if (isDeclined) throw toSignInFailure(name, undefined, 'Sign in to it first.');
      const { problem, wanted } = need;
      if (problem !== undefined && wanted === undefined)
        throw toSignInFailure(name, problem, problem.message);
      const done = waiting.add(toSignInFailure(name, undefined, 'Nobody signed in meanwhile.'), signal);
      changed();
      await done.finally(changed);
    },
    async begin({ issuerHost, isNewAccount = false, client }, state) {
      const { beginAttempt, checkServer, chooseClient, readIssuer, readWantedSignIn } =
        await import('./issuer.js');
      checkServer(server);
      const used = current();
      const wanted = need?.wanted ?? (await readWantedSignIn(server, {}, fetchForeign));
      if (hostOf(wanted.issuer) !== issuerHost)
        throw toUnsafe(
          'The sign-in is at another issuer than the one you agreed to.',
          'Look at the question again.',
        );
      const metadata = await readIssuer(wanted.issuer, server, fetchForeign);
      const own = { redirectUri: redirectUri(), clientMetadataUrl, fetch: fetchForeign };
      const given: OwnClient | undefined = client && { ...client, redirectUri: redirectUri(), isGiven: true };
      const known = given ?? store.read().clients[metadata.issuer];
      const chosen = await chooseClient(metadata, known, own);
      // Kept before it was of use: an attempt that nobody ends must not register another one each time.
      if (chosen !== known || given !== undefined)
        await change((records) => ({
          ...records,
          clients: { ...records.clients, [metadata.issuer]: chosen },
        }));
      const scopes = need?.scopes ?? used?.asked ?? wanted.scopes;
      const parts = {
        metadata,
        client: chosen,
        resource: wanted.resource,
        scopes,
        redirectUri: redirectUri(),
      };
      const begun = await beginAttempt(parts, state, server);
      isDeclined = false;
      if (need === undefined) attempt = { isOpen: true };
      else Object.assign(need, { isOpen: true, problem: undefined });
      record({ step: 'begun', issuerHost, scopes, client: toClientKind(chosen, clientMetadataUrl) });
      changed();
      return { ...begun, account: isNewAccount ? undefined : used?.id };
    },
    async finish(begun, answer) {
      const before = current()?.id;
      const { finishAttempt } = await import('./issuer.js');
      const tokens = await finishAttempt(begun.attempt, answer, fetchForeign);
      await save(begun, tokens);
      need = undefined;
      attempt = undefined;
      record({ step: 'signed-in', issuerHost: hostOf(begun.attempt.metadata.issuer), scopes: tokens.scopes });
      const isOther = before !== undefined && before !== current()?.id;
      if (isOther || hooks?.isReady() !== true) await hooks?.reconnect();
      waiting.resolve();
      changed();
    },
    fail,
    decline() {
      isDeclined = true;
      if (need !== undefined) need.isOpen = false;
      record({ step: 'declined' });
      waiting.reject(toSignInFailure(name, undefined, 'You chose not to sign in.'));
      changed();
    },
    async use(id) {
      find(id);
      await editAccounts((one) => ({ ...one, isCurrent: one.id === id }));
      need = undefined;
      attempt = undefined;
      record({ step: 'account-changed' });
      await hooks?.reconnect();
    },
    async expire(id) {
      find(id);
      await editAccounts((one) =>
        one.id === id ? { ...one, tokens: { ...one.tokens, expiresAt: 0 } } : one,
      );
      record({ step: 'expired' });
      changed();
    },
    async signOut(id) {
      const account = find(id);
      // Forgotten first: whatever the issuer does, the token is not used again.
      await change((records) => ({
        ...records,
        accounts: records.accounts.filter((one) => !isSame(one, id)),
      }));
      need = undefined;
      attempt = undefined;
      const isRevoked = await revoke(account);
      const message = isRevoked ? 'and its tokens were revoked' : 'and its issuer could not be told';
      record({ step: 'signed-out', isRevoked, message });
      if (account.isCurrent) await hooks?.reconnect();
      changed();
      return isRevoked;
    },
    async forget() {
      const gone = accounts();
      if (gone.length === 0) return;
      await change((records) => ({
        ...records,
        accounts: records.accounts.filter((one) => one.server !== server.href),
      }));
      for (const account of gone) void revoke(account);
    },
  };
};

/** The same person at the same issuer is the same account, however often they sign in. */
const toAccountId = (issuer: string, server: URL, subject: string | undefined): string | undefined =>
  subject === undefined
    ? undefined
    : createHash('sha256')
        .update(JSON.stringify([issuer, server.href, subject]))
        .digest('base64url');

const toClientKind = ({ id, isGiven }: OwnClient, clientMetadataUrl: string | undefined): string => {
  if (isGiven) return 'given';
  return id === clientMetadataUrl ? 'document' : 'registered';
};

const toQuestion = (
  { reason, scopes, wanted, problem, isOpen }: Need,
  waiting: number,
  account: string | undefined,
): SignInQuestion => ({
  reason,
  scopes,
  isOpen,
  waiting,
  ...(wanted !== undefined && { issuerHost: hostOf(wanted.issuer) }),
  ...(account !== undefined && { account }),
  ...(problem !== undefined && { problem: toProblem(problem) }),
});

const toProblem = ({ code, message, hint }: CasementError): SignInProblem => ({
  code,
  message,
  ...(hint !== undefined && { hint }),
});

const toNamed = (error: unknown): CasementError =>
  error instanceof CasementError ? error : new CasementError('internal', 'Internal error');
