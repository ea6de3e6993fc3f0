import { CasementError } from '@casement/protocol/basics';
import { appFamilies } from '../families/app-families.js';
import { SANDBOX_RELEASE } from '../release.js';
import type { DomainGrammar } from './domain-grammar.js';
import { isOrigin } from './origin.js';
import {
  appPermissions,
  MAX_POLICY_LENGTH,
  removableTokens,
  type RemovableToken,
  type SandboxPolicy,
} from './sandbox-policy.js';

/*
 * A policy as text, and the addresses it leads to.
 *
 * 1. A policy has one text: canonical JSON as base64url. It travels in the address of both frames.
 * 2. Whoever reads an address parses the policy again and takes no other text for it than the canonical one.
 * 3. The app's host name begins with the hash of that text, so an origin has one policy and cannot have another.
 */

/** Throws policy-invalid. */
export const refusePolicy = (message: string): never => {
  throw new CasementError('policy-invalid', `The sandbox policy ${message}.`);
};

/** Whether `_meta.ui.domain` is plain enough to be part of an address. */
export const isDomainHint = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x21-\x7e]{1,253}$/.test(value);

// Surrogate halves do not survive UTF-8, so two policies could share one label.
const isText = (value: unknown, max: number): value is string =>
  typeof value === 'string' && value.length <= max && !/\p{Surrogate}/u.test(value);

const parseList = (value: unknown, name: string, grammar: DomainGrammar | undefined): string[] => {
  if (!Array.isArray(value) || value.length > 30) return refusePolicy(`has no valid ${name} list`);
  const entries: readonly unknown[] = value;
  return entries.map((entry) => {
    const parsed = grammar?.parse(entry) ?? { ok: false, reason: 'nobody judged' };
    return parsed.ok ? parsed.domain : refusePolicy(`has an entry in ${name} that ${parsed.reason}`);
  });
};

const parseTokens = (value: unknown): RemovableToken[] => {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return refusePolicy('has no valid list of tokens to take away');
  const entries: readonly unknown[] = value;
  return entries.map(
    (entry) =>
      removableTokens.find((token) => token === entry) ??
      refusePolicy('takes away a sandbox token that an app cannot do without, or that it never has'),
  );
};

/** Rebuilds a policy from parsed parts only; anything outside the grammar is an error here, no longer a drop. */
export const checkPolicy = (value: unknown, grammar: DomainGrammar | undefined): SandboxPolicy => {
  if (typeof value !== 'object' || value === null) return refusePolicy('is not an object');
  // Reading by name from an object of unknown shape; every field is checked below.
  const raw = value as Readonly<Record<string, unknown>>;
  const { v, host, server, resource, declared, domain, permissions } = raw;
  if (v !== 1) return refusePolicy('has an unknown version');
  if (!isOrigin(host)) return refusePolicy('names no valid host origin');
  if (typeof server !== 'string' || !/^[\w-]{1,128}$/.test(server))
    return refusePolicy('names its server in no base64url form');
  if (!isText(resource, 2048) || !resource.startsWith('ui://'))
    return refusePolicy('names no ui:// resource');
  const family = appFamilies.find((name) => name === raw['family']) ?? refusePolicy('has an unknown family');
  if (typeof declared !== 'boolean') return refusePolicy('does not say whether a csp was declared');
  if (!Array.isArray(permissions)) return refusePolicy('has no valid permission list');
  if (domain !== undefined && !isDomainHint(domain)) return refusePolicy('has an invalid domain');
  const evaluation = raw['eval'];
  if (evaluation !== undefined && evaluation !== 'wasm' && evaluation !== 'unsafe')
    return refusePolicy('has an unknown eval option');
  const without = parseTokens(raw['without']);
  return {
    v,
    host,
    server,
    resource,
    family,
    declared,
    connect: parseList(raw['connect'], 'connect', grammar),
    assets: parseList(raw['assets'], 'assets', grammar),
    frame: parseList(raw['frame'], 'frame', grammar),
    baseUri: parseList(raw['baseUri'], 'baseUri', grammar),
    permissions: appPermissions.filter((name) => permissions.includes(name)),
    ...(domain === undefined ? {} : { domain }),
    ...(evaluation === undefined ? {} : { eval: evaluation }),
    ...(without.length > 0 ? { without } : {}),
  };
};

const toSortedUnique = (list: readonly string[]): string[] => [...new Set(list)].sort();

/** The one JSON text of a policy: fixed key order, sorted unique lists. */
const toCanonicalJson = (policy: SandboxPolicy): string =>
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

/** The value an encoded policy holds, whatever it is. */
export const decodePolicy = (encoded: string): unknown => {
  try {
    const binary = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return refusePolicy('is not readable');
  }
};

/** The host page an encoded policy names, whatever else is wrong with it; undefined when it is none. */
export const readPolicyHost = (encoded: string): string | undefined => {
  if (encoded.length > MAX_POLICY_LENGTH) return undefined;
  try {
    const policy = decodePolicy(encoded);
    const host: unknown =
      typeof policy === 'object' && policy !== null ? Reflect.get(policy, 'host') : undefined;
    return isOrigin(host) ? host : undefined;
  } catch {
    return undefined;
  }
};

/** The label below the sandbox's base that serves the proxy and never an app. */
export const PROXY_LABEL = 'sandbox';

/** The addresses of one app's two frames in the three-origin sandbox. */
interface SandboxAddress {
  readonly proxyUrl: string;
  readonly proxyOrigin: string;
  readonly appUrl: string;
  readonly appOrigin: string;
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

const toBase32 = (bytes: Uint8Array): string => {
  let text = '';
  let buffer = 0;
  let bits = 0;
  for (const byte of bytes) {
    buffer = ((buffer << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += alphabet.charAt((buffer >> bits) & 31);
    }
  }
  return bits > 0 ? text + alphabet.charAt((buffer << (5 - bits)) & 31) : text;
};

/** The DNS label that is the policy's signature: its whole SHA-256 (a shortened one was brute-forced). */
export const toSandboxLabel = async (policy: SandboxPolicy): Promise<string> => {
  const bytes = new TextEncoder().encode(toCanonicalJson(policy));
  return toBase32(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
};

/** The parameter of a proxy's address that says that its app is on the other site. */
export const OTHER_SITE = { name: 'site', value: 'other' } as const;

/** The release comes first and decides nothing but how long the page may be kept. */
const toQuery = (policy: SandboxPolicy): string => `?v=${SANDBOX_RELEASE}&p=${encodePolicy(policy)}`;

/** The addresses of an app's proxy below `base` and of the app itself there, or below the other site if one is given. */
export const toSandboxAddress = async (
  base: string,
  policy: SandboxPolicy,
  otherSiteBase?: string,
): Promise<SandboxAddress> => {
  const { protocol, host } = new URL(base);
  const appBase = new URL(otherSiteBase ?? base);
  const query = toQuery(policy);
  const site = otherSiteBase === undefined ? '' : `&${OTHER_SITE.name}=${OTHER_SITE.value}`;
  const proxyOrigin = `${protocol}//${PROXY_LABEL}.${host}`;
  const appOrigin = `${appBase.protocol}//${await toSandboxLabel(policy)}.${appBase.host}`;
  return {
    proxyUrl: `${proxyOrigin}/proxy${query}${site}`,
    proxyOrigin,
    appUrl: `${appOrigin}/app${query}`,
    appOrigin,
  };
};

/** The address of fallback 1: one proxy origin, the app opaque inside it. */
export const toOpaqueAddress = (
  opaqueBase: string,
  policy: SandboxPolicy,
): { proxyUrl: string; proxyOrigin: string; appOrigin: 'null' } => {
  const proxyOrigin = new URL(opaqueBase).origin;
  return { proxyUrl: `${proxyOrigin}/opaque${toQuery(policy)}`, proxyOrigin, appOrigin: 'null' };
};

/** The address of the probe that tells why this proxy does not load; `around` are the origins that frame the page. */
export const toProbeAddress = (proxyUrl: string, around: readonly string[]): string => {
  const url = new URL(proxyUrl);
  url.pathname = '/probe';
  for (const origin of around) url.searchParams.append('around', origin);
  return url.href;
};
