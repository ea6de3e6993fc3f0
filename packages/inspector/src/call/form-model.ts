import { isRecord } from '@casement/protocol/start';

/** What a field of a form edits; `json` stands for a part of the schema no control fits. */
export type FormNode =
  | { kind: 'string'; long: boolean; maxLength?: number; placeholder?: string }
  | { kind: 'number'; integer: boolean; min?: number; max?: number }
  | { kind: 'boolean' }
  | { kind: 'choice'; options: readonly FormOption[] }
  | { kind: 'object'; fields: readonly FormField[] }
  | { kind: 'array'; item: FormNode; itemSchema: unknown }
  | { kind: 'json'; reason: string };

/** One allowed value with the words for it. */
interface FormOption {
  label: string;
  value: unknown;
}

/** A named member of an object. */
export interface FormField {
  name: string;
  title?: string;
  description?: string;
  required: boolean;
  hasDefault: boolean;
  schema: unknown;
  node: FormNode;
}

/** A form, or the reason why there is only the JSON editor. */
export type FormModel = { fields: readonly FormField[] } | { jsonOnly: string };

const maxDepth = 4;
const maxFields = 150;
const maxOptions = 300;
const maxTitle = 200;
const maxDescription = 4000;

interface Walk {
  root: Record<string, unknown>;
  fields: number;
}

/** Turns a tool's input schema into a form; what is too odd or too deep is left to JSON. */
export const toFormModel = (schema: unknown): FormModel => {
  if (!isRecord(schema)) return { jsonOnly: 'The tool declares no schema for its arguments.' };
  const walk: Walk = { root: schema, fields: 0 };
  const root = resolveSchema(schema, walk);
  if (!isRecord(root.properties))
    return { jsonOnly: 'The schema names no properties, so there is no form to make of it.' };
  if (Object.keys(root.properties).length === 0 && root.additionalProperties)
    return { jsonOnly: 'The tool names no arguments of its own and takes any.' };
  if (Object.keys(root.properties).length > maxFields)
    return { jsonOnly: `The schema has more than ${maxFields} fields.` };
  const fields = toFields(root, walk, 1);
  if (walk.fields > maxFields) return { jsonOnly: `The schema has more than ${maxFields} fields.` };
  return { fields };
};

const toFields = (schema: Record<string, unknown>, walk: Walk, depth: number): FormField[] => {
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  // Checked by the callers.
  const members = Object.entries(schema.properties as Record<string, unknown>);
  walk.fields += members.length;
  if (walk.fields > maxFields) return [];
  return members.map(([name, member]) => {
    const own = isRecord(member) ? member : {};
    const resolved = resolveSchema(own, walk);
    // What stands beside a reference describes this use of it, so it comes first.
    const title = toText(own.title, maxTitle) ?? toText(resolved.title, maxTitle);
    const description =
      toText(own.description, maxDescription) ?? toText(resolved.description, maxDescription);
    return {
      name,
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
      required: required.has(name),
      hasDefault: 'default' in own || 'default' in resolved,
      schema: resolved,
      node: toNode(member, walk, depth),
    };
  });
};

const toNode = (member: unknown, walk: Walk, depth: number): FormNode => {
  if (!isRecord(member)) return { kind: 'json', reason: 'any value' };
  if (walk.fields > maxFields) return { kind: 'json', reason: 'too many fields' };
  const schema = resolveSchema(member, walk);
  if (countOptions(schema) > maxOptions) return { kind: 'json', reason: `more than ${maxOptions} choices` };
  const options = toOptions(schema);
  if (options) return { kind: 'choice', options };
  switch (toType(schema)) {
    case 'string':
      return toStringNode(schema);
    case 'number':
    case 'integer':
      return {
        kind: 'number',
        integer: toType(schema) === 'integer',
        ...(typeof schema.minimum === 'number' ? { min: schema.minimum } : {}),
        ...(typeof schema.maximum === 'number' ? { max: schema.maximum } : {}),
      };
    case 'boolean':
      return { kind: 'boolean' };
    case 'object':
      if (depth >= maxDepth) return { kind: 'json', reason: 'nested too deep for a form' };
      if (!isRecord(schema.properties)) return { kind: 'json', reason: 'an object of any shape' };
      return { kind: 'object', fields: toFields(schema, walk, depth + 1) };
    case 'array':
      if (depth >= maxDepth) return { kind: 'json', reason: 'nested too deep for a form' };
      if (!isRecord(schema.items)) return { kind: 'json', reason: 'a list of any values' };
      return {
        kind: 'array',
        item: toNode(schema.items, walk, depth + 1),
        itemSchema: resolveSchema(schema.items, walk),
      };
    default:
      return { kind: 'json', reason: 'a value of more than one shape' };
  }
};

const toStringNode = (schema: Record<string, unknown>): FormNode => {
  const [example] = Array.isArray(schema.examples) ? schema.examples : [];
  const hint = toText(example, maxTitle) ?? toText(schema.format, maxTitle);
  return {
    kind: 'string',
    long: typeof schema.maxLength === 'number' ? schema.maxLength > 400 : schema.format === 'textarea',
    ...(typeof schema.maxLength === 'number' ? { maxLength: schema.maxLength } : {}),
    ...(hint === undefined ? {} : { placeholder: hint }),
  };
};

/** The one type of a schema; `null` beside it only says that the value may be left out. */
const toType = ({ type }: Record<string, unknown>): unknown => {
  if (!Array.isArray(type)) return type;
  const types = type.filter((name) => name !== 'null');
  return types.length === 1 ? types[0] : undefined;
};

const countOptions = ({ enum: values, oneOf, anyOf }: Record<string, unknown>): number =>
  Math.max(...[values, oneOf, anyOf].map((list) => (Array.isArray(list) ? list.length : 0)));

const toOptions = (schema: Record<string, unknown>): FormOption[] | undefined => {
  if ('const' in schema) return [toOption(schema.const)];
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => toOption(value));
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (!Array.isArray(alternatives) || alternatives.length === 0) return undefined;
  const named = alternatives.map((one: unknown) =>
    isRecord(one) && 'const' in one ? toOption(one.const, toText(one.title, maxTitle)) : undefined,
  );
  return named.every((option) => option !== undefined) ? named : undefined;
};

const toOption = (value: unknown, title?: string): FormOption => ({
  label: title ?? toShort(typeof value === 'string' ? value : JSON.stringify(value), maxTitle),
  value,
});

const toText = (value: unknown, maxLength: number): string | undefined =>
  typeof value === 'string' && value !== '' ? toShort(value, maxLength) : undefined;

/** A server may write as much as it likes; a form shows what a person reads. */
const toShort = (text: string, maxLength: number): string =>
  text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;

/** Follows local references and takes off the wrappers that schema generators put around one real schema. */
const resolveSchema = (schema: Record<string, unknown>, walk: Walk): Record<string, unknown> => {
  let current = schema;
  for (let step = 0; step < 8; step++) {
    const next = unwrap(current, walk.root);
    if (!next) return current;
    current = next;
  }
  return {};
};

const unwrap = (
  schema: Record<string, unknown>,
  root: Record<string, unknown>,
): Record<string, unknown> | undefined => {
  if (typeof schema.$ref === 'string') return findReference(schema.$ref, root);
  for (const name of ['anyOf', 'oneOf', 'allOf'] as const) {
    const all = schema[name];
    if (!Array.isArray(all) || all.length > maxOptions) continue;
    const real = all.filter((one) => isRecord(one) && one.type !== 'null');
    const only: unknown = real[0];
    if (real.length === 1 && isRecord(only) && !('const' in only)) return only;
  }
  return undefined;
};

const findReference = (reference: string, root: Record<string, unknown>): Record<string, unknown> => {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return {};
  let found: unknown = root;
  for (const part of reference.slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    found = isRecord(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  }
  return isRecord(found) ? found : {};
};
