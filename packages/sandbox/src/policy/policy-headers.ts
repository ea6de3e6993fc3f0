// The headers and frame attributes by which a browser keeps an app to its policy.
import type { AppPermission } from '@casement/protocol';
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

/** The widest sandbox attribute of both frames, whatever a server or guest asks for (T7, SANDBOX-015). */
export const FRAME_SANDBOX = 'allow-scripts allow-same-origin allow-forms';

/** The sandbox attribute of both frames of one app: the fixed tokens but those its policy takes away. */
export const toFrameSandbox = ({ without = [] }: Pick<SandboxPolicy, 'without'>): string =>
  FRAME_SANDBOX.split(' ')
    .filter((token) => !without.some((taken) => taken === token))
    .join(' ');

const featureOf: Readonly<Record<AppPermission, string>> = {
  camera: 'camera',
  clipboardWrite: 'clipboard-write',
  geolocation: 'geolocation',
  microphone: 'microphone',
};

/**
 * Features no app is ever given; named so that neither frame can delegate them (T8, A14, A40). The last two rows are what
 * Chromium allows every frame unless it is told otherwise. Left alone are sounds of a hidden frame, notes to screen
 * readers, the unload event, synchronous requests and the short client hints: apps use them, and they reach nothing
 * that the content policy does not allow.
 */
const neverGranted = [
  ...['clipboard-read', 'display-capture', 'fullscreen', 'hid', 'local-network-access', 'loopback-network'],
  ...['midi', 'payment', 'publickey-credentials-get', 'screen-wake-lock', 'serial', 'usb'],
  ...['browsing-topics', 'ch-ua-high-entropy-values', 'deferred-fetch-minimal', 'gamepad', 'interest-cohort'],
  ...[
    'picture-in-picture',
    'private-state-token-issuance',
    'private-state-token-redemption',
    'storage-access',
  ],
];

// Widened to plain entries: Object.entries forgets the key type.
const features = Object.entries(featureOf) as readonly [AppPermission, string][];

/** The allow attribute of a frame: granted features delegated, every other one refused by name. */
export const toAllowAttribute = (permissions: readonly AppPermission[]): string =>
  [
    ...features.map(([name, feature]) => (permissions.includes(name) ? feature : `${feature} 'none'`)),
    ...neverGranted.map((feature) => `${feature} 'none'`),
  ].join('; ');

/** The Permissions-Policy header of an app's document. */
export const toPermissionsPolicy = (permissions: readonly AppPermission[]): string =>
  [
    ...features.map(([name, feature]) => `${feature}=${permissions.includes(name) ? '(self)' : '()'}`),
    ...neverGranted.map((feature) => `${feature}=()`),
  ].join(', ');
