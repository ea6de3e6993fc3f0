import { isRecord } from '@casement/protocol/start';
import type { Gist } from './message-gist.js';

const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 400) : '');
const countOf = (value: unknown): number => (typeof value === 'number' ? value : 0);
const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

/** What a step of a model is called in the list. */
export const modelStepLabels: ReadonlyMap<unknown, string> = new Map([
  ['model-request', 'Model asked'],
  ['model-answer', 'Model answered'],
]);

/** The last words of the newest message that has any: what the model is to react to. */
const toLastWords = (messages: unknown): string => {
  if (!Array.isArray(messages)) return '';
  const last: unknown = messages.at(-1);
  if (!isRecord(last)) return '';
  const results: unknown[] = Array.isArray(last.results) ? last.results : [];
  const blocks: unknown[] = Array.isArray(last.content) ? last.content : [];
  if (results.length > 0)
    return `after ${results.map((result) => (isRecord(result) ? textOf(result.name) : '')).join(', ')}`;
  const said = blocks.findLast((block) => isRecord(block) && typeof block.text === 'string');
  return isRecord(said) ? `“${textOf(said.text)}”` : '';
};

const toRequestSentence = (raw: Record<string, unknown>): Gist => {
  const tools = Array.isArray(raw.tools) ? raw.tools.length : 0;
  const told = `${plural(countOf(raw.told), 'message')}, ${plural(tools, 'tool')}`;
  const asker = raw.for === 'app' ? ' for an app' : '';
  // The gist first: a row is short, and the model is mostly the same.
  return { text: `${toLastWords(raw.messages)} (${textOf(raw.model)}${asker}, ${told})`.trim() };
};

const outcomes: ReadonlyMap<unknown, string> = new Map([
  ['length', 'cut at its limit'],
  ['other', 'ended for a reason of its own'],
  ['stopped', 'stopped'],
]);

const toAnswerSentence = (raw: Record<string, unknown>): Gist => {
  const time = `after ${Math.round(countOf(raw.ms))} ms`;
  if (isRecord(raw.failure)) {
    const { code, message, hint } = raw.failure;
    const text = [textOf(message), textOf(hint), `(${textOf(raw.model)}, ${time})`].filter(Boolean).join(' ');
    return { text, code: textOf(code), isProblem: true };
  }
  const calls: unknown[] = Array.isArray(raw.calls) ? raw.calls : [];
  const names = calls.map((call) => (isRecord(call) ? textOf(call.name) : '')).join(', ');
  const said = [
    textOf(raw.text) && `“${textOf(raw.text)}”`,
    names && `calls ${names}`,
    outcomes.get(raw.outcome) ?? '',
  ].filter(Boolean);
  return { text: `${said.join(', ') || 'nothing'} (${textOf(raw.model)}, ${time})` };
};

/** What a model was asked or answered in one step, in one sentence. */
export const toModelStepSentence = (raw: Record<string, unknown>): Gist | undefined => {
  if (raw.type === 'model-request') return toRequestSentence(raw);
  return raw.type === 'model-answer' ? toAnswerSentence(raw) : undefined;
};
