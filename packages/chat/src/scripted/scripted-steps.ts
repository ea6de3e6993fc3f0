import type { AssistantBlock, ModelEvent, ModelMessage, ModelRequest } from '../model/model.js';
import { toGuidance, toResultsAnswer, toUnknownAnswer } from './scripted-answers.js';
import { findTools, readCommands, readLastText, toArgumentsText } from './scripted-commands.js';
import type { ModelScript, ScriptedTurn } from './scripted-script.js';

/*
 * Loaded on demand: what a scripted model says, which a page with a real model never needs.
 */

interface PlannedCall {
  readonly name: string;
  readonly text: string;
  readonly chunk?: number | undefined;
  readonly pace?: number | undefined;
}

interface PlannedStep {
  readonly text: string;
  readonly calls: readonly PlannedCall[];
}

/** What the model does next: the step of its script, or what it is told. */
export const toStep = (script: ModelScript, request: ModelRequest): PlannedStep => {
  const turn = script[countReplies(request.messages)];
  return turn ? toRecordedStep(turn, request) : toToldStep(request);
};

/**
 * How many steps the model has made, by the conversation itself: a step that is tried again is the same one, and a
 * greeting the page wrote is none.
 */
const countReplies = (messages: readonly ModelMessage[]): number =>
  messages.filter(({ role }, index) => {
    const before = messages[index - 1]?.role;
    return role === 'assistant' && (before === 'user' || before === 'tool');
  }).length;

const toRecordedStep = ({ text = '', calls = [] }: ScriptedTurn, { tools }: ModelRequest): PlannedStep => ({
  text,
  calls: calls.map(({ tool, arguments: args = {}, chunk, pace }) => {
    const [found, ...others] = findTools(tool, tools);
    // A name that means no tool stays as it is: models make such mistakes, and a script may want one.
    const name = found && others.length === 0 ? found.name : tool;
    return { name, text: typeof args === 'string' ? args : JSON.stringify(args), chunk, pace };
  }),
});

const toToldStep = ({ messages, tools }: ModelRequest): PlannedStep => {
  const last = messages.findLast(({ role }) => role === 'user' || role === 'tool');
  if (last?.role === 'tool') return { text: toResultsAnswer(last.results), calls: [] };
  const commands = last?.role === 'user' ? readCommands(readLastText(last)) : [];
  if (commands.length === 0) return { text: toGuidance(tools), calls: [] };
  const words: string[] = [];
  const calls: PlannedCall[] = [];
  for (const { name, rest } of commands) {
    const found = findTools(name, tools);
    const [tool] = found;
    if (!tool || found.length > 1) words.push(toUnknownAnswer(name, found, tools));
    else calls.push({ name: tool.name, text: toArgumentsText(rest, tool) });
  }
  return { text: words.join('\n'), calls };
};

interface Delivery {
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
  readonly pace: number;
  readonly chunk: number;
}

/** A step as a model streams it. */
export async function* speak(
  { text, calls }: PlannedStep,
  delivery: Delivery,
): AsyncGenerator<ModelEvent, void> {
  const { request, signal, pace, chunk } = delivery;
  const firstId = request.messages.flatMap(toCalls).length + 1;
  for await (const delta of toChunks(text, chunk, pace, signal)) yield { type: 'text', delta };
  for (const [index, call] of calls.entries()) {
    if (signal.aborted) return;
    const id = `call_${firstId + index}`;
    yield { type: 'tool-input-start', id, name: call.name };
    for await (const delta of toChunks(call.text, call.chunk ?? chunk, call.pace ?? pace, signal)) {
      yield { type: 'tool-input-delta', id, delta };
    }
    if (signal.aborted) return;
    yield { type: 'tool-call', id, name: call.name, text: call.text };
  }
  if (!signal.aborted) yield { type: 'finish', reason: calls.length > 0 ? 'tool-calls' : 'stop' };
}

const toCalls = (message: ModelMessage): readonly AssistantBlock[] =>
  message.role === 'assistant' ? message.content.filter(({ type }) => type === 'tool-call') : [];

/** A text in pieces of whole characters, with a pause before each; ends at once when aborted. */
async function* toChunks(
  text: string,
  size: number,
  pace: number,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  const characters = Array.from(text);
  for (let start = 0; start < characters.length; start += size) {
    if (pace > 0) await pause(pace, signal);
    if (signal.aborted) return;
    yield characters.slice(start, start + size).join('');
  }
}

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
  });
