import { buildPolicy, type SandboxPolicyInput } from './build-policy.js';
import { createDomainGrammar } from './domain-grammar.js';

/** Builds the effective policy of one app; what was declared but not granted is listed, never an error. */
export const createSandboxPolicy = (input: SandboxPolicyInput): ReturnType<typeof buildPolicy> =>
  buildPolicy(input, () => createDomainGrammar(input));
