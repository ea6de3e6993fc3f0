import { SANDBOX_RELEASE } from '../release.js';
import type { SandboxPolicy } from './sandbox-policy.js';

/*
 * A policy as text, and the addresses it leads to.
 *
 * 1. A policy has one text: canonical JSON as base64url. It travels in the address of both frames.
 * 2. Whoever reads an address parses the policy again and takes no other text for it than the canonical one.
 * 3. The app's host name begins with the hash of that text, so an origin has one policy and cannot have another.
 */

/** Every key of a policy, in the order of its text. */
const keys =
  'v host server resource family declared connect assets frame baseUri permissions domain eval without'.split(
    ' ',
  );

/** The one text of a policy: JSON with a fixed order of keys, and sorted unique lists. */
const toBytes = (policy: SandboxPolicy): Uint8Array<ArrayBuffer> => {
  const sorted = Object.entries<unknown>({ ...policy }).map(([key, value]) => [
    key,
    Array.isArray(value) ? [...new Set<unknown>(value)].sort() : value,
  ]);
  return new TextEncoder().encode(JSON.stringify(Object.fromEntries(sorted), keys));
};

/** Writes a policy as canonical base64url, the `p` of every sandbox address. */
export const encodePolicy = (policy: SandboxPolicy): string => {
  const binary = Array.from(toBytes(policy), (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
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

/** Five bits a letter; zeros fill up the last one. */
const toBase32 = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0'))
    .join('')
    .replace(/.{1,5}/g, (bits) => alphabet.charAt(parseInt(bits.padEnd(5, '0'), 2)));

/** The DNS label that is the policy's signature: its whole SHA-256 (a shortened one was brute-forced). */
export const toSandboxLabel = async (policy: SandboxPolicy): Promise<string> =>
  toBase32(new Uint8Array(await crypto.subtle.digest('SHA-256', toBytes(policy))));

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
