export { readExternalUrl } from './families/external-url.js';
export { toOpenaiMethods } from './families/openai-methods.js';
export { createSandboxPolicy } from './policy/create-sandbox-policy.js';
export type { DroppedDomain } from './policy/domain-grammar.js';
export { toAllowAttribute, toAppCsp, toFrameSandbox } from './policy/policy-headers.js';
export { isLoopbackName, isPrivateHost } from './policy/private-hosts.js';
export { encodePolicy, toOpaqueAddress, toProbeAddress, toSandboxAddress } from './policy/sandbox-address.js';
export type { SandboxPolicy } from './policy/sandbox-policy.js';
export { SANDBOX_RELEASE } from './release.js';
