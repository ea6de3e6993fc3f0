export {
  toOpaqueAddress,
  toProbeAddress,
  toSandboxAddress,
  toSandboxLabel,
  type SandboxAddress,
} from './address.js';
export { toAppCsp, type AppFrame } from './content-policy.js';
export type { DroppedDomain } from './domain-grammar.js';
export { readExternalUrl } from './external-url.js';
export { FRAME_SANDBOX, toAllowAttribute, toFrameSandbox } from './frame-permissions.js';
export { toOpenaiMethods, type OpenaiHost, type OpenaiMethod } from './openai-methods.js';
export { encodePolicy, parsePolicy } from './policy-encoding.js';
export type { RemovableToken, SandboxPolicy } from './policy-shape.js';
export { createSandboxPolicy, type SandboxPolicyInput } from './policy.js';
export { isLoopbackName, isPrivateHost } from './private-hosts.js';
export type { ProbeVerdict } from './probe.js';
export { SANDBOX_RELEASE } from './release.js';
