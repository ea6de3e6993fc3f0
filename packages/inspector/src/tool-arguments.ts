import type { Tool } from '@casement/protocol';
import { isRecord } from '@casement/protocol';

const blanks = new Map<unknown, unknown>([
  ['string', ''],
  ['number', 0],
  ['integer', 0],
  ['boolean', false],
  ['array', []],
  ['object', {}],
]);

/** Arguments to start from: the schema's own defaults, and a blank for each property it requires. */
export const toInitialArguments = (tool: Tool): Record<string, unknown> => {
  const { properties, required } = tool.inputSchema;
  if (!isRecord(properties)) return {};
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) => {
      if (!isRecord(schema)) return [];
      if ('default' in schema) return [[name, schema.default]];
      if (!needed.has(name)) return [];
      const choices = Array.isArray(schema.enum) ? schema.enum : [];
      return [[name, choices.length > 0 ? choices[0] : (blanks.get(schema.type) ?? null)]];
    }),
  );
};

/** Reads the editor's text: an object, or a sentence that says what is wrong. */
export const parseArguments = (
  text: string,
): { ok: true; args: Record<string, unknown> } | { ok: false; reason: string } => {
  if (text.trim() === '') return { ok: true, args: {} };
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value)
      ? { ok: true, args: value }
      : { ok: false, reason: 'The arguments must be one JSON object.' };
  } catch (error) {
    return {
      ok: false,
      reason: `The arguments are not JSON: ${error instanceof Error ? error.message : ''}`,
    };
  }
};
