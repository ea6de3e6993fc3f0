import { isRecord } from '@casement/protocol/start';
import type { ModelMessage, ModelTool } from '../model/model.js';

/** A command to call a tool, as the user typed it. */
export interface Command {
  readonly name: string;
  readonly rest: string;
}

/**
 * What was said last in a message. Only its last text counts: what apps gave the model to know comes before, and
 * should not be able to give orders.
 */
export const readLastText = (message: ModelMessage & { role: 'user' }): string => {
  const block = message.content.findLast(({ type }) => type === 'text');
  return block?.type === 'text' ? block.text.trim() : '';
};

/** The commands of a text: `/tool …`, one per line that begins with a slash, or one "call tool with …". */
export const readCommands = (text: string): readonly Command[] => {
  if (text.startsWith('/')) {
    return toCommandTexts(text).flatMap((command) => {
      const name = /^\/([^\s{]+)/.exec(command)?.[1];
      return name === undefined ? [] : [{ name, rest: command.slice(name.length + 1).trim() }];
    });
  }
  const [, name, rest = ''] = /^(?:please )?call\s+([^\s{]+)(?:\s+with\s([^]*))?$/i.exec(text) ?? [];
  const bare = name?.replace(/^[`"']/, '').replace(/(?<![`"'.!])[`"'.!]+$/, '');
  return bare ? [{ name: bare, rest: rest.trim() }] : [];
};

/** A line that begins with a slash begins a command; the others belong to the one before. */
const toCommandTexts = (text: string): readonly string[] => {
  const commands: string[][] = [];
  for (const line of text.split('\n')) {
    const begun = line.trimStart();
    if (begun.startsWith('/')) commands.push([begun]);
    else commands.at(-1)?.push(line);
  }
  return commands.map((lines) => lines.join('\n'));
};

/** The tools a name may mean: the one that has it, or else those that end in it after the server's name. */
export const findTools = (name: string, tools: readonly ModelTool[]): readonly ModelTool[] => {
  const exact = tools.filter((tool) => tool.name === name);
  return exact.length > 0 ? exact : tools.filter((tool) => tool.name.endsWith(`__${name}`));
};

/** The JSON text a model would write for a call; what is neither JSON nor `a=1, b=two` goes through as it is. */
export const toArgumentsText = (rest: string, tool: ModelTool): string => {
  if (rest === '') return '{}';
  if (rest.startsWith('{')) return rest;
  const pairs = readPairs(rest);
  if (!pairs) return rest;
  const values = pairs.map(([key, value]) => [key, toValue(value, readSchemaType(tool, key))] as const);
  return JSON.stringify(Object.fromEntries(values));
};

/** A bracket or quote that never closes is looked for again after each comma, so a longer text is not read as pairs. */
const MAX_PAIRS_LENGTH = 8000;

const readPairs = (rest: string): readonly (readonly [string, string])[] | undefined => {
  if (rest.length > MAX_PAIRS_LENGTH) return undefined;
  const pattern = /\s*([\w$.-]+)\s*=(\s*(?:"(?:[^"\\]|\\.)*"|\[[^\]]*\])\s*|[^,]*)(?:,|$)/y;
  const pairs: (readonly [string, string])[] = [];
  while (pattern.lastIndex < rest.length) {
    const [, key, value] = pattern.exec(rest) ?? [];
    if (key === undefined || value === undefined) return undefined;
    pairs.push([key, value.trim()]);
  }
  return pairs;
};

/** A value as JSON where it is JSON, as words where it is not, or where the tool wants words. */
const toValue = (text: string, type: unknown): unknown => {
  if (type === 'string' && !text.startsWith('"')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const readSchemaType = ({ inputSchema: { properties } }: ModelTool, key: string): unknown => {
  const property = isRecord(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
  return isRecord(property) ? property.type : undefined;
};
