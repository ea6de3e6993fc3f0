import type { AppFamily, AppPermission, DeclaredCsp, MetadataFinding } from '@casement/protocol';
import { CasementError } from '@casement/protocol/start';
import {
  createPlainPolicy,
  encodePolicy,
  toAllowAttribute,
  toAppCsp,
  toFrameSandbox,
  SANDBOX_RELEASE,
  toProbeAddress,
  toSandboxAddress,
} from '@casement/sandbox/address';
import type { DroppedDomain, SandboxPolicy } from '@casement/sandbox';
import type { AppResource } from '../load/app-resource.js';
import { throwCodeMissing } from '../missing-code.js';
import type { SessionOptions, SandboxTarget } from '../session-options.js';
import type { FrameSpec } from '../surface.js';
import type * as Unusual from '../loaded/unusual-app.js';

/** How one resource will be framed: the effective policy and the addresses it leads to. */
export interface FramePlan {
  /** Equal for plans that give the same frames. */
  readonly key: string;
  readonly frame: FrameSpec;
  readonly appOrigin: string;
  /** Where the app lives, if the sandbox has two sites to choose from. */
  readonly site?: 'page' | 'other';
  readonly policy: SandboxPolicy;
  readonly declared?: DeclaredCsp;
  readonly dropped: readonly DroppedDomain[];
  /** The whole content policy of the app. The sandbox handler adds `report-uri` if it has `onReport`. */
  readonly csp: string;
  /** Findings about the tool and about refused domains, for their author to fix. */
  readonly findings: readonly MetadataFinding[];
  readonly fallback?: { readonly kind: 'opaque' | 'static'; readonly reason: string };
}

/** What decides how a resource is framed. */
export type FramedResource = Pick<AppResource, 'uri' | 'family' | 'csp' | 'permissions' | 'domain'>;

/** The options of an embedder that decide how frames are made, whatever they show. */
export type FrameChoices = Pick<
  SessionOptions,
  'sandbox' | 'storage' | 'user' | 'permissions' | 'allowLoopback' | 'denyOrigins' | 'withoutSandboxTokens'
>;

/** The same with what is shown, and what the browser has. */
interface FrameOptions extends FrameChoices {
  /** What is odd about the tool itself. */
  readonly toolFindings?: readonly MetadataFinding[];
  readonly server: Pick<SessionOptions['server'], 'identity'>;
  readonly hasCredentialless: boolean;
}

/** Makes the plan from a resource's metadata. Loaded on demand with the sandbox's builders; throws sandbox-misconfigured when the sandbox cannot be one. */
export const createFramePlan = async (
  resource: FramedResource,
  options: FrameOptions,
  origins: readonly string[],
): Promise<FramePlan> => {
  try {
    return await toPlan(resource, options, origins);
  } catch (error) {
    if (error instanceof CasementError && ownCodes.has(error.code)) throw error;
    const words = error instanceof Error ? error.message : String(error);
    throw new CasementError('sandbox-misconfigured', `The sandbox cannot be addressed: ${words}`, {
      step: 'sandbox',
      hint: 'Check the sandbox address given to mountApp and that the page has an http or https origin.',
      cause: error,
    });
  }
};

/** Codes of errors that already name the mistake in the set-up; they are passed on as they are. */
const ownCodes: ReadonlySet<string> = new Set([
  'sandbox-misconfigured',
  'storage-user-missing',
  'host-code-missing',
]);

const toPlan = async (
  resource: FramedResource,
  options: FrameOptions,
  origins: readonly string[],
): Promise<FramePlan> => {
  const { sandbox: target, storage = 'page', user, server } = options;
  const hostOrigin = origins[0] ?? '';
  const isPlain = 'base' in target && storage === 'page' && !user;
  const unusual = isPlain ? undefined : await loadUnusual();
  const wanted = {
    hostOrigin,
    ...('base' in target
      ? { base: target.base, otherSiteBase: target.otherSiteBase }
      : { opaqueBase: unusual?.toOpaqueBase(target) }),
    server: (await unusual?.toStorageIdentity(options, server.identity)) ?? server.identity,
    resourceUri: resource.uri,
    family: resource.family,
    csp: resource.csp,
    permissions: resource.permissions.filter((name) => options.permissions?.includes(name)),
    domain: resource.domain,
    allowLoopback: options.allowLoopback ?? false,
    ...(options.withoutSandboxTokens ? { without: options.withoutSandboxTokens } : {}),
    // Pages around the host are the product's own as well; an opaque one has no name to refuse.
    denyOrigins: [...(options.denyOrigins ?? []), ...origins.slice(1).filter((name) => name !== 'null')],
  };
  const { policy, dropped, findings } = await toPolicy(wanted);
  const place: Place =
    'base' in target
      ? await toOriginPlace(target, policy, options.hasCredentialless)
      : (unusual ?? (await loadUnusual())).toOpaquePlace(target, policy, options.allowLoopback);
  // A08: a sandbox on the origin of the host, or of a page around it, would be no sandbox.
  if (origins.includes(place.origin)) {
    throw new CasementError(
      'sandbox-misconfigured',
      `The sandbox origin ${place.origin} is the origin of the host page.`,
      { step: 'sandbox', hint: 'Serve the sandbox from another origin than every page around it.' },
    );
  }
  return {
    key: `${place.url} ${encodePolicy(policy)}`,
    frame: {
      url: place.url,
      origin: place.origin,
      sandbox: toFrameSandbox(policy),
      allow: toAllowAttribute([...policy.permissions]),
      credentialless: options.storage !== 'persistent',
      release: SANDBOX_RELEASE,
      ...('staticUrl' in target ? {} : { probeUrl: toProbeAddress(place.url, origins.slice(1)) }),
    },
    appOrigin: place.appOrigin,
    ...(place.site ? { site: place.site } : {}),
    policy,
    ...(resource.csp ? { declared: resource.csp } : {}),
    dropped,
    csp: toAppCsp(policy, place.kind),
    findings: [...(options.toolFindings ?? []), ...findings],
    ...('base' in target ? {} : { fallback: toFallback(target) }),
  };
};

/** What only some frames need; no app is framed without it that needs it. */
const loadUnusual = (): Promise<typeof Unusual> => import('../loaded/unusual-app.js').catch(throwCodeMissing);

type Wanted = Parameters<typeof createPlainPolicy>[0];

/** Never guessed: what an app declares is judged before there is a frame. */
const toPolicy = async (
  wanted: Wanted,
): Promise<{
  policy: SandboxPolicy;
  dropped: readonly DroppedDomain[];
  findings: readonly MetadataFinding[];
}> => {
  const plain = createPlainPolicy(wanted);
  if (plain) return { ...plain, findings: [] };
  return (await loadUnusual()).createDeclaredPolicy(wanted);
};

const toFallback = (target: Exclude<SandboxTarget, { base: string }>): FramePlan['fallback'] => ({
  kind: 'opaqueBase' in target ? 'opaque' : 'static',
  reason: target.reason,
});

/** The approved domains and permissions in the words of the spec, for the proxy and for hostCapabilities.sandbox. */
export const toGranted = (
  policy: SandboxPolicy,
): {
  csp?: Record<string, string[]>;
  permissions?: Partial<Record<AppPermission, Record<string, never>>>;
} => ({
  ...(policy.declared
    ? {
        csp: {
          connectDomains: [...policy.connect],
          resourceDomains: [...policy.assets],
          frameDomains: [...policy.frame],
          baseUriDomains: [...policy.baseUri],
        },
      }
    : {}),
  ...(policy.permissions.length > 0
    ? { permissions: Object.fromEntries(policy.permissions.map((name) => [name, {}])) }
    : {}),
});

/** What the proxy is told of an app, once (HOST-027). */
export const toHandover = (
  { html, shim, url }: Pick<AppResource, 'html' | 'shim' | 'url'>,
  policy: SandboxPolicy,
): { html: string } & ReturnType<typeof toGranted> & {
    shim?: boolean;
    family?: AppFamily;
    url?: string;
  } => ({
  html,
  ...toGranted(policy),
  ...(shim ? { shim } : {}),
  // The static file knows it from here alone.
  ...(policy.family === 'mcp-apps' ? {} : { family: policy.family }),
  ...(url === undefined ? {} : { url }),
});

interface Place {
  readonly url: string;
  readonly origin: string;
  readonly appOrigin: string;
  readonly kind: Parameters<typeof toAppCsp>[1];
  readonly site?: FramePlan['site'];
}

const toOriginPlace = async (
  { base, otherSiteBase }: Extract<SandboxTarget, { base: string }>,
  policy: SandboxPolicy,
  hasCredentialless: boolean,
): Promise<Place> => {
  // The engine that has such frames gives each origin a process; in others a busy app on the page's own site would
  // hold the page, and its cookies would be the page's.
  const other = hasCredentialless ? undefined : otherSiteBase;
  const { proxyUrl, proxyOrigin, appOrigin } = await toSandboxAddress(base, policy, other);
  const site = otherSiteBase && ({ site: other ? 'other' : 'page' } as const);
  return { url: proxyUrl, origin: proxyOrigin, appOrigin, kind: { kind: 'origin', proxyOrigin }, ...site };
};
