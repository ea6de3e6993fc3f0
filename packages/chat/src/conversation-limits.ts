/** What a conversation bears from a model, a server or an app. */
export interface ConversationLimits {
  /** Characters of text in one step. */
  readonly maxText: number;
  /** Characters of one call's arguments. */
  readonly maxInput: number;
  /** Calls in one step. */
  readonly maxCalls: number;
  /** How long a server may work on a call that it runs as a task. */
  readonly taskMs: number;
  /** How long a turn waits for the tools of a server. */
  readonly listMs: number;
  /** Messages of apps in a row, without one of the user's own in between. */
  readonly maxAppTurns: number;
  readonly maxTokens?: number;
  /** Characters of text in one result that the model is told; its app gets it whole. */
  readonly maxResult: number;
  /** Characters of everything the model is told at once; of what is older, less is told. */
  readonly maxRequest: number;
  /** How long a model may say nothing while it is asked; large ones on small machines think for minutes. */
  readonly silenceMs: number;
  /** The most tokens of an answer to an app, whatever it asks for. */
  readonly maxSamplingTokens: number;
  /** Questions of all apps to the model in a minute. */
  readonly maxSamplingPerMinute: number;
}

/** What a conversation bears unless it is told otherwise. */
export const defaultLimits: ConversationLimits = {
  maxText: 1_000_000,
  maxInput: 256 * 1024,
  maxCalls: 32,
  taskMs: 600_000,
  listMs: 10_000,
  maxAppTurns: 10,
  maxResult: 400_000,
  maxRequest: 5_000_000,
  silenceMs: 300_000,
  maxSamplingTokens: 4096,
  maxSamplingPerMinute: 10,
};
