import { toPrintable } from '@casement/protocol/basics';
import { CasementError } from '@casement/protocol/start';
import {
  checkResourceAllowed,
  computeScopeUnion,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  exchangeAuthorization,
  IssuerMismatchError,
  OAuthError,
  refreshAuthorization,
  registerClient,
  resourceUrlFromServerUrl,
  startAuthorization,
  validateAuthorizationResponseIssuer,
  type AuthorizationServerMetadata,
  type OAuthClientInformationMixed,
  type OAuthTokens,
} from '@modelcontextprotocol/client';
import { isSafeForTokens, parseForeignAddress, toUnsafe } from './address-rules.js';
import type { GuardedFetch } from './guarded-fetch.js';
import type { OwnClient, TokenSet } from './sign-in-records.js';

/**
 * The official client's steps of OAuth 2.1, one by one: its `auth()` would register and redirect by itself, before
 * anybody was asked, and prints what issuers answer. Everything is fetched under guard.
 */

/** What a server says of the sign-in it wants. */
export interface WantedSignIn {
  /** Who gives the tokens. */
  issuer: string;
  /** What the tokens are for. */
  resource: string;
  scopes: string[];
  /** True where the server has no document, and is taken for its own issuer. */
  isGuess: boolean;
}

const MAX_SCOPES = 50;

/** Scopes as the page may show them. */
export const toScopes = (text: string | undefined): string[] =>
  (text ?? '')
    .split(/\s+/)
    .filter((scope) => /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/.test(scope))
    .slice(0, MAX_SCOPES);

/** Reads the server's own document about its sign-in; nobody else is asked anything yet. */
export const readWantedSignIn = async (
  server: URL,
  challenge: { resourceMetadataUrl?: URL | undefined; scope?: string | undefined },
  fetch: GuardedFetch,
): Promise<WantedSignIn> => {
  let status = 0;
  const { resourceMetadataUrl } = challenge;
  const resource = resourceUrlFromServerUrl(server);
  try {
    const metadata = await discoverOAuthProtectedResourceMetadata(
      server,
      resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl },
      async (input, init) => {
        const answer = await fetch(input, init);
        ({ status } = answer);
        return answer;
      },
    );
    if (!checkResourceAllowed({ requestedResource: resource, configuredResource: metadata.resource }))
      throw toUnsafe(
        'Its metadata is that of another server.',
        'A token for another server is not asked for. Tell whoever runs this one.',
      );
    const [issuer = new URL('/', server).href] = metadata.authorization_servers ?? [];
    return {
      issuer: checkIssuer(issuer, server),
      resource: String(metadata.resource),
      scopes: toScopes(challenge.scope ?? metadata.scopes_supported?.join(' ')),
      isGuess: false,
    };
  } catch (error) {
    // A server without this document is its own issuer, as before there were such documents.
    if (!(error instanceof CasementError) && status >= 400 && status < 500)
      return {
        issuer: new URL('/', server).href,
        resource: resource.href,
        scopes: toScopes(challenge.scope),
        isGuess: true,
      };
    throw toFlowFailure(error, 'The server’s document about its sign-in cannot be used');
  }
};

/** The text itself is kept: issuers are compared letter by letter. */
const checkIssuer = (issuer: string, server: URL): string => {
  parseForeignAddress(issuer, server);
  return issuer;
};

/** Reads and checks an issuer's metadata: it must be of that issuer, and know PKCE. */
export const readIssuer = async (
  issuer: string,
  server: URL,
  fetch: GuardedFetch,
): Promise<AuthorizationServerMetadata> => {
  const { host } = new URL(issuer);
  try {
    const metadata = await discoverAuthorizationServerMetadata(issuer, { fetchFn: fetch });
    if (metadata === undefined) throw toFailure(`"${host}" has no metadata of a sign-in.`);
    if (metadata.code_challenge_methods_supported?.includes('S256') !== true)
      throw toUnsafe(`"${host}" does not protect sign-ins by PKCE.`, 'Tell whoever runs the server.');
    const { token_endpoint: token, authorization_endpoint: page } = metadata;
    for (const address of [token, page]) parseForeignAddress(address, server);
    return metadata;
  } catch (error) {
    throw toFlowFailure(error, `The metadata of "${host}" cannot be used`);
  }
};

/** What the issuer is to know us by: our own, a document that describes us, or a registration. */
export const chooseClient = async (
  metadata: AuthorizationServerMetadata,
  known: OwnClient | undefined,
  {
    redirectUri,
    clientMetadataUrl,
    fetch,
  }: { redirectUri: string; clientMetadataUrl: string | undefined; fetch: GuardedFetch },
): Promise<OwnClient> => {
  if (known !== undefined && (known.isGiven || known.redirectUri === redirectUri)) return known;
  if (metadata.client_id_metadata_document_supported === true && clientMetadataUrl !== undefined)
    return { id: clientMetadataUrl, redirectUri };
  const { host } = new URL(metadata.issuer);
  if (metadata.registration_endpoint === undefined)
    throw new CasementError('sign-in-failed', `"${host}" lets nobody register by itself.`, {
      hint: 'Register an app there yourself, with this gateway’s return address, and give its client ID.',
    });
  try {
    const registered = await registerClient(metadata.issuer, {
      metadata,
      clientMetadata: {
        client_name: 'Casement',
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        application_type: 'native',
      },
      fetchFn: fetch,
    });
    const { client_id: id, client_secret: secret, token_endpoint_auth_method: method } = registered;
    return {
      id,
      redirectUri,
      ...(secret !== undefined && { secret }),
      ...(method !== undefined && { method }),
    };
  } catch (error) {
    throw toFlowFailure(error, `"${host}" did not register this gateway`);
  }
};

const toClientInformation = ({
  id,
  secret,
  method,
  redirectUri,
}: OwnClient): OAuthClientInformationMixed => ({
  client_id: id,
  redirect_uris: [redirectUri],
  ...(secret !== undefined && { client_secret: secret }),
  ...(method !== undefined && { token_endpoint_auth_method: method }),
});

/** Everything that belongs to one attempt; it is gone when the browser comes back. */
export interface Attempt {
  metadata: AuthorizationServerMetadata;
  client: OwnClient;
  resource: string;
  scopes: string[];
  verifier: string;
  redirectUri: string;
}

/** Makes the address at which the user signs in, and keeps what the answer is checked against. */
export const beginAttempt = async (
  wanted: Omit<Attempt, 'verifier'>,
  state: string,
  server: URL,
): Promise<{ address: string; attempt: Attempt }> => {
  const { metadata, client, resource, redirectUri } = wanted;
  const offline =
    metadata.scopes_supported?.includes('offline_access') === true ? 'offline_access' : undefined;
  const scope = computeScopeUnion(wanted.scopes.join(' '), offline);
  const { authorizationUrl, codeVerifier } = await startAuthorization(metadata.issuer, {
    metadata,
    clientInformation: toClientInformation(client),
    redirectUrl: redirectUri,
    state,
    resource,
    ...(scope !== undefined && { scope }),
  });
  const page = parseForeignAddress(authorizationUrl.href, server);
  // E14: what is opened is what was parsed, written anew.
  return { address: page.href, attempt: { ...wanted, verifier: codeVerifier } };
};

/** Checks who a browser comes back from (RFC 9207): a mix-up of two issuers ends here. */
export const checkAnswerIssuer = (metadata: AuthorizationServerMetadata, iss: string | undefined): void => {
  try {
    validateAuthorizationResponseIssuer({
      iss,
      expectedIssuer: metadata.issuer,
      issParameterSupported: metadata.authorization_response_iss_parameter_supported === true,
    });
  } catch (error) {
    throw toFlowFailure(error, 'The issuer’s answer cannot be used');
  }
};

/** Turns the code of a browser that came back into tokens; `iss` must be the issuer that was asked (RFC 9207). */
export const finishAttempt = async (
  { metadata, client, resource, verifier, redirectUri, scopes }: Attempt,
  { code, iss }: { code: string; iss: string | undefined },
  fetch: GuardedFetch,
): Promise<TokenSet> => {
  try {
    const tokens = await exchangeAuthorization(metadata.issuer, {
      metadata,
      clientInformation: toClientInformation(client),
      authorizationCode: code,
      codeVerifier: verifier,
      redirectUri,
      resource,
      fetchFn: fetch,
      ...(iss !== undefined && { iss }),
    });
    return toTokenSet(tokens, scopes);
  } catch (error) {
    throw toFlowFailure(error, `"${new URL(metadata.issuer).host}" gave no token`, [code, verifier]);
  }
};

/** Renews tokens; undefined means that the issuer wants the user back. */
export const renewTokens = async (
  metadata: AuthorizationServerMetadata,
  { client, resource, tokens }: { client: OwnClient; resource: string; tokens: TokenSet },
  fetch: GuardedFetch,
): Promise<TokenSet | undefined> => {
  if (tokens.refresh === undefined) return undefined;
  try {
    const renewed = await refreshAuthorization(metadata.issuer, {
      metadata,
      clientInformation: toClientInformation(client),
      refreshToken: tokens.refresh,
      resource,
      fetchFn: fetch,
    });
    return toTokenSet(renewed, tokens.scopes);
  } catch (error) {
    // Everything an issuer says by itself means that this token is of no use any more.
    if (error instanceof OAuthError && error.code !== 'server_error') return undefined;
    throw toFlowFailure(error, `"${new URL(metadata.issuer).host}" did not renew the sign-in`, [
      tokens.refresh,
    ]);
  }
};

/** Tells the issuer that tokens are not used any more; false where it has no way to be told, or did not agree. */
export const revokeTokens = async (
  metadata: AuthorizationServerMetadata,
  { client, tokens }: { client: OwnClient; tokens: TokenSet },
  fetch: GuardedFetch,
): Promise<boolean> => {
  // Documents of the OpenID form may have it too; the official types do not say so.
  const endpoint = 'revocation_endpoint' in metadata ? metadata.revocation_endpoint : undefined;
  if (typeof endpoint !== 'string') return false;
  const revoke = async (token: string, hint: string): Promise<boolean> => {
    const body = new URLSearchParams({ token, token_type_hint: hint });
    const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' });
    if (client.secret === undefined || client.method === 'client_secret_post')
      body.set('client_id', client.id);
    if (client.secret !== undefined) {
      if (client.method === 'client_secret_post') body.set('client_secret', client.secret);
      else headers.set('authorization', `Basic ${btoa(`${client.id}:${client.secret}`)}`);
    }
    return (await fetch(endpoint, { method: 'POST', headers, body })).ok;
  };
  // The refresh token goes first: with it, others could be made.
  const isRefreshGone = tokens.refresh === undefined || (await revoke(tokens.refresh, 'refresh_token'));
  return (await revoke(tokens.access, 'access_token')) && isRefreshGone;
};

const MAX_LIFE_S = 365 * 24 * 3600;

const toTokenSet = (tokens: OAuthTokens, asked: string[]): TokenSet => {
  const { access_token: access, refresh_token: refresh, expires_in: life, scope, token_type: type } = tokens;
  if (type.toLowerCase() !== 'bearer')
    throw toFailure('The issuer gave a token of a kind that is not known here.');
  if (!/^[\x21-\x7e]{1,16384}$/.test(access)) throw toFailure('The issuer gave a token that cannot be sent.');
  const subject = readClaims(tokens.id_token) ?? readClaims(access);
  return {
    access,
    ...(refresh !== undefined && { refresh }),
    ...(life !== undefined && life >= 0 && { expiresAt: Date.now() + Math.min(life, MAX_LIFE_S) * 1000 }),
    scopes: scope === undefined ? asked : toScopes(scope),
    ...subject,
  };
};

/**
 * Who signed in, if a token says so. It came from the issuer itself over a guarded connection; it decides nothing but
 * which of the user's own accounts this is.
 */
const readClaims = (token: string | undefined): { subject: string; label?: string } | undefined => {
  const [, payload, signature] = token?.split('.') ?? [];
  if (payload === undefined || signature === undefined) return undefined;
  try {
    // Looked at field by field.
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Record<string, unknown>;
    const { sub, email, preferred_username: user, name } = claims;
    if (typeof sub !== 'string' || sub === '') return undefined;
    const label = [email, user, name].find((one) => typeof one === 'string' && one !== '');
    return {
      subject: sub.slice(0, 500),
      ...(label !== undefined && { label: toPrintable(label, 100, { mode: 'replace' }) }),
    };
  } catch {
    return undefined;
  }
};

const toFailure = (message: string, cause?: unknown): CasementError =>
  new CasementError('sign-in-failed', message, {
    hint: 'Try again; if it stays so, tell whoever runs the server.',
    cause,
  });

/** Names what a step threw. Foreign words are shown as printable text, and never with a secret of the step in them. */
const toFlowFailure = (error: unknown, what: string, secrets: readonly string[] = []): CasementError => {
  if (error instanceof CasementError) return error;
  if (error instanceof IssuerMismatchError)
    // What was received may be an attacker's word.
    return toUnsafe(
      'Another issuer answered than the one that was asked.',
      'The sign-in was stopped. Tell whoever runs the server.',
    );
  if (error instanceof OAuthError && error.code !== 'server_error')
    return toFailure(`${what}: ${toWords(error.message, secrets)}.`, undefined);
  return toFailure(`${what}.`);
};

/** An issuer's own words, as text. */
export const toWords = (text: string, secrets: readonly string[] = []): string =>
  secrets.some((secret) => text.includes(secret))
    ? 'no reason that can be shown'
    : toPrintable(text, 200, { mode: 'replace' });

/** Whether tokens may be sent to a server at all. */
export const checkServer = (server: URL): void => {
  if (isSafeForTokens(server)) return;
  throw toUnsafe('Tokens are not sent over plain http.', 'Use the https address of the server.');
};
