import { isRecord } from '@casement/protocol/start';
import type { FormField, FormModel, FormNode } from './form-model.js';
import { isSame } from './form-values.js';

/** Something about the arguments the schema does not allow; the server has the last word. */
export interface ArgumentProblem {
  /** Names and positions from the outside in, joined with dots. */
  path: string;
  message: string;
}

const maxProblems = 20;

/** Compares arguments with the schema as far as the form knows it. */
export const checkArguments = (model: FormModel, args: Record<string, unknown>): ArgumentProblem[] =>
  'fields' in model ? checkFields(model.fields, args, '').slice(0, maxProblems) : [];

const checkFields = (
  fields: readonly FormField[],
  value: Record<string, unknown>,
  path: string,
): ArgumentProblem[] => {
  const known = new Set(fields.map(({ name }) => name));
  const unknown = Object.keys(value).filter((name) => !known.has(name));
  return [
    ...fields.flatMap((field) => {
      const at = join(path, field.name);
      const member = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
      if (member === undefined) return field.required ? [{ path: at, message: 'is required' }] : [];
      return checkNode(field.node, member, at);
    }),
    ...unknown.map((name) => ({ path: join(path, name), message: 'is not in the schema' })),
  ];
};

const checkNode = (node: FormNode, value: unknown, path: string): ArgumentProblem[] => {
  const say = (message: string): ArgumentProblem[] => [{ path, message }];
  switch (node.kind) {
    case 'string':
      if (typeof value !== 'string') return say('must be a text');
      return node.maxLength !== undefined && value.length > node.maxLength
        ? say(`must not be longer than ${node.maxLength} characters`)
        : [];
    case 'number':
      return checkNumber(node, value, say);
    case 'boolean':
      return typeof value === 'boolean' ? [] : say('must be true or false');
    case 'choice':
      return node.options.some((option) => isSame(option.value, value))
        ? []
        : say(`must be one of ${toChoices(node.options.map(({ label }) => label))}`);
    case 'object':
      return isRecord(value) ? checkFields(node.fields, value, path) : say('must be an object');
    case 'array':
      return Array.isArray(value) ? checkItems(node.item, value, path) : say('must be a list');
    case 'json':
      return [];
  }
};

/** The first problems are enough to go on with. */
const checkItems = (node: FormNode, items: readonly unknown[], path: string): ArgumentProblem[] => {
  const problems: ArgumentProblem[] = [];
  for (const [index, item] of items.entries()) {
    if (problems.length >= maxProblems) break;
    problems.push(...checkNode(node, item, join(path, String(index))));
  }
  return problems;
};

const toChoices = (labels: readonly string[]): string =>
  labels.length > maxProblems
    ? `${labels.slice(0, maxProblems).join(', ')} and ${labels.length - maxProblems} more`
    : labels.join(', ');

const checkNumber = (
  { integer, min, max }: Extract<FormNode, { kind: 'number' }>,
  value: unknown,
  say: (message: string) => ArgumentProblem[],
): ArgumentProblem[] => {
  if (typeof value !== 'number') return say('must be a number');
  if (integer && !Number.isInteger(value)) return say('must be a whole number');
  if (min !== undefined && value < min) return say(`must be at least ${min}`);
  return max !== undefined && value > max ? say(`must be at most ${max}`) : [];
};

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
