export { readExternalUrl } from './families/external-url.js';
export { toOpenaiMethods } from './families/openai-methods.js';
export { createSandboxPolicy } from './policy/create-sandbox-policy.js';
export type { DroppedDomain } from './policy/domain-grammar.js';
export type { SandboxPolicy } from './policy/sandbox-policy.js';
