export { toOpaqueAddress, toSandboxAddress, toSandboxLabel, type SandboxAddress } from './address.js';
export { toAppCsp, type AppFrame } from './content-policy.js';
export type { DroppedDomain } from './domain-grammar.js';
export { FRAME_SANDBOX, toAllowAttribute, toFrameSandbox } from './frame-permissions.js';
export { encodePolicy, parsePolicy } from './policy-encoding.js';
export type { RemovableToken, SandboxPolicy } from './policy-shape.js';
export { createSandboxPolicy, type SandboxPolicyInput } from './policy.js';
