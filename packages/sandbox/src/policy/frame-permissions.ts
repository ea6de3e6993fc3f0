// What the two frames of an app may do in the browser: sandbox tokens, and features such as the camera.
import type { AppPermission } from '@casement/protocol';
import type { SandboxPolicy } from './sandbox-policy.js';

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
