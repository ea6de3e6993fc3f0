import { isRecord } from '../is-record.js';
import { toPrintable } from '../printable.js';
import { CheckGivenUp, isSame, pay, resolve, type Run, type Schema } from './schema-run.js';

/*
 * A validator that counts its work. A guest wrote the schema and the value that is checked with it, and the check runs
 * on the page's own thread: no rule about the size of schemas can foresee what a check will cost, so every comparison
 * is paid for, and a check that cannot pay is given up. What cannot be counted is left out: patterns, formats, and the
 * comparison of all items with each other. A value may so pass that its own author's schema forbids, and no more.
 */
/** A problem and its place in the value; the path begins with the innermost key. */
interface Problem {
  readonly path: string[];
  readonly text: string;
}

type Rule = (run: Run<Rule>, schema: Schema, value: unknown, depth: number) => Problem | undefined;

/** A name of somebody else's, fit to be read. */
const toQuoted = (text: string): string => `"${toPrintable(text, 80)}"`;

const maxDepth = 400;

/** Checks a value against a schema; returns the first problem, if there is one, and the number of steps it took. */
export const checkSchema = (
  schema: Schema,
  value: unknown,
  maxSteps: number,
): { readonly problem?: string; readonly steps: number } => {
  const run: Run<Rule> = { root: schema, references: new Map(), rules: new Map(), left: maxSteps };
  const problem = check(run, schema, value, 0);
  const steps = maxSteps - run.left;
  if (!problem) return { steps };
  const place = problem.path
    .reverse()
    .slice(0, 20)
    .map((name) => `/${toQuoted(name)}`);
  return { steps, problem: `#${place.join('')}: ${problem.text}`.slice(0, 300) };
};

const say = (text: string): Problem => ({ path: [], text });

const check: (run: Run<Rule>, schema: unknown, value: unknown, depth: number) => Problem | undefined = (
  run,
  schema,
  value,
  depth,
) => {
  pay(run, 1);
  if (depth > maxDepth) throw new CheckGivenUp('schema and value are nested too deep, or go in circles');
  if (schema === false) return say('is not allowed');
  if (!isRecord(schema)) return undefined;
  for (const rule of toRules(run, schema)) {
    const problem = rule(run, schema, value, depth + 1);
    if (problem) return problem;
  }
  return undefined;
};

/** The rules a schema asks for, looked up once: most ask for one or two. */
const toRules = (run: Run<Rule>, schema: Schema): readonly Rule[] => {
  const known = run.rules.get(schema);
  if (known) return known;
  const found = rules.filter(([words]) => words.some((word) => schema[word] !== undefined));
  const asked = found.map(([, rule]) => rule);
  run.rules.set(schema, asked);
  return asked;
};

/** A check of a part of the value, with its place. */
const checkPart = (
  run: Run<Rule>,
  schema: unknown,
  name: string | number,
  value: unknown,
  depth: number,
): Problem | undefined => {
  const problem = check(run, schema, value, depth);
  problem?.path.push(String(name));
  return problem;
};

const isOfType = (value: unknown, type: unknown): boolean => {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type && type !== 'undefined';
  }
};

const checkType: Rule = (run, { type }, value) => {
  if (Array.isArray(type)) pay(run, type.length);
  const fits = Array.isArray(type) ? type.some((one) => isOfType(value, one)) : isOfType(value, type);
  return fits ? undefined : say('is of another type');
};

const checkValues: Rule = (run, schema, value) => {
  if (schema.const !== undefined && !isSame(run, schema.const, value)) return say('is not the allowed value');
  if (Array.isArray(schema.enum) && !schema.enum.some((allowed) => isSame(run, allowed, value)))
    return say('is none of the allowed values');
  return undefined;
};

const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const checkCombined: Rule = (run, schema, value, depth) => {
  const fits = (part: unknown): boolean => check(run, part, value, depth) === undefined;
  if (schema.$ref !== undefined) {
    const problem = check(run, resolve(run, schema.$ref), value, depth);
    if (problem) return problem;
  }
  for (const part of toList(schema.allOf)) {
    const problem = check(run, part, value, depth);
    if (problem) return problem;
  }
  if (Array.isArray(schema.anyOf) && !schema.anyOf.some(fits)) return say('fits none of the alternatives');
  if (Array.isArray(schema.oneOf) && schema.oneOf.filter(fits).length !== 1)
    return say('does not fit exactly one of the alternatives');
  if (schema.not !== undefined && fits(schema.not)) return say('is what the schema excludes');
  if (schema.if === undefined) return undefined;
  return check(run, (fits(schema.if) ? schema.then : schema.else) ?? true, value, depth);
};

/** The first of a list of limits that a number does not keep. */
const checkRange = (
  amount: number,
  [least, most]: readonly [unknown, unknown],
  what: string,
): Problem | undefined => {
  if (typeof least === 'number' && amount < least) return say(`${what} is below ${least}`);
  return typeof most === 'number' && amount > most ? say(`${what} is above ${most}`) : undefined;
};

const checkNumber: Rule = (_run, schema, value) => {
  if (typeof value !== 'number') return undefined;
  const { exclusiveMinimum: above, exclusiveMaximum: below } = schema;
  if (typeof above === 'number' && value <= above) return say(`is not above ${above}`);
  if (typeof below === 'number' && value >= below) return say(`is not below ${below}`);
  return checkRange(value, [schema.minimum, schema.maximum], 'the number');
};

const checkText: Rule = (run, { minLength: least = 0, maxLength: most = Infinity }, value) => {
  if (typeof value !== 'string') return undefined;
  const { length: units } = value;
  // A character has one or two units: mostly this is enough to know.
  if (Number(least) <= units / 2 && units <= Number(most)) return undefined;
  pay(run, units / 64);
  let length = units;
  for (let index = 0; index < units; index += 1) if ((value.codePointAt(index) ?? 0) > 0xffff) length -= 1;
  return checkRange(length, [least, most], 'the length');
};

const checkArray: Rule = (run, schema, value, depth) => {
  if (!Array.isArray(value)) return undefined;
  const outside = checkRange(value.length, [schema.minItems, schema.maxItems], 'the number of items');
  if (outside) return outside;
  const first = toList(Array.isArray(schema.items) ? schema.items : schema.prefixItems);
  const rest = Array.isArray(schema.items) ? schema.additionalItems : schema.items;
  // Nothing to say about the items costs nothing, however many they are.
  const looked = rest === undefined ? Math.min(first.length, value.length) : value.length;
  for (let index = 0; index < looked; index += 1) {
    const part = index < first.length ? first[index] : rest;
    const problem = checkPart(run, part, index, value[index], depth);
    if (problem) return problem;
  }
  if (schema.contains === undefined) return undefined;
  const found = value.filter((item) => check(run, schema.contains, item, depth) === undefined).length;
  return checkRange(found, [schema.minContains ?? 1, schema.maxContains], 'the number of fitting items');
};

const checkNames = (
  run: Run<Rule>,
  value: Readonly<Record<string, unknown>>,
  required: unknown,
): Problem | undefined => {
  const names = toList(required);
  pay(run, names.length / 2);
  const missing = names.find((name) => typeof name === 'string' && !Object.hasOwn(value, name));
  return missing === undefined ? undefined : say(`has no ${toQuoted(String(missing))}`);
};

const checkObject: Rule = (run, schema, value, depth) => {
  if (!isRecord(value)) return undefined;
  const problem = checkNames(run, value, schema.required) ?? checkDependents(run, schema, value, depth);
  if (problem) return problem;
  const { propertyNames, minProperties, maxProperties } = schema;
  const properties = isRecord(schema.properties) ? schema.properties : {};
  // Without its patterns an object's other keys cannot be told apart.
  const others = 'patternProperties' in schema ? undefined : schema.additionalProperties;
  // By the members that are there: how many more the schema names costs nothing.
  const own = Object.keys(value);
  pay(run, own.length / 2);
  for (const name of own) {
    const misnamed = propertyNames === undefined ? undefined : check(run, propertyNames, name, depth);
    if (misnamed) return { path: [name], text: 'is not an allowed name' };
    const part = Object.hasOwn(properties, name) ? properties[name] : others;
    const wrong = part === undefined ? undefined : checkPart(run, part, name, value[name], depth);
    if (wrong) return wrong;
  }
  return checkRange(own.length, [minProperties, maxProperties], 'the number of members');
};

const checkDependents = (
  run: Run<Rule>,
  schema: Schema,
  value: Readonly<Record<string, unknown>>,
  depth: number,
): Problem | undefined => {
  for (const rule of [schema.dependentRequired, schema.dependentSchemas]) {
    const names = isRecord(rule) ? Object.keys(rule) : [];
    pay(run, names.length / 2);
    for (const name of names) {
      if (!isRecord(rule) || !Object.hasOwn(value, name)) continue;
      const problem =
        rule === schema.dependentRequired
          ? checkNames(run, value, rule[name])
          : check(run, rule[name], value, depth);
      if (problem) return problem;
    }
  }
  return undefined;
};

const rules: readonly (readonly [readonly string[], Rule])[] = [
  [['type'], checkType],
  [['const', 'enum'], checkValues],
  [['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'], checkNumber],
  [['minLength', 'maxLength'], checkText],
  [['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if'], checkCombined],
  [['prefixItems', 'items', 'minItems', 'maxItems', 'contains'], checkArray],
  [
    [
      ...['properties', 'additionalProperties', 'propertyNames', 'minProperties', 'maxProperties'],
      ...['required', 'dependentRequired', 'dependentSchemas'],
    ],
    checkObject,
  ],
];
