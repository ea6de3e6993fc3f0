/*
 * Loaded on demand, for the few apps that offer tools of their own or speak an older dialect. One of those dialects
 * announces tools, so its apps need both, and they are one file.
 */
export { createDialectDoor } from '@casement/protocol/dialects';
export { createAppTools } from '../app-tools/app-tools.js';
