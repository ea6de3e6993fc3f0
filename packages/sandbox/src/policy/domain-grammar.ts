import type { DeclaredCsp } from '@casement/protocol';
import { toPrintable } from '@casement/protocol/basics';
import { isLoopbackName, isPrivateHost } from './private-hosts.js';
import { isSharedDomain } from './shared-domains.js';

/** A declared entry that did not become part of the policy, and why. */
export interface DroppedDomain {
  readonly field: keyof DeclaredCsp;
  /** Safe to show: printable, and cut after 200 characters. */
  readonly value: string;
  readonly reason: string;
}

/** What the grammar must know of the host and its settings. */
interface DomainContext {
  readonly own: OwnHosts;
  /** Developer switch: loopback and private-network addresses may be declared. */
  readonly allowLoopback: boolean;
}

type ParsedDomain =
  { readonly ok: true; readonly domain: string } | { readonly ok: false; readonly reason: string };

const MAX_ENTRIES = 30;
const MAX_LISTED = 100;
const MAX_LENGTH = 253;

const refuse = (reason: string): ParsedDomain => ({ ok: false, reason });

/** Names the most telling reason for text that has not even the shape of an origin. */
const toShapeReason = (text: string): string => {
  if (text === '') return 'is empty';
  if (/[\p{C}\p{Z}]/u.test(text)) return 'contains a space, control or invisible character';
  if (/^'.*'$/.test(text)) return 'is a policy keyword, not an origin';
  if (/['"`;,$<>\\%|^{}()]/.test(text)) return 'contains a quote, separator or other character no origin has';
  if (text === '*') return 'would allow every origin';
  if (/^[a-z][a-z0-9+.-]*:(\/\/)?$/i.test(text)) return 'is a bare scheme, not an origin';
  if (text.includes('@')) return 'contains user information';
  if (/^[a-z][a-z0-9+.-]*:\/\/\[/i.test(text)) return 'is an IPv6 address, which a policy cannot name';
  if (/:\*/.test(text)) return 'leaves the port open';
  if (/^[a-z][a-z0-9+.-]*:\/\/[^/?#]+[/?#]/i.test(text))
    return 'has a path, query or fragment; declare the origin only';
  if (text.includes('*')) return 'may use * only as the whole first label, as in https://*.example.com';
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return 'is not a valid origin';
  return 'has no scheme; write it as an origin, like https://example.com';
};

// One scheme, an optional "*." label, a host without any delimiter, an optional port, at most the empty path.
const shape = /^([a-z]+):\/\/(\*\.)?([^\p{C}\p{Z}'"`;,$<>\\%|^{}()@:/?#*[\]]+)(?::(\d{1,5}))?\/?$/iu;
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Parses one declared domain into the canonical origin a policy may name (T4: parse, don't filter). */
const parseDomain = (value: unknown, context: DomainContext): ParsedDomain => {
  if (typeof value !== 'string') return refuse('is not a string');
  if (value.length > MAX_LENGTH) return refuse(`is longer than ${MAX_LENGTH} characters`);
  const match = shape.exec(value);
  if (!match) return refuse(toShapeReason(value));
  const [, rawScheme = '', star = '', rawHost = '', rawPort = ''] = match;
  const scheme = rawScheme.toLowerCase();
  if (!['https', 'wss', 'http', 'ws'].includes(scheme))
    return refuse(`uses the scheme ${scheme}; only https and wss are allowed`);
  let url: URL;
  try {
    // The URL parser brings IDNA, letter case and every spelling of an IPv4 address to one form.
    url = new URL(`${scheme}://${rawHost}${rawPort && `:${rawPort}`}/`);
  } catch {
    return refuse('is not a valid origin');
  }
  const { hostname, port } = url;
  const wildcard = star !== '';
  if (hostname.length > MAX_LENGTH || !hostname.split('.').every((part) => label.test(part))) {
    return refuse('is not a valid host name');
  }
  if (port === '0') return refuse('uses port 0');
  const isAddress = /^[\d.]+$/.test(hostname);
  if (wildcard && (isAddress || !hostname.includes('.')))
    return refuse('has a wildcard that covers too much');
  if (isOwnHost(context.own, { scheme, wildcard, name: hostname, port })) {
    return refuse('would reach the host page or the sandbox itself');
  }
  const loopback = isLoopbackName(hostname);
  if ((scheme === 'http' || scheme === 'ws') && !loopback) {
    return refuse(`uses ${scheme}, which is not encrypted; use ${scheme === 'http' ? 'https' : 'wss'}`);
  }
  if ((loopback || isPrivateHost(hostname)) && !context.allowLoopback) {
    return refuse('is on this machine or a private network, which the host does not allow');
  }
  if (wildcard && isSharedDomain(hostname))
    return refuse('has a wildcard over a domain where anybody can have a name; declare the names in use');
  return { ok: true, domain: `${scheme}://${star}${hostname}${port && `:${port}`}` };
};

/** What turns declared domains into those that a policy may name. */
export interface DomainGrammar {
  parse(value: unknown): ParsedDomain;
  parseList(field: keyof DeclaredCsp, list: unknown): { domains: string[]; dropped: DroppedDomain[] };
}

/** Makes the grammar of one host page and its sandbox, which no app may declare. */
export const createDomainGrammar = (given: {
  readonly hostOrigin?: string;
  readonly hostOrigins?: readonly string[];
  readonly denyOrigins?: readonly string[];
  readonly base?: string;
  readonly otherSiteBase?: string | undefined;
  readonly opaqueBase?: string;
  readonly allowLoopback?: boolean;
}): DomainGrammar => {
  const context: DomainContext = {
    own: toOwnHosts(
      [
        ...(given.hostOrigin === undefined ? [] : [given.hostOrigin]),
        ...(given.hostOrigins ?? []),
        ...(given.denyOrigins ?? []),
      ],
      [given.base, given.otherSiteBase, given.opaqueBase],
    ),
    allowLoopback: given.allowLoopback ?? false,
  };
  return {
    parse: (value) => parseDomain(value, context),
    parseList: (field, list) => parseDomainList(field, list, context),
  };
};

/** Parses one declared list; whatever it holds, the result is short, sorted, unique and safe to put in a header. */
const parseDomainList = (
  field: keyof DeclaredCsp,
  list: unknown,
  context: DomainContext,
): { domains: string[]; dropped: DroppedDomain[] } => {
  const domains = new Set<string>();
  const dropped: DroppedDomain[] = [];
  const drop = (value: unknown, reason: string): void => {
    dropped.push({ field, value: toPrintable(value), reason });
  };
  try {
    if (list === undefined || list === null) return { domains: [], dropped };
    if (!Array.isArray(list)) {
      drop(list, 'is not a list of origins');
      return { domains: [], dropped };
    }
    const entries: readonly unknown[] = list;
    const looked = Math.min(entries.length, MAX_LISTED);
    for (let index = 0; index < looked; index += 1) {
      const entry = entries[index];
      const parsed = parseDomain(entry, context);
      if (!parsed.ok) drop(entry, parsed.reason);
      else if (domains.size >= MAX_ENTRIES && !domains.has(parsed.domain)) {
        drop(entry, `is past the limit of ${MAX_ENTRIES} origins per list`);
      } else domains.add(parsed.domain);
    }
    if (entries.length > looked) {
      drop(
        `${entries.length - looked} more entries`,
        `are past the limit of ${MAX_ENTRIES} origins per list`,
      );
    }
  } catch {
    // A getter or proxy object in a hand-made declaration; JSON never brings one.
    drop('(unreadable)', 'could not be read');
  }
  return { domains: [...domains].sort(), dropped };
};

/** The addresses of the host page and of the sandbox itself, which no app may declare (A37). */
interface OwnHosts {
  /** Host names that are refused on every port, with everything below them when `below` is set. */
  readonly names: readonly { readonly name: string; readonly below: boolean }[];
  /** Ports that are refused on every loopback name: another spelling of loopback reaches the same server. */
  readonly loopbackPorts: ReadonlySet<string>;
}

const defaultPorts: Readonly<Record<string, string>> = { http: '80', ws: '80', https: '443', wss: '443' };

/** The port an address connects to, also when it is the scheme's default and therefore not written. */
const toPort = (scheme: string, port: string): string => port || (defaultPorts[scheme] ?? '');

/** Collects what is ours from the host page's origins and the addresses the sandbox is served on. */
const toOwnHosts = (
  hostOrigins: readonly string[],
  sandboxBases: readonly (string | undefined)[],
): OwnHosts => {
  const names: { name: string; below: boolean }[] = [];
  const loopbackPorts = new Set<string>();
  const add = (address: string, below: boolean): void => {
    const url = new URL(address);
    const bare = url.hostname === 'localhost' || /^127\./.test(url.hostname) || url.hostname === '[::1]';
    if (isLoopbackName(url.hostname)) loopbackPorts.add(toPort(url.protocol.slice(0, -1), url.port));
    // Bare loopback also carries the developer's own servers on other ports; there only the port is ours.
    if (!bare) names.push({ name: url.hostname, below });
  };
  for (const origin of hostOrigins) add(origin, false);
  for (const base of sandboxBases) if (base !== undefined) add(base, true);
  return { names, loopbackPorts };
};

/** Whether a declared host, or a wildcard over it, would reach the host page or the sandbox. */
const isOwnHost = (
  own: OwnHosts,
  declared: { scheme: string; wildcard: boolean; name: string; port: string },
): boolean => {
  const { name, wildcard } = declared;
  if (isLoopbackName(name) && own.loopbackPorts.has(toPort(declared.scheme, declared.port))) return true;
  return own.names.some(
    (mine) =>
      (!wildcard && name === mine.name) ||
      (wildcard && mine.name.endsWith(`.${name}`)) ||
      (mine.below && (name === mine.name || name.endsWith(`.${mine.name}`))),
  );
};
