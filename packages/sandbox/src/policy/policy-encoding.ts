import { CasementError } from '@casement/protocol/basics';
import { appFamilies } from '../families/app-families.js';
import { parseDomain, type DomainContext } from './domain-grammar.js';
import { isOrigin } from './origin.js';
import { toOwnHosts } from './own-hosts.js';
import {
  appPermissions,
  MAX_POLICY_LENGTH,
  removableTokens,
  type RemovableToken,
  type SandboxPolicy,
} from './sandbox-policy.js';

const refuse = (message: string): never => {
  throw new CasementError('policy-invalid', `The sandbox policy ${message}.`);
};

/** Whether `_meta.ui.domain` is plain enough to be part of an address. */
export const isDomainHint = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x21-\x7e]{1,253}$/.test(value);

// Surrogate halves do not survive UTF-8, so two policies could share one label.
const isText = (value: unknown, max: number): value is string =>
  typeof value === 'string' && value.length <= max && !/\p{Surrogate}/u.test(value);

const parseList = (value: unknown, name: string, context: DomainContext): string[] => {
  if (!Array.isArray(value) || value.length > 30) return refuse(`has no valid ${name} list`);
  const entries: readonly unknown[] = value;
  return entries.map((entry) => {
    const parsed = parseDomain(entry, context);
    return parsed.ok ? parsed.domain : refuse(`has an entry in ${name} that ${parsed.reason}`);
  });
};

const parseTokens = (value: unknown): RemovableToken[] => {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return refuse('has no valid list of tokens to take away');
  const entries: readonly unknown[] = value;
  return entries.map(
    (entry) =>
      removableTokens.find((token) => token === entry) ??
      refuse('takes away a sandbox token that an app cannot do without, or that it never has'),
  );
};

/** Rebuilds a policy from parsed parts only; anything outside the grammar is an error here, no longer a drop. */
export const checkPolicy = (value: unknown, context: DomainContext): SandboxPolicy => {
  if (typeof value !== 'object' || value === null) return refuse('is not an object');
  // Reading by name from an object of unknown shape; every field is checked below.
  const raw = value as Readonly<Record<string, unknown>>;
  const { v, host, server, resource, declared, domain, permissions } = raw;
  if (v !== 1) return refuse('has an unknown version');
  if (!isOrigin(host)) return refuse('names no valid host origin');
  if (typeof server !== 'string' || !/^[\w-]{1,128}$/.test(server))
    return refuse('names its server in no base64url form');
  if (!isText(resource, 2048) || !resource.startsWith('ui://')) return refuse('names no ui:// resource');
  const family = appFamilies.find((name) => name === raw['family']) ?? refuse('has an unknown family');
  if (typeof declared !== 'boolean') return refuse('does not say whether a csp was declared');
  if (!Array.isArray(permissions)) return refuse('has no valid permission list');
  if (domain !== undefined && !isDomainHint(domain)) return refuse('has an invalid domain');
  const evaluation = raw['eval'];
  if (evaluation !== undefined && evaluation !== 'wasm' && evaluation !== 'unsafe')
    return refuse('has an unknown eval option');
  const without = parseTokens(raw['without']);
  return {
    v,
    host,
    server,
    resource,
    family,
    declared,
    connect: parseList(raw['connect'], 'connect', context),
    assets: parseList(raw['assets'], 'assets', context),
    frame: parseList(raw['frame'], 'frame', context),
    baseUri: parseList(raw['baseUri'], 'baseUri', context),
    permissions: appPermissions.filter((name) => permissions.includes(name)),
    ...(domain === undefined ? {} : { domain }),
    ...(evaluation === undefined ? {} : { eval: evaluation }),
    ...(without.length > 0 ? { without } : {}),
  };
};

const toSortedUnique = (list: readonly string[]): string[] => [...new Set(list)].sort();

/** The one JSON text of a policy: fixed key order, sorted unique lists. */
export const toCanonicalJson = (policy: SandboxPolicy): string =>
  JSON.stringify({
    v: policy.v,
    host: policy.host,
    server: policy.server,
    resource: policy.resource,
    family: policy.family,
    declared: policy.declared,
    connect: toSortedUnique(policy.connect),
    assets: toSortedUnique(policy.assets),
    frame: toSortedUnique(policy.frame),
    baseUri: toSortedUnique(policy.baseUri),
    permissions: toSortedUnique(policy.permissions),
    domain: policy.domain,
    eval: policy.eval,
    without: policy.without && toSortedUnique(policy.without),
  });

/** Writes a policy as canonical base64url, the `p` of every sandbox address. */
export const encodePolicy = (policy: SandboxPolicy): string => {
  const bytes = new TextEncoder().encode(toCanonicalJson(policy));
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
};

const decode = (encoded: string): unknown => {
  try {
    const binary = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return refuse('is not readable');
  }
};

/** The host page an encoded policy names, whatever else is wrong with it; undefined when it is none. */
export const readPolicyHost = (encoded: string): string | undefined => {
  if (encoded.length > MAX_POLICY_LENGTH) return undefined;
  try {
    const policy = decode(encoded);
    const host: unknown =
      typeof policy === 'object' && policy !== null ? Reflect.get(policy, 'host') : undefined;
    return isOrigin(host) ? host : undefined;
  } catch {
    return undefined;
  }
};

/** Reads an encoded policy back, accepting only what `encodePolicy` would have written for it. */
export const parsePolicy = (
  encoded: string,
  options: {
    readonly base: string;
    readonly otherSiteBase?: string;
    readonly hostOrigins: readonly string[];
    readonly opaqueBase?: string;
    readonly allowLoopback?: boolean;
  },
): SandboxPolicy => {
  if (encoded.length > MAX_POLICY_LENGTH || !/^[\w-]+$/.test(encoded))
    return refuse('is not base64url of a sane length');
  const own = toOwnHosts(options.hostOrigins, [options.base, options.otherSiteBase, options.opaqueBase]);
  const policy = checkPolicy(decode(encoded), { own, allowLoopback: options.allowLoopback ?? false });
  if (encodePolicy(policy) !== encoded) return refuse('is not in canonical form');
  if (!options.hostOrigins.includes(policy.host))
    return refuse('names a host page this sandbox does not serve');
  return policy;
};
