import type { SandboxPolicy } from '@casement/sandbox';
import { CasementError, toOpaqueAddress } from '../loaded/loaded.js';
import type { SandboxTarget } from '../session-options.js';

/** A sandbox without an origin for each app: one of the two fallbacks. */
type OpaqueTarget = Exclude<SandboxTarget, { base: string }>;

/** The origin of the proxy; the static file is an opaque sandbox as well: what is refused there is refused here. */
export const toOpaqueBase = (target: OpaqueTarget): string =>
  'opaqueBase' in target ? target.opaqueBase : toOrigin(target.staticUrl);

/** Where an app without an origin of its own is framed. */
export const toOpaquePlace = (
  target: OpaqueTarget,
  policy: SandboxPolicy,
  allowLoopback = false,
): { url: string; origin: string; appOrigin: string; kind: { kind: 'opaque' | 'static' } } => {
  if ('opaqueBase' in target) {
    const { proxyUrl, proxyOrigin, appOrigin } = toOpaqueAddress(target.opaqueBase, policy);
    return { url: proxyUrl, origin: proxyOrigin, appOrigin, kind: { kind: 'opaque' } };
  }
  const origin = toOrigin(target.staticUrl);
  const settings = `host=${encodeURIComponent(policy.host)}${allowLoopback ? '&allow-loopback' : ''}`;
  const url = `${target.staticUrl.split('#', 1).join('')}#${settings}`;
  return { url, origin, appOrigin: 'null', kind: { kind: 'static' } };
};

const toOrigin = (url: string): string => {
  if (URL.canParse(url)) return new URL(url).origin;
  throw new CasementError('sandbox-misconfigured', 'The address of the sandbox is not an absolute URL.', {
    step: 'sandbox',
    hint: 'Give the full http or https address of the sandbox.',
  });
};
