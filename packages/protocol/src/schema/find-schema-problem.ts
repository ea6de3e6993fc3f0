import { checkSchema } from './schema-check.js';
import { CheckGivenUp } from './schema-run.js';

// Small values may have large schemas: this much is not felt.
const freeSteps = 20_000;
const stepsPerItem = 1.5;
const stepsPerMember = 5;
const stepsPerObject = 4;

/**
 * The steps a check of this value may take. They follow what it costs to read and write it once as JSON, which is by
 * far the most for an object and its members, and next to nothing for the length of a text.
 */
export const toMaxSteps = (value: unknown): number => {
  let steps = freeSteps;
  const open: object[] = typeof value === 'object' && value !== null ? [value] : [];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const parts: readonly unknown[] = Object.values(next);
    steps += stepsPerObject + parts.length * (Array.isArray(next) ? stepsPerItem : stepsPerMember);
    for (const part of parts) if (typeof part === 'object' && part !== null) open.push(part);
  }
  return steps;
};

/** What a check found: a problem, or why it could not be made to its end; nothing if the value fits. */
export interface SchemaVerdict {
  readonly problem?: string;
  readonly unchecked?: string;
}

/** Checks a value against a schema of somebody else's, within bounds; never throws. */
export const checkAgainstSchema = (schema: Record<string, unknown>, value: unknown): SchemaVerdict => {
  try {
    const { problem } = checkSchema(schema, value, toMaxSteps(value));
    return problem === undefined ? {} : { problem };
  } catch (error) {
    return { unchecked: error instanceof CheckGivenUp ? error.message : 'the schema cannot be used' };
  }
};

/** Says why a value does not fit a guest's schema, or could not be checked; undefined if it fits. */
export const findSchemaProblem = (schema: Record<string, unknown>, value: unknown): string | undefined => {
  const { problem, unchecked } = checkAgainstSchema(schema, value);
  return problem ?? unchecked;
};
