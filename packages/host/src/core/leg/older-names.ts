/* Loaded on demand, with the first message that no app of today would send; it shares the wire with what is there. */
export { createDialectDoor } from '@casement/protocol/dialects';
export { CasementError } from '../loaded/loaded.js';
