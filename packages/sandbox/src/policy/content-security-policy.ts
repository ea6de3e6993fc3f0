// The headers by which a browser lets an app reach what its policy names, and nothing else.
import { toFrameSandbox } from './frame-permissions.js';
import type { SandboxPolicy } from './sandbox-policy.js';

/** What carries the policy of the app's document: its own response, the opaque proxy's response, or a `<meta>`. */
type PolicyCarrier =
  | {
      readonly kind: 'origin';
      readonly proxyOrigin: string;
      readonly hostAncestors?: readonly string[];
      /** Whether somebody listens to what the browser reports. */
      readonly isReported?: boolean;
    }
  | { readonly kind: 'opaque'; readonly hostAncestors?: readonly string[] }
  | { readonly kind: 'static' };

/** The parts of a policy that the content policy is made of. */
type AppSources = Pick<
  SandboxPolicy,
  'host' | 'declared' | 'connect' | 'assets' | 'frame' | 'baseUri' | 'eval' | 'without'
>;

/** The policy of every answer that is not a page: nothing loads, nothing frames it (a bare 404 was a way out). */
export const STRICT_CSP =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

const toDirectives = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.filter((part) => part !== '').join(' ')).join('; ');

const orNone = (sources: readonly string[]): readonly string[] => (sources.length > 0 ? sources : ["'none'"]);

const evalSources = { none: '', wasm: "'wasm-unsafe-eval'", unsafe: "'unsafe-eval'" } as const;

/** The Content-Security-Policy of an app, from its declared domains and nothing else (HOST-001, HOST-002, HOST-004). */
export const toAppCsp = (policy: AppSources, carrier: PolicyCarrier): string => {
  const { assets } = policy;
  // On its own origin 'self' serves nothing but the loader; elsewhere it would be the proxy's origin.
  const self = carrier.kind === 'origin' ? "'self'" : '';
  // Scripts an app makes itself (PDF.js imports its worker so) give it nothing that inline scripts do not, and name no
  // address; the default without a csp object is kept to the letter (HOST-002).
  const generated = policy.declared ? ['data:', 'blob:'] : [];
  const rows: (readonly string[])[] = [
    ['default-src', "'none'"],
    ['script-src', self, "'unsafe-inline'", evalSources[policy.eval ?? 'none'], ...generated, ...assets],
    ['style-src', self, "'unsafe-inline'", ...assets],
    ['img-src', self, 'data:', 'blob:', ...assets],
    ['media-src', self, 'data:', 'blob:', ...assets],
    // The default without a csp object names no fonts (HOST-002); default-src keeps them out.
    ...(policy.declared ? [['font-src', ...orNone([self, ...assets].filter((part) => part !== ''))]] : []),
    ['connect-src', ...orNone(policy.connect)],
    ['worker-src', 'blob:'],
    // Only the embedder's frame-src governs self-navigation, and an opaque guest keeps the bridge (T5).
    ['frame-src', ...orNone(carrier.kind === 'origin' ? policy.frame : [])],
    ['object-src', "'none'"],
    ['form-action', "'none'"],
    // The loader gives an opaque document the base about:srcdoc, so that links to its own parts work.
    [
      'base-uri',
      carrier.kind === 'origin' ? '' : 'about:',
      ...(policy.baseUri.length > 0 ? policy.baseUri : ["'self'"]),
    ],
  ];
  if (carrier.kind === 'static') return toDirectives(rows);
  const sandbox = ['sandbox', toFrameSandbox(policy)];
  // Every ancestor is checked, so the host is named beside the proxy.
  const ancestors = [policy.host, ...(carrier.hostAncestors ?? [])];
  if (carrier.kind === 'opaque') return toDirectives([...rows, ['frame-ancestors', ...ancestors], sandbox]);
  return toDirectives([
    ...rows,
    ['frame-ancestors', carrier.proxyOrigin, ...ancestors],
    ...(carrier.isReported ? [['report-uri', '/csp-report']] : []),
    sandbox,
  ]);
};

/** The proxy's own policy: one script and one style by hash, one frame, one ancestor. */
export const toProxyCsp = (options: {
  readonly scriptHash: string;
  readonly styleHash: string;
  readonly appOrigin: string;
  readonly host: string;
  readonly hostAncestors?: readonly string[];
  readonly sandbox: string;
}): string =>
  toDirectives([
    ['default-src', "'none'"],
    ['script-src', `'${options.scriptHash}'`],
    ['style-src', `'${options.styleHash}'`],
    ['frame-src', options.appOrigin],
    ['frame-ancestors', options.host, ...(options.hostAncestors ?? [])],
    ['base-uri', "'none'"],
    ['form-action', "'none'"],
    ['sandbox', options.sandbox],
  ]);

/** The Connection-Allowlist of an app: stops WebRTC, DNS prefetch and preconnect, which a CSP does not (T6). */
export const toConnectionAllowlist = (
  policy: Pick<SandboxPolicy, 'connect' | 'assets' | 'frame'>,
  kind: 'origin' | 'opaque',
): string => {
  const frames = kind === 'origin' ? policy.frame : [];
  const declared = [...new Set([...policy.connect, ...policy.assets, ...frames])].sort();
  const members = [
    ...(kind === 'origin' ? ['response-origin'] : []),
    ...declared.map((origin) => `"${origin}"`),
  ];
  // A content network answers with redirects; the CSP still checks where they lead.
  return `(${members.join(' ')})${declared.length > 0 ? ';redirects=allow' : ''}`;
};
