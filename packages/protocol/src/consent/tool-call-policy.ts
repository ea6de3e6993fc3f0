import { isRecord, readOwn } from '../is-record.js';

/** One thing a tool says of its calls; a server's (or an app's) word, which nobody checked. */
export type ToolClaim =
  'reads-only' | 'changes' | 'may-destroy' | 'destroys-nothing' | 'open-world' | 'unclear' | 'nothing';

/** What a call may do, read from the claims in the stricter way where they leave a choice. */
export type ToolEffect = 'reads' | 'changes' | 'destroys' | 'unsaid';

/** What an embedder may change about questions before calls. */
export interface ToolCallPolicy {
  /** `run` asks about no call at all; `ask` unless said otherwise. */
  readonly toolCalls?: 'ask' | 'run';
  /** Whether an app may call tools of its server that say nothing of themselves; `ask` asks once per app. */
  readonly unannotated?: 'run' | 'ask';
}

/** Whether a call waits for a yes: each time, once for the app as long as it is shown, or not at all. */
export type CallRule = 'run' | 'ask' | 'ask-once';

/** What a tool says of its calls, in words a question can show; never throws. */
export const readToolClaims = (tool: unknown): readonly ToolClaim[] => {
  try {
    return readUnguarded(tool);
  } catch {
    // A getter or proxy that a page made: nothing is known.
    return ['unclear'];
  }
};

const readUnguarded = (tool: unknown): readonly ToolClaim[] => {
  const annotations = readOwn(tool, 'annotations');
  if (annotations === undefined) return ['nothing'];
  if (!isRecord(annotations)) return ['unclear'];
  const read = (name: string, yes: ToolClaim, no?: ToolClaim): ToolClaim[] => {
    const value = readOwn(annotations, name);
    if (value === undefined) return [];
    if (typeof value !== 'boolean') return ['unclear'];
    return value ? [yes] : no === undefined ? [] : [no];
  };
  const harm = [
    ...read('readOnlyHint', 'reads-only', 'changes'),
    ...read('destructiveHint', 'may-destroy', 'destroys-nothing'),
  ];
  const isContradiction = harm.includes('reads-only') && harm.includes('may-destroy');
  const claims = [
    ...(harm.length === 0 ? (['nothing'] as const) : harm),
    ...(isContradiction ? (['unclear'] as const) : []),
    ...read('openWorldHint', 'open-world'),
  ];
  return [...new Set(claims)];
};

/** What a call of the tool may do: MCP takes one that says it writes for destructive unless it says otherwise. */
export const readToolEffect = (tool: unknown): ToolEffect => {
  const claims = readToolClaims(tool);
  if (claims.includes('unclear') || claims.includes('may-destroy')) return 'destroys';
  if (claims.includes('reads-only')) return 'reads';
  if (claims.includes('destroys-nothing')) return 'changes';
  return claims.includes('nothing') ? 'unsaid' : 'destroys';
};

/**
 * The one rule about calls. The model speaks for whoever wrote into its context, so it may only read unasked. An app
 * calls its own server: it is stopped where the server says that harm is possible; silence is let pass, as the apps of
 * most servers poll tools that say nothing.
 */
export const toCallRule = (
  caller: 'model' | 'app',
  effect: ToolEffect,
  { toolCalls, unannotated }: ToolCallPolicy = {},
): CallRule => {
  if (toolCalls === 'run' || effect === 'reads') return 'run';
  if (caller === 'model' || effect === 'destroys') return 'ask';
  return effect === 'unsaid' && unannotated === 'ask' ? 'ask-once' : 'run';
};
