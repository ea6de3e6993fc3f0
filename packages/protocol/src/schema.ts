/* Whether a value is as a schema wants it: for schemas of strangers, within bounds. */
export { checkAgainstSchema, findSchemaProblem } from './schema/find-schema-problem.js';
