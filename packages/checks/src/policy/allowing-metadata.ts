import type { DeclaredCsp } from '@casement/protocol';
import type { SandboxPolicy } from '@casement/sandbox';
import { createSandboxPolicy } from '@casement/sandbox';
import { toKeywordAdvice, toSchemeAdvice, toUnlistedAdvice } from './no-metadata-advice.js';
import type { PolicyList } from './policy-lists.js';
import { findPolicyList, policyLists, toDirectiveName } from './policy-lists.js';

/** A load the policy stopped, as either witness tells it. */
export interface BlockedLoad {
  readonly directive: string;
  readonly blockedUri: string;
}

/** What is known about the app the load was blocked in. */
export interface BlockedIn {
  readonly policy?: SandboxPolicy | undefined;
  readonly appOrigin?: string | undefined;
  /** The sandbox gives no origin per app, so frames cannot be allowed. */
  readonly isOpaque?: boolean;
}

/** What lets the load through, or why no metadata does and what to do instead. */
export type Remedy =
  | {
      readonly kind: 'metadata';
      readonly field: keyof DeclaredCsp;
      readonly origin: string;
      readonly line: string;
    }
  | { readonly kind: 'none'; readonly reason: string; readonly instead: string; readonly line?: string };

/** One list of the metadata; what is allowed already stays in it, so that it can replace the old one. */
const toListText = (list: PolicyList, origins: readonly string[], policy?: SandboxPolicy): string => {
  const domains = [...new Set([...(policy?.[list.effective] ?? []), ...origins])].sort();
  return `"${list.field}": [${domains.map((domain) => JSON.stringify(domain)).join(', ')}]`;
};

const toLine = (list: PolicyList, origin: string, policy?: SandboxPolicy): string =>
  `"_meta": { "ui": { "csp": { ${toListText(list, [origin], policy)} } } }`;

/** The whole csp that allows everything metadata can allow, when that is more than one thing. */
export const toCombinedLine = (remedies: readonly Remedy[], policy?: SandboxPolicy): string | undefined => {
  const allowing = remedies.filter((remedy) => remedy.kind === 'metadata');
  const lists = policyLists.flatMap((list) => {
    const origins = allowing.filter(({ field }) => field === list.field).map(({ origin }) => origin);
    const isNeeded = origins.length > 0 || (policy?.[list.effective].length ?? 0) > 0;
    return isNeeded ? [toListText(list, origins, policy)] : [];
  });
  const isOne = new Set(allowing.map(({ line }) => line)).size < 2;
  return isOne ? undefined : `"_meta": { "ui": { "csp": { ${lists.join(', ')} } } }`;
};

/** Asks the sandbox's own rules, so that no line is offered which would be dropped. */
const toRefusal = (list: PolicyList, origin: string, { policy, isOpaque }: BlockedIn): string | undefined => {
  const { dropped } = createSandboxPolicy({
    hostOrigin: policy?.host ?? 'https://host.invalid',
    ...(isOpaque ? { opaqueBase: 'https://sandbox.invalid' } : { base: 'https://sandbox.invalid' }),
    server: 'any',
    resourceUri: 'ui://any/app',
    family: 'mcp-apps',
    csp: { [list.field]: [origin] },
  });
  return dropped[0]?.reason;
};

const secured: Readonly<Record<string, string>> = { 'http:': 'https:', 'ws:': 'wss:' };

const toOriginRemedy = (list: PolicyList, url: URL, within: BlockedIn): Remedy => {
  const { origin } = url;
  if (origin === within.appOrigin) {
    return {
      kind: 'none',
      reason: 'This is the app’s own sandbox origin, which serves nothing: the address was relative.',
      instead:
        'Use the absolute address of your server and declare its origin, or call a tool of your server.',
    };
  }
  if (within.policy?.[list.effective].includes(origin)) {
    return {
      kind: 'none',
      reason: `${origin} is allowed already.`,
      instead:
        'It probably redirects to another origin: declare that one as well, or use its address directly.',
    };
  }
  const refusal = toRefusal(list, origin, within);
  if (refusal === undefined)
    return { kind: 'metadata', field: list.field, origin, line: toLine(list, origin, within.policy) };
  const scheme = secured[url.protocol];
  const better = scheme === undefined ? undefined : origin.replace(url.protocol, scheme);
  if (better !== undefined && toRefusal(list, better, within) === undefined) {
    return {
      kind: 'none',
      reason: `${origin} ${refusal}.`,
      instead: `Load it from ${better} and declare that.`,
      line: toLine(list, better, within.policy),
    };
  }
  return {
    kind: 'none',
    reason: `${origin} ${refusal}.`,
    instead: 'Fetch it in a tool of your server and let the app call that tool.',
  };
};

/** The exact metadata line that would allow a blocked load; for loads no metadata can allow, what to do instead. */
export const toAllowingMetadata = (blocked: BlockedLoad, within: BlockedIn = {}): Remedy => {
  const directive = toDirectiveName(blocked.directive);
  const uri = blocked.blockedUri.trim();
  const advice = toKeywordAdvice(directive, uri) ?? toUnlistedAdvice(directive);
  if (advice) return { kind: 'none', ...advice };
  const list = findPolicyList(directive);
  if (!list || !URL.canParse(uri) || !/^(?:https?|wss?):/i.test(uri))
    return { kind: 'none', ...toSchemeAdvice(directive, uri) };
  return toOriginRemedy(list, new URL(uri), within);
};
