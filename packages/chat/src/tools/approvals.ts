import type { Tool, ToolClaim } from '@casement/protocol';
import { readToolEffect, toCallRule } from '@casement/protocol/consents';
import type { MessageApp, ToolSource } from '../message/message.js';

/** A call the model wants to have made. */
export interface ApprovalRequest {
  readonly toolCallId: string;
  /** The tool's name for the model. */
  readonly name: string;
  readonly tool: Tool;
  readonly source: ToolSource;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What becomes of a call; `ask` puts it to the user. */
type ApprovalDecision = 'allow' | 'ask' | 'deny';

/** Decides about a call; undefined leaves it to the default. */
export type ApprovalPolicy = (
  request: ApprovalRequest,
  options: { readonly signal: AbortSignal },
) => ApprovalDecision | undefined | Promise<ApprovalDecision | undefined>;

/**
 * The user's answer: for this call, or from now on. A yes is narrow and a no is wide: `always` holds for this tool as
 * it describes itself now, `never` for the app as a whole or for whatever the server calls by this tool's name.
 */
export type ApprovalAnswer = boolean | 'always' | 'never';

/** A remembered choice of the user; `ask` asks even where the default would not. */
export type ApprovalSetting = 'always' | 'never' | 'ask';

/** What a setting is for: an app as a whole, or one tool of a server, and of either one tool as it was described. */
export interface ApprovalKey {
  readonly kind: 'app' | 'tool';
  /** The server's identity, not its name: another server may call itself the same. */
  readonly server: string;
  /** The address of the app's UI, or the tool's name. */
  readonly scope: string;
  /** A hash of what the tool says of itself; a setting without one holds whatever it says. */
  readonly definition?: string;
}

/** Where settings are kept. */
export interface ApprovalMemory {
  get(key: ApprovalKey): ApprovalSetting | undefined;
  /** Undefined takes the setting back. */
  set(key: ApprovalKey, setting: ApprovalSetting | undefined): void;
}

const settled: Readonly<Record<ApprovalSetting, ApprovalDecision>> = {
  always: 'allow',
  never: 'deny',
  ask: 'ask',
};

/** What becomes of a call, and why. */
interface Approval {
  readonly decision: ApprovalDecision;
  readonly reason: string;
}

/**
 * A policy's allow and deny stand; otherwise what the user settled; otherwise only what says that it reads is called
 * unasked (HOST-097, HOST-103), whoever has the tool: an app's claims are worth no more than a server's.
 */
export const decideApproval = async (
  request: ApprovalRequest,
  setting: ApprovalSetting | undefined,
  { policy, toolCalls }: { readonly policy: ApprovalPolicy | undefined; readonly toolCalls: 'ask' | 'run' },
  signal: AbortSignal,
): Promise<Approval> => {
  const decision = await askPolicy(request, policy, signal);
  const byPage = { decision: decision ?? 'ask', reason: 'The page decided.' } as const;
  if (decision === 'allow' || decision === 'deny') return byPage;
  if (setting) return { decision: settled[setting], reason: `The user settled it: ${setting}.` };
  if (decision) return byPage;
  const effect = readToolEffect(request.tool);
  if (toCallRule('model', effect) === 'run')
    return { decision: 'allow', reason: 'The tool says that it only reads.' };
  return toolCalls === 'run'
    ? { decision: 'allow', reason: 'Tools run without asking: the switch is on.' }
    : { decision: 'ask', reason: 'The tool does not say that it only reads.' };
};

/** A policy that throws or says something unknown leaves the question to the user. */
const askPolicy = async (
  request: ApprovalRequest,
  policy: ApprovalPolicy | undefined,
  signal: AbortSignal,
): Promise<ApprovalDecision | undefined> => {
  try {
    const decision = await policy?.(request, { signal });
    return decision === undefined || decision === 'allow' || decision === 'deny' ? decision : 'ask';
  } catch {
    return 'ask';
  }
};

/** A call of the model that waits for a yes, as a page is asked about it. */
export interface ToolCallQuestion {
  readonly caller: 'model';
  readonly server: string;
  /** The tool as it is listed now: the server's own words, or those of the app that offers it. */
  readonly tool: Tool;
  /** All of the arguments, as the server gets them. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** What the tool says of itself; claims that nobody checked. */
  readonly claims: readonly ToolClaim[];
  readonly reach: 'call';
  /** The app that offers the tool. */
  readonly app?: MessageApp;
}

/** Asks the user about a call in a page's own way; `signal` aborts when nobody waits for the answer any more. */
export type AskAboutCall = (
  request: ToolCallQuestion,
  options: { readonly signal: AbortSignal },
) => Promise<boolean | 'always'>;

/** The questions that wait for the user. */
export interface ApprovalQuestions {
  /** Undefined when nobody waits for the answer any more. */
  ask(toolCallId: string, about: ApprovalKey, signal: AbortSignal): Promise<ApprovalAnswer | undefined>;
  answer(toolCallId: string, answer: ApprovalAnswer): boolean;
  readonly size: number;
}

/** Keeps the questions about calls that wait for the user; `onChange` is called when one comes or goes. */
export const createApprovalQuestions = (onChange: () => void): ApprovalQuestions => {
  const open = new Map<string, { about: ApprovalKey; end(answer?: ApprovalAnswer): void }>();
  return {
    ask: (toolCallId, about, signal) =>
      new Promise((resolve) => {
        const end = (answer?: ApprovalAnswer): void => {
          signal.removeEventListener('abort', leave);
          open.delete(toolCallId);
          onChange();
          resolve(answer);
        };
        const leave = (): void => end();
        open.set(toolCallId, { about, end });
        onChange();
        signal.addEventListener('abort', leave);
        if (signal.aborted) leave();
      }),
    answer(toolCallId, answer) {
      const question = open.get(toolCallId);
      if (!question) return false;
      question.end(answer);
      // What is settled is not asked again, not by the other calls of the same step either.
      for (const { about, end } of [...open.values()])
        if (isSettledBy(answer, question.about, about)) end(answer === 'always');
      return true;
    },
    get size() {
      return open.size;
    },
  };
};

/** A no is for the app or the tool's name, a yes for the tool as it describes itself. */
const isSettledBy = (answer: ApprovalAnswer, one: ApprovalKey, other: ApprovalKey): boolean =>
  one.kind === other.kind &&
  one.server === other.server &&
  one.scope === other.scope &&
  (answer === 'never' ||
    (answer === 'always' && one.definition !== undefined && one.definition === other.definition));
