/*
 * What a host needs to frame an app that declares no domains: its policy, and the addresses and attributes it leads to.
 * A door of its own, since bundlers load what stands behind one together.
 */
export { createPlainPolicy } from './policy/plain-policy.js';
export { toAppCsp } from './policy/content-security-policy.js';
export { toAllowAttribute, toFrameSandbox } from './policy/frame-permissions.js';
export { encodePolicy, toOpaqueAddress, toProbeAddress, toSandboxAddress } from './policy/sandbox-address.js';
export { SANDBOX_RELEASE } from './release.js';
