/** Loaded on demand: reads what an embedder's own handlers answered for a server. */
export { parseCallToolResult, parseReadResourceResult } from '@casement/protocol';
