import { isRecord } from '../is-record.js';

/** An object that is read as a JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>;

/** One check under way. */
export interface Run<Rule = unknown> {
  readonly root: Schema;
  readonly references: Map<string, unknown>;
  readonly rules: Map<Schema, readonly Rule[]>;
  /** Steps that are left. */
  left: number;
}

/** A check was given up, for a reason that can be told. */
export class CheckGivenUp extends Error {}

/** Counts work before it is done. */
export const pay = (run: Run, steps: number): void => {
  run.left -= steps;
  if (run.left < 0) throw new CheckGivenUp('schema and value are too large to be checked');
};

/** Deep equality of two JSON values. */
export const isSame = (run: Run, one: unknown, other: unknown): boolean => {
  pay(run, 1);
  if (typeof one === 'string' && typeof other === 'string' && one.length === other.length)
    pay(run, one.length / 256);
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => isSame(run, item, other[index]));
  if (!isRecord(one) || !isRecord(other)) return false;
  const names = Object.keys(one);
  const otherNames = Object.keys(other);
  pay(run, names.length + otherNames.length);
  return (
    names.length === otherNames.length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(run, one[name], other[name]))
  );
};

/** What a reference within the schema stands for. */
export const resolve = (run: Run, reference: unknown): unknown => {
  if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference))
    throw new CheckGivenUp('the schema refers to elsewhere');
  if (run.references.has(reference)) return run.references.get(reference);
  pay(run, reference.length);
  // A place in the same schema; nothing is ever fetched (D19).
  let node: unknown = run.root;
  for (const part of reference.split('/').slice(1)) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    node =
      (isRecord(node) || Array.isArray(node)) && Object.hasOwn(node, key)
        ? Reflect.get(node, key)
        : undefined;
  }
  if (node === undefined) throw new CheckGivenUp('the schema refers to a part it does not have');
  run.references.set(reference, node);
  return node;
};
