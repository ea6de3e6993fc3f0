import { isRecord } from '@casement/protocol';
import type { Schema } from '@cfworker/json-schema';

/*
 * A guest wrote the schema and the value that is checked with it, and the check runs on the page's own thread. So
 * what could run for ever is not run: patterns, formats and the comparison of all items with each other are left
 * out, a schema is unfolded only as far as it ends, and its size times the value's is limited.
 */
const left: ReadonlySet<string> = new Set([
  ...['pattern', 'patternProperties', 'format', 'uniqueItems', 'multipleOf'],
  ...['$dynamicRef', '$recursiveRef', '$id', '$schema', '$anchor', '$dynamicAnchor', '$recursiveAnchor'],
  ...['default', 'examples', '$comment', 'description', 'title'],
]);
const single: ReadonlySet<string> = new Set([
  ...['additionalItems', 'unevaluatedItems', 'items', 'contains', 'additionalProperties'],
  ...['unevaluatedProperties', 'propertyNames', 'not', 'if', 'then', 'else'],
]);
const lists: ReadonlySet<string> = new Set(['prefixItems', 'items', 'allOf', 'anyOf', 'oneOf']);
const maps: ReadonlySet<string> = new Set(['properties', 'dependentSchemas']);
const maxSteps = 500_000;
const maxParts = 5000;
const maxDepth = 100;

class TooComplex extends Error {}

/** What is wrong with a value by a schema a guest wrote; undefined when it fits. Loads the validator. */
export const findSchemaProblem = async (
  schema: Record<string, unknown>,
  value: unknown,
): Promise<string | undefined> => {
  const { Validator } = await import('@cfworker/json-schema');
  try {
    const { unfolded, parts } = unfold(schema);
    if (parts * countValues(value) > maxSteps) return 'schema and value are too large to be checked';
    // Through the validator's own type: it reads any JSON object as a schema.
    const { valid, errors } = new Validator(unfolded as Schema, '2020-12').validate(value);
    const [error] = errors;
    return valid
      ? undefined
      : `${error?.instanceLocation ?? '#'}: ${error?.error ?? 'does not fit'}`.slice(0, 300);
  } catch (error) {
    return error instanceof TooComplex ? error.message : 'the schema cannot be used';
  }
};

/** A copy without references and without what is left out; one that refers to itself has no such copy. */
const unfold = (root: Record<string, unknown>): { unfolded: unknown; parts: number } => {
  let parts = 0;
  const copy = (node: unknown, depth: number): unknown => {
    parts += 1;
    if (parts > maxParts || depth > maxDepth)
      throw new TooComplex('the schema is too large or refers to itself');
    if (!isRecord(node)) return node;
    const result: Record<string, unknown> = {};
    const all: unknown[] = [];
    for (const [key, value] of Object.entries(node)) {
      if (key === '$ref') all.push(copy(resolve(root, value), depth + 1));
      else if (lists.has(key) && Array.isArray(value))
        result[key] = value.map((item) => copy(item, depth + 1));
      else if (single.has(key)) result[key] = copy(value, depth + 1);
      else if (maps.has(key) && isRecord(value)) {
        result[key] = Object.fromEntries(
          Object.entries(value).map(([name, item]) => [name, copy(item, depth + 1)]),
        );
      } else if (!left.has(key) && key !== '$defs' && key !== 'definitions') result[key] = value;
    }
    // Without its patterns an object's other keys cannot be told apart.
    if ('patternProperties' in node) {
      delete result.additionalProperties;
      delete result.unevaluatedProperties;
    }
    if (all.length > 0) result.allOf = [...(Array.isArray(result.allOf) ? result.allOf : []), ...all];
    return result;
  };
  return { unfolded: copy(root, 0), parts };
};

/** A place in the same schema; nothing is ever fetched (D19). */
const resolve = (root: Record<string, unknown>, reference: unknown): unknown => {
  if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference))
    throw new TooComplex('the schema refers to elsewhere');
  let node: unknown = root;
  for (const part of reference.split('/').slice(1)) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    node =
      (isRecord(node) || Array.isArray(node)) && Object.hasOwn(node, key)
        ? Reflect.get(node, key)
        : undefined;
  }
  if (node === undefined) throw new TooComplex('the schema refers to a part it does not have');
  return node;
};

const countValues = (value: unknown): number => {
  let count = 0;
  const open: unknown[] = [value];
  while (open.length > 0 && count <= maxSteps) {
    const next = open.pop();
    count += 1;
    if (typeof next === 'object' && next !== null) for (const item of Object.values(next)) open.push(item);
  }
  return count;
};
