import { toPrintable } from '@casement/protocol/basics';
import { CasementError, isRecord } from '@casement/protocol/start';
import type { Fetch } from '../proxy/choose-fetch.js';

const MAX_BYTES = 64 * 1024;
const LIMIT_MS = 10_000;
const MAX_REDIRECTS = 3;

/** What a server publishes about signing in; undefined where it publishes no such document. */
export interface SignInDocuments {
  /** Hosts that may give tokens for this server, as the server says. */
  issuers: string[];
  /** Where it was read. */
  resource?: string;
  /** Whether the document of an authorization server at this very origin was read. */
  hasIssuerDocument: boolean;
}

const refuse = (path: string, why: string): CasementError =>
  new CasementError('metadata-invalid', `The document ${toPrintable(path, 200)} ${why}.`, {
    hint: 'Whoever runs the server has to correct it: sign-in is found by it.',
  });

/** A body, up to the limit; the rest is not read. */
const readText = async (response: Response, path: string): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw refuse(path, 'is over the limit of 64 KB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

const parseDocument = (text: string, path: string): Record<string, unknown> => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse(path, 'is no JSON');
  }
  if (isRecord(value)) return value;
  throw refuse(path, 'is no JSON object');
};

/**
 * Reads one document of the server's own origin, without any header that the user gave: undefined when it is not there. A
 * redirect within the origin is followed, one that leads out of it is not (C30).
 */
const readDocument = async (
  start: URL,
  fetchBy: Fetch,
  stop: AbortSignal,
): Promise<Record<string, unknown> | undefined> => {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(LIMIT_MS)]);
  const path = start.pathname;
  let url = start;
  try {
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const response = await fetchBy(url, {
        redirect: 'manual',
        signal,
        headers: { accept: 'application/json' },
      });
      const target = response.headers.get('location');
      if (response.status >= 300 && response.status < 400 && target !== null) {
        await response.body?.cancel();
        url = toRedirect(url, target, path);
        continue;
      }
      if (response.ok) return parseDocument(await readText(response, path), path);
      await response.body?.cancel();
      if (response.status >= 500) throw refuse(path, `could not be read (HTTP ${response.status})`);
      return undefined;
    }
    throw refuse(path, 'leads from one address to the next without an end');
  } catch (error) {
    if (error instanceof CasementError) throw error;
    if (stop.aborted) throw new CasementError('cancelled', 'The diagnosis was ended.', { cause: error });
    throw refuse(path, signal.aborted ? 'did not come within 10 s' : 'could not be read');
  }
};

const toRedirect = (from: URL, target: string, path: string): URL => {
  const next = URL.canParse(target, from) ? new URL(target, from) : undefined;
  if (next?.origin === from.origin) return next;
  throw refuse(path, 'leads to another origin, where it is not read');
};

/** Where a document is looked for: with the path of the server, then at the root of its origin. */
const toPlaces = (origin: URL, name: string, path: string): URL[] => {
  const root = `/.well-known/${name}`;
  const paths = path === '/' ? [root] : [`${root}${path.endsWith('/') ? path.slice(0, -1) : path}`, root];
  return paths.map((place) => new URL(place, origin));
};

const readFirst = async (
  places: readonly URL[],
  fetchBy: Fetch,
  stop: AbortSignal,
): Promise<{ document: Record<string, unknown>; place: URL } | undefined> => {
  for (const place of places) {
    const document = await readDocument(place, fetchBy, stop);
    if (document !== undefined) return { document, place };
  }
  return undefined;
};

const readIssuers = (document: Record<string, unknown>, path: string): URL[] => {
  const named: unknown = document.authorization_servers;
  if (named === undefined) return [];
  if (!Array.isArray(named)) throw refuse(path, 'has "authorization_servers" that is no list');
  const issuers = named
    .slice(0, 5)
    .filter((issuer): issuer is string => typeof issuer === 'string' && URL.canParse(issuer));
  if (issuers.length === 0) throw refuse(path, 'names no authorization server');
  return issuers.map((issuer) => new URL(issuer));
};

/**
 * Reads what a server publishes about signing in, from its own origin alone: an authorization server elsewhere is named,
 * and not asked.
 */
export const readSignInDocuments = async (
  server: URL,
  announced: string | undefined,
  fetchBy: Fetch,
  stop: AbortSignal,
): Promise<SignInDocuments | undefined> => {
  const origin = new URL(server.origin);
  const told = announced !== undefined && URL.canParse(announced) ? new URL(announced) : undefined;
  const places = toPlaces(origin, 'oauth-protected-resource', server.pathname);
  const own = told?.origin === server.origin ? [told, ...places] : places;
  const resource = await readFirst(own, fetchBy, stop);
  const issuers = resource ? readIssuers(resource.document, resource.place.pathname) : [];
  const isOwn = (issuer: URL): boolean => issuer.origin === server.origin;
  // Servers of an older revision are their own authorization server.
  const issuer = issuers.length === 0 ? origin : issuers.find(isOwn);
  const issuerDocument =
    issuer &&
    (await readFirst(toPlaces(origin, 'oauth-authorization-server', issuer.pathname), fetchBy, stop));
  if (resource === undefined && issuerDocument === undefined) return undefined;
  return {
    issuers: issuers.length === 0 ? [origin.host] : issuers.map(({ host }) => host),
    ...(resource && { resource: resource.place.pathname }),
    hasIssuerDocument: issuerDocument !== undefined,
  };
};
