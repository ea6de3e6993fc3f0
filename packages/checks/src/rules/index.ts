export { lintDocument } from './lint-document.js';
export { lintResult } from './lint-result.js';
export { lintServer, lintTool } from './lint-server.js';
