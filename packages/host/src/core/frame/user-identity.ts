/* Loaded on demand: only pages that name their users need it. */
export { toServerIdentity } from '@casement/protocol/ports';
