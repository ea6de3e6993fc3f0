export { toAllowingMetadata, toCombinedLine, type Remedy } from './allowing-metadata.js';
export { findPolicyList, policyLists, toDeclaredLines, toDirectiveName } from './policy-lists.js';
