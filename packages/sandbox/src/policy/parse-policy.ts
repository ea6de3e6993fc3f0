import { createDomainGrammar } from './domain-grammar.js';
import { checkPolicy, decodePolicy, refusePolicy } from './check-policy.js';
import { encodePolicy } from './sandbox-address.js';
import { MAX_POLICY_LENGTH, type SandboxPolicy } from './sandbox-policy.js';

/** Reads an encoded policy back, accepting only what `encodePolicy` would have written for it. */
export const parsePolicy = (
  encoded: string,
  options: {
    readonly base: string;
    readonly otherSiteBase?: string;
    readonly hostOrigins: readonly string[];
    readonly opaqueBase?: string;
    readonly allowLoopback?: boolean;
  },
): SandboxPolicy => {
  if (encoded.length > MAX_POLICY_LENGTH || !/^[\w-]+$/.test(encoded))
    return refusePolicy('is not base64url of a sane length');
  const policy = checkPolicy(decodePolicy(encoded), createDomainGrammar(options));
  if (encodePolicy(policy) !== encoded) return refusePolicy('is not in canonical form');
  if (!options.hostOrigins.includes(policy.host))
    return refusePolicy('names a host page this sandbox does not serve');
  return policy;
};
