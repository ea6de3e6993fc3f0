export {
  toAllowingMetadata,
  toCombinedLine,
  type BlockedIn,
  type BlockedLoad,
  type Remedy,
} from './allowing-metadata.js';
export {
  findPolicyList,
  policyLists,
  toDeclaredLines,
  toDirectiveName,
  type PolicyList,
} from './policy-lists.js';
