import { isRecord } from '@casement/protocol/start';

/** Arguments read from text: an object, or a sentence that says what is wrong. */
export type ParsedArguments = { ok: true; args: Record<string, unknown> } | { ok: false; reason: string };

/** Reads the editor's text; nothing at all stands for no arguments. */
export const parseJsonArguments = (text: string): ParsedArguments => {
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

/** The same arguments, indented; text that is not JSON stays as it is. */
export const toPrettyArguments = (text: string): string => {
  const parsed = parseJsonArguments(text);
  return parsed.ok ? JSON.stringify(parsed.args, null, 2) : text;
};
