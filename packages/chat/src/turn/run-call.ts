import type { CallToolResult, Tool } from '@casement/protocol';
import type { ServerPort } from '@casement/protocol/ports';
import { isRecord } from '@casement/protocol/start';
import { readToolClaims, toToolDefinition } from '@casement/protocol/consents';
import { toFailure, TurnFailure } from '../conversation-failure.js';
import type { ApprovalAnswer, ApprovalKey, ToolCallQuestion } from '../tools/approvals.js';
import { decideApproval } from '../tools/approvals.js';
import type { BoundTool, ToolOwner } from '../tools/offered-tools.js';
import { untilAborted } from '../until-aborted.js';
import type { ConversationStore } from './conversation-store.js';
import type { StepCall } from './read-step.js';
import type { Turn } from './turn.js';

/** The step that a call is of. */
interface CallStep {
  readonly messageId: string;
  /** The tool as the model was offered it in this step. */
  findTool(name: string): BoundTool | undefined;
}

/** Makes one call; whatever comes of it is written into its part and never thrown. */
export const runCall = async (
  turn: Turn,
  call: StepCall,
  { messageId, findTool }: CallStep,
): Promise<void> => {
  const { store, signal } = turn;
  const write = (patch: Parameters<ConversationStore['updateCall']>[2]): void =>
    store.updateCall(messageId, call.toolCallId, patch);
  try {
    const bound = findTool(call.name);
    if (!bound)
      throw new TurnFailure('tool-not-found', `There is no tool named ${JSON.stringify(call.name)}.`);
    const input = parseInput(call.text);
    write({ input, state: 'input-available' });
    const { owner } = bound;
    const life = owner.kind === 'app' ? AbortSignal.any([signal, owner.gone]) : signal;
    await getApproval({ ...turn, signal: life }, messageId, call, bound, input);
    if (!signal.aborted && !turn.isPresent(owner)) throw toGone(bound);
    if (!signal.aborted && !(await isUnchanged(bound, turn))) throw toChanged(bound);
    const output = await runTool(bound, input, turn);
    if (output) write({ output, state: 'output-available' });
    else if (!signal.aborted) throw toGone(bound);
  } catch (error) {
    if (signal.aborted) return;
    const otherwise = { code: 'tool-failed', message: `The tool ${call.name} could not be run.` } as const;
    const { code, message } = toFailure(error, otherwise);
    write({ state: 'output-error', errorCode: code, errorText: message });
  }
};

/** Undefined when the turn was stopped, or the app is gone that was to run it. */
const runTool = async (
  { owner, tool }: BoundTool,
  input: Record<string, unknown>,
  { signal, limits: { taskMs } }: Pick<Turn, 'signal' | 'limits'>,
): Promise<CallToolResult | undefined> => {
  if (owner.kind === 'server') {
    const params = { name: tool.name, arguments: input };
    return untilAborted(() => callServer(owner.port, tool, params, signal, taskMs), signal);
  }
  const left = new AbortController();
  const life = AbortSignal.any([signal, left.signal]);
  const leave = (): void => left.abort();
  // HOST-104: what the app handed on to its server goes on without it.
  const onTask = ({ ofServer }: { readonly ofServer: boolean }): void => {
    if (ofServer) owner.gone.removeEventListener('abort', leave);
  };
  owner.gone.addEventListener('abort', leave);
  try {
    const { app, qualifiedName } = owner;
    return await untilAborted(() => app.callAppTool(qualifiedName, input, { signal: life, onTask }), life);
  } finally {
    owner.gone.removeEventListener('abort', leave);
  }
};

const callServer = async (
  port: ServerPort,
  { execution }: Tool,
  params: { readonly name: string; readonly arguments: Record<string, unknown> },
  signal: AbortSignal,
  taskMs: number,
): Promise<CallToolResult> => {
  const { tasks } = port;
  if (execution?.taskSupport !== 'required' || !tasks)
    return port.callTool(params, { caller: 'model', signal });
  // Few tools want it, and what reads a task knows all of the protocol.
  const { callAsTask } = await import('./call-as-task.js');
  return callAsTask(port, tasks, params, { signal, taskMs });
};

/** Models that give no arguments often write nothing at all. */
const parseInput = (text: string): Record<string, unknown> => {
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new TurnFailure('input-malformed', `The arguments are not valid JSON: ${text.slice(0, 200)}`);
  }
  if (isRecord(value)) return value;
  throw new TurnFailure('input-malformed', 'The arguments are not a JSON object.');
};

/** Returns when the call may be made, or nobody waits for it any more. */
const getApproval = async (
  turn: Turn,
  messageId: string,
  { toolCallId }: StepCall,
  bound: BoundTool,
  input: Record<string, unknown>,
): Promise<void> => {
  const { store, memory, policy, recordDecision, signal } = turn;
  const { name, tool, source } = bound;
  const key = toKey(bound);
  const definition = await toToolDefinition(tool);
  const exact = definition === undefined ? undefined : { ...key, definition };
  const setting = memory.get(key) ?? (exact && memory.get(exact));
  const request = { toolCallId, name, tool, source, input };
  const rules = { policy, toolCalls: turn.getToolCalls() };
  const approval = await untilAborted(() => decideApproval(request, setting, rules, signal), signal);
  if (signal.aborted || !approval) return;
  const { decision } = approval;
  if (decision !== 'ask') recordDecision(toolCallId, source, decision === 'allow', approval.reason);
  if (decision === 'allow') return;
  let answer: ApprovalAnswer | undefined = false;
  if (decision === 'ask') {
    store.updateCall(messageId, toolCallId, { state: 'approval-requested' });
    answer = await ask(toolCallId, bound, input, exact ?? key, turn);
    if (answer === 'never') memory.set(key, answer);
    if (exact && (answer === 'always' || answer === 'never'))
      memory.set(exact, answer === 'always' ? answer : undefined);
    if (answer !== undefined) {
      store.updateCall(messageId, toolCallId, { state: 'input-available' });
      recordDecision(toolCallId, source, answer === true || answer === 'always', toAnswerWords(answer));
    }
  }
  if (answer === false || answer === 'never')
    throw new TurnFailure('approval-denied', `The call of ${name} was not allowed.`);
};

const toAnswerWords = (answer: ApprovalAnswer): string =>
  typeof answer === 'string' ? `The user said ${answer}.` : `The user said ${answer ? 'yes' : 'no'}.`;

/** The question stands in the thread, and goes to the page's hook too where there is one: the first answer counts. */
const ask = (
  toolCallId: string,
  { tool, source, owner }: BoundTool,
  input: Record<string, unknown>,
  about: ApprovalKey,
  { questions, onToolCall, signal }: Turn,
): Promise<ApprovalAnswer | undefined> => {
  const asked = questions.ask(toolCallId, about, signal);
  if (!onToolCall) return asked;
  const over = new AbortController();
  const request: ToolCallQuestion = {
    caller: 'model',
    server: source.server,
    tool,
    arguments: input,
    claims: readToolClaims(tool),
    reach: 'call',
    ...(owner.kind === 'app' ? { app: toAsker(owner) } : {}),
  };
  void Promise.resolve()
    .then(() => onToolCall(request, { signal: AbortSignal.any([signal, over.signal]) }))
    // A hook that breaks, or says something unknown, says no.
    .then((answer) => (answer === true || answer === 'always' ? answer : false))
    .catch(() => false as const)
    .then((answer) => questions.answer(toolCallId, answer));
  return asked.finally(() => over.abort());
};

const toAsker = ({ app }: ToolOwner & { kind: 'app' }): NonNullable<ToolCallQuestion['app']> => {
  const { appInfo, resource } = app.getSnapshot();
  return { server: app.server.name, resource: resource?.uri ?? '', ...(appInfo ? { info: appInfo } : {}) };
};

const toKey = ({ owner, tool }: BoundTool): ApprovalKey => {
  if (owner.kind === 'server') return { kind: 'tool', server: owner.port.identity, scope: tool.name };
  const { app } = owner;
  return { kind: 'app', server: app.server.identity, scope: app.getSnapshot().resource?.uri ?? app.id };
};

/** What was allowed is the tool as the model was offered it; its owner may have changed it meanwhile (T21). */
const isUnchanged = async (bound: BoundTool, { findNow }: Pick<Turn, 'findNow'>): Promise<boolean> => {
  const now = findNow(bound);
  // What is not listed at the moment, as while a server starts anew, is for its owner to refuse.
  if (now === undefined || now === bound.tool) return true;
  const [one, other] = await Promise.all([toToolDefinition(bound.tool), toToolDefinition(now)]);
  return one !== undefined && one === other;
};

const toChanged = ({ name }: BoundTool): TurnFailure =>
  new TurnFailure(
    'approval-denied',
    `The call of ${name} was not made: the tool is no longer what the model was offered. Call it again as it is now.`,
  );

/** HOST-095 and its like for servers. */
const toGone = ({ owner, name }: BoundTool): TurnFailure =>
  owner.kind === 'app'
    ? new TurnFailure('session-closed', `The app that offered ${name} is gone.`)
    : new TurnFailure('server-unknown', `The server that has ${name} is no longer part of the conversation.`);
