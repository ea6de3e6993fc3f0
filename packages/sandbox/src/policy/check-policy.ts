import { CasementError } from '@casement/protocol/start';
import { appFamilies } from '../families/app-families.js';
import type { DomainGrammar } from './domain-grammar.js';
import { isOrigin } from './origin.js';
import {
  appPermissions,
  MAX_POLICY_LENGTH,
  removableTokens,
  type RemovableToken,
  type SandboxPolicy,
} from './sandbox-policy.js';

// What judges a policy that somebody else wrote: an address, or a host with declared domains.

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

const parseList = (value: unknown, name: string, grammar: DomainGrammar): string[] => {
  if (!Array.isArray(value) || value.length > 30) return refusePolicy(`has no valid ${name} list`);
  const entries: readonly unknown[] = value;
  return entries.map((entry) => {
    const parsed = grammar.parse(entry);
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
export const checkPolicy = (value: unknown, grammar: DomainGrammar): SandboxPolicy => {
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
