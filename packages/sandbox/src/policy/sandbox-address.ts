import { encodePolicy, toCanonicalJson } from './policy-encoding.js';
import type { SandboxPolicy } from './sandbox-policy.js';
import { SANDBOX_RELEASE } from '../release.js';

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
