import { CasementError, isRecord } from '@casement/protocol/start';

/** A call of a recorded turn. */
interface ScriptedCall {
  /** The name the model is offered the tool under, or the end of it after `__`. */
  readonly tool: string;
  /** The arguments, or their text as the model writes it, which then need not be JSON. */
  readonly arguments?: Readonly<Record<string, unknown>> | string;
  /** Characters of the arguments per chunk, and milliseconds between two; the model's own unless said. */
  readonly chunk?: number;
  readonly pace?: number;
}

/** What the model says in one step; one of the two must be there. */
export interface ScriptedTurn {
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
}

/** A recorded model: its steps in order. */
export type ModelScript = readonly ScriptedTurn[];

const slowestPace = 60_000;

const fail = (path: string, problem: string): never => {
  throw new CasementError('config-invalid', `The script is not usable: ${path} ${problem}.`, {
    hint: 'A script is a list of turns: [{"text": "…", "calls": [{"tool": "name", "arguments": {}}]}].',
  });
};

const checkKeys = (value: Record<string, unknown>, known: readonly string[], path: string): void => {
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    fail(path, `has the unknown key ${JSON.stringify(unknown.slice(0, 60))}; known are ${known.join(', ')}`);
  }
};

const checkCall = (call: unknown, path: string): void => {
  if (!isRecord(call)) return fail(path, 'must be an object');
  checkKeys(call, ['tool', 'arguments', 'chunk', 'pace'], path);
  const { tool, arguments: args, chunk, pace } = call;
  if (typeof tool !== 'string' || tool === '') fail(`${path}.tool`, 'must be the name of a tool');
  if (args !== undefined && typeof args !== 'string' && !isRecord(args)) {
    fail(`${path}.arguments`, 'must be an object, or the text the model writes');
  }
  if (chunk !== undefined) checkChunk(chunk, `${path}.chunk`);
  if (pace !== undefined) checkPace(pace, `${path}.pace`);
};

const checkTurn = (turn: unknown, path: string): void => {
  if (!isRecord(turn)) return fail(path, 'must be an object');
  checkKeys(turn, ['text', 'calls'], path);
  const { text, calls = [] } = turn;
  if (text !== undefined && typeof text !== 'string') fail(`${path}.text`, 'must be a string');
  if (!Array.isArray(calls)) return fail(`${path}.calls`, 'must be a list');
  calls.forEach((call, index) => checkCall(call, `${path}.calls[${index}]`));
  if (!text && calls.length === 0) fail(path, 'says nothing: give it text or calls');
};

/** Throws unless a chunk has a whole number of characters. */
export const checkChunk = (value: unknown, path: string): void => {
  if (!Number.isInteger(value) || Number(value) < 1)
    fail(path, 'must be a whole number of characters above 0');
};

/** Throws unless a pace is a number of milliseconds somebody would wait. */
export const checkPace = (value: unknown, path: string): void => {
  if (typeof value === 'number' && value >= 0 && value <= slowestPace) return;
  fail(path, `must be milliseconds from 0 to ${slowestPace}`);
};

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    return fail('it', `is not JSON (${error instanceof Error ? error.message : String(error)})`);
  }
};

/** Reads a script from its JSON text or from the value of it; throws with the place of the mistake. */
export const parseModelScript = (source: unknown): ModelScript => {
  const value = typeof source === 'string' ? readJson(source) : source;
  if (!Array.isArray(value)) return fail('it', 'must be a list of turns');
  value.forEach((turn, index) => checkTurn(turn, `[${index}]`));
  // Every turn was looked at above, which the type of the list cannot tell.
  return value as ModelScript;
};
