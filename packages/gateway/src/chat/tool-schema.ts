import { isRecord } from '@casement/protocol/start';

type Schema = Readonly<Record<string, unknown>>;

/** Keywords for which providers refuse the whole request when they stand at the top of a tool's schema. */
const refused = ['allOf', 'anyOf', 'oneOf', '$ref', 'not', 'enum', 'const', 'if', 'then', 'else'];
/** Written by the folding. */
const own = ['type', 'properties', 'required'];
const left = new Set([...refused, ...own]);
const maxDepth = 16;

/**
 * The schema of a tool's arguments in the form that every provider takes: an object with properties, and nothing else
 * at its top. One tool that is described otherwise would keep the model from answering at all. What is folded together
 * here asks for less than the tool does; the tool itself checks what it gets.
 */
export const toToolSchema = (schema: Schema): Schema => {
  const { properties, required } = createFold(schema)(schema, maxDepth);
  const rest = Object.entries(schema).filter(([key]) => !left.has(key));
  return {
    ...Object.fromEntries(rest),
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
  };
};

interface Folded {
  readonly properties: ReadonlyMap<string, unknown>;
  readonly required: readonly string[];
}

type Fold = (schema: Schema, depth: number) => Folded;

/** Creates a function that collects the properties of a schema and of all its parts. */
const createFold = (root: Schema): Fold => {
  // Each part once: references that lead to each other would multiply without end.
  const seen = new Set<Schema>();
  const fold: Fold = (schema, depth) => {
    if (depth === 0 || seen.has(schema)) return { properties: new Map(), required: [] };
    seen.add(schema);
    const properties = new Map(isRecord(schema.properties) ? Object.entries(schema.properties) : []);
    const required = new Set(readNames(schema.required));
    const read = (parts: readonly Schema[]): Folded[] => {
      const folded = parts.map((part) => fold(part, depth - 1));
      for (const [name, property] of folded.flatMap((part) => [...part.properties]))
        if (!properties.has(name)) properties.set(name, property);
      return folded;
    };
    const target = readRef(schema.$ref, root);
    const all = read([...(target ? [target] : []), ...readSchemas(schema.allOf)]);
    for (const name of all.flatMap((part) => part.required)) required.add(name);
    for (const ways of [read(readSchemas(schema.anyOf)), read(readSchemas(schema.oneOf))]) {
      const [first, ...others] = ways;
      // As sets: lists as long as a server likes to make them are compared.
      const needed = others.map((way) => new Set(way.required));
      for (const name of first?.required ?? [])
        if (needed.every((names) => names.has(name))) required.add(name);
    }
    return { properties, required: [...required] };
  };
  return fold;
};

const readSchemas = (value: unknown): Schema[] => (Array.isArray(value) ? value.filter(isRecord) : []);

const readNames = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];

/** The schema a reference within the same document points to. */
const readRef = (ref: unknown, root: Schema): Schema | undefined => {
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return undefined;
  let place: unknown = root;
  for (const step of ref.slice(2).split('/')) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    place = isRecord(place) && Object.hasOwn(place, key) ? place[key] : undefined;
  }
  return isRecord(place) ? place : undefined;
};
