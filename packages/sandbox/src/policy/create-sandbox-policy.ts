import type { AppFamily, AppPermission, DeclaredCsp } from '@casement/protocol';
import { toPrintable } from '@casement/protocol/basics';
import { CasementError } from '@casement/protocol/start';
import { createDomainGrammar, type DroppedDomain } from './domain-grammar.js';
import { isOrigin } from './origin.js';
import { checkPolicy, isDomainHint } from './check-policy.js';
import { encodePolicy } from './sandbox-address.js';
import {
  appPermissions,
  MAX_POLICY_LENGTH,
  type RemovableToken,
  type SandboxPolicy,
} from './sandbox-policy.js';

/** The facts that a host knows when it mounts an app. */
export interface SandboxPolicyInput {
  readonly hostOrigin: string;
  /** Three-origin sandbox, e.g. `http://casement.localhost:6271`. */
  readonly base?: string;
  /** The base of apps in browsers that isolate by site; no app may declare it, as with `base`. */
  readonly otherSiteBase?: string | undefined;
  /** Fallback 1: the proxy's own origin, e.g. `http://127.0.0.1:6271`; its apps get no frame domains. */
  readonly opaqueBase?: string;
  readonly server: string;
  readonly resourceUri: string;
  readonly family: AppFamily;
  /** `_meta.ui.csp` as the server sent it. */
  readonly csp?: unknown;
  /** The permissions that were both declared and granted. */
  readonly permissions?: readonly AppPermission[];
  /** `_meta.ui.domain`: separates storage, never chooses the origin (A42). */
  readonly domain?: unknown;
  readonly allowLoopback?: boolean;
  readonly eval?: 'wasm' | 'unsafe';
  /** Sandbox tokens to take away from both frames. */
  readonly without?: readonly RemovableToken[] | undefined;
  /** More origins of the embedding product that apps may not declare. */
  readonly denyOrigins?: readonly string[];
}

const fields = [
  ['connectDomains', 'connect'],
  ['resourceDomains', 'assets'],
  ['frameDomains', 'frame'],
  ['baseUriDomains', 'baseUri'],
] as const;

const readField = (csp: object, field: keyof DeclaredCsp): unknown => {
  try {
    return Reflect.get(csp, field);
  } catch {
    return '(unreadable)';
  }
};

const toLength = (list: readonly string[]): number => list.join().length;

/** Builds the effective policy of one app; what was declared but not granted is listed, never an error. */
export const createSandboxPolicy = (
  input: SandboxPolicyInput,
): { policy: SandboxPolicy; dropped: DroppedDomain[] } => {
  const opaque = input.base === undefined;
  for (const origin of [input.hostOrigin, ...(input.denyOrigins ?? [])]) {
    if (!isOrigin(origin)) {
      throw new CasementError(
        'policy-invalid',
        `The host origin "${toPrintable(origin)}" is not an http(s) origin.`,
        {
          hint: 'Pass location.origin of the page that mounts the app.',
        },
      );
    }
  }
  const grammar = createDomainGrammar(input);
  const dropped: DroppedDomain[] = [];
  const csp = typeof input.csp === 'object' && !Array.isArray(input.csp) ? input.csp : null;
  if (csp === null && input.csp !== undefined && input.csp !== null) {
    dropped.push({
      field: 'connectDomains',
      value: toPrintable(input.csp),
      reason: 'the csp is not an object',
    });
  }
  const lists: Record<'connect' | 'assets' | 'frame' | 'baseUri', string[]> = {
    connect: [],
    assets: [],
    frame: [],
    baseUri: [],
  };
  if (csp !== null) {
    for (const [field, name] of fields) {
      const parsed = grammar.parseList(field, readField(csp, field));
      dropped.push(...parsed.dropped);
      lists[name] = parsed.domains;
    }
  }
  if (opaque && lists.frame.length > 0) {
    // An opaque guest could navigate itself to a frame domain and keep the bridge (architecture, fallback 1).
    const reason = 'cannot be framed without an origin per app, which this browser or set-up does not give';
    dropped.push(...lists.frame.map((value) => ({ field: 'frameDomains' as const, value, reason })));
    lists.frame = [];
  }
  const toPolicy = (): SandboxPolicy => ({
    v: 1,
    host: input.hostOrigin,
    server: input.server,
    resource: input.resourceUri,
    family: input.family,
    declared: csp !== null,
    ...lists,
    permissions: appPermissions.filter((name) => input.permissions?.includes(name)),
    ...(isDomainHint(input.domain) ? { domain: input.domain } : {}),
    ...(input.eval === undefined ? {} : { eval: input.eval }),
    ...(input.without?.length ? { without: input.without } : {}),
  });
  let policy = toPolicy();
  while (encodePolicy(policy).length > MAX_POLICY_LENGTH) {
    const [field, name] = fields.reduce((a, b) => (toLength(lists[b[1]]) > toLength(lists[a[1]]) ? b : a));
    const value = lists[name].pop();
    if (value === undefined) {
      throw new CasementError('policy-invalid', 'The resource address is too long for a sandbox policy.');
    }
    dropped.push({ field, value, reason: 'does not fit: the whole policy is limited to 8 KB' });
    policy = toPolicy();
  }
  return { policy: checkPolicy(policy, grammar), dropped };
};
