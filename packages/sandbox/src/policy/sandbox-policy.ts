import type { AppFamily, AppPermission } from '@casement/protocol';

/** Everything an app's frame may do; its canonical bytes are the app's address, so one origin never has two policies. */
export interface SandboxPolicy {
  readonly v: 1;
  /** Origin of the host page: the only page that may frame the app. */
  readonly host: string;
  /** Salted hash of the MCP server's identity, base64url; the guest reads its own address, so never in clear. */
  readonly server: string;
  readonly resource: string;
  readonly family: AppFamily;
  /** Whether the resource carried a csp object at all. */
  readonly declared: boolean;
  readonly connect: readonly string[];
  readonly assets: readonly string[];
  readonly frame: readonly string[];
  readonly baseUri: readonly string[];
  readonly permissions: readonly AppPermission[];
  readonly domain?: string;
  readonly eval?: 'wasm' | 'unsafe';
  /** Sandbox tokens the host took away; there is no way to add one. */
  readonly without?: readonly RemovableToken[];
}

/** Tokens of the fixed set an app can do without; without the others it would not run. */
export const removableTokens = ['allow-forms'] as const;
export type RemovableToken = (typeof removableTokens)[number];

/** Longest encoded policy; it travels in a URL. */
export const MAX_POLICY_LENGTH = 8192;

/** The permissions MCP Apps know, in canonical order. */
export const appPermissions: readonly AppPermission[] = [
  'camera',
  'clipboardWrite',
  'geolocation',
  'microphone',
];
