import { isRecord } from '@casement/protocol/start';
import type { FormField, FormModel, FormNode } from './form-model.js';

/** A new object with one member set; `undefined` takes it out. */
export const setMember = (
  value: Record<string, unknown>,
  name: string,
  next: unknown,
): Record<string, unknown> => {
  // Rebuilt from entries, so that a member called __proto__ stays a member.
  const entries = Object.entries(value).filter(([key]) => key !== name);
  const at = Object.keys(value).indexOf(name);
  if (next !== undefined) entries.splice(at < 0 ? entries.length : at, 0, [name, next]);
  return Object.fromEntries(entries);
};

/** Whether a form can show a value without hiding or bending any of it. */
export const fitsForm = (model: FormModel, value: unknown): boolean =>
  'fields' in model && fitsFields(model.fields, value);

const fitsFields = (fields: readonly FormField[], value: unknown): boolean =>
  isRecord(value) &&
  Object.entries(value).every(([name, member]) => {
    const field = fields.find((one) => one.name === name);
    return field !== undefined && fitsNode(field.node, member);
  });

const fitsNode = (node: FormNode, value: unknown): boolean => {
  switch (node.kind) {
    case 'string':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    case 'choice':
      return node.options.some((option) => isSame(option.value, value));
    case 'object':
      return fitsFields(node.fields, value);
    case 'array':
      return Array.isArray(value) && value.every((item) => fitsNode(node.item, item));
    case 'json':
      return true;
  }
};

/** Whether two JSON values are the same. */
export const isSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);

const blanks: Record<Exclude<FormNode['kind'], 'choice' | 'object'>, unknown> = {
  string: '',
  number: 0,
  boolean: false,
  array: [],
  json: null,
};

/** A value to start from: the schema's default, the first choice, or a blank. */
export const toBlank = (node: FormNode, schema: unknown): unknown => {
  if (isRecord(schema) && 'default' in schema) return schema.default;
  if (node.kind === 'choice') return node.options[0]?.value ?? null;
  return node.kind === 'object' ? toBlankObject(node.fields) : blanks[node.kind];
};

const toBlankObject = (fields: readonly FormField[]): Record<string, unknown> =>
  Object.fromEntries(
    fields
      .filter((field) => field.required || field.hasDefault)
      .map((field) => [field.name, toBlank(field.node, field.schema)]),
  );

/** Arguments to start from: the schema's own defaults, and a blank for each property it requires. */
export const toInitialArguments = (model: FormModel): Record<string, unknown> =>
  'fields' in model ? toBlankObject(model.fields) : {};
