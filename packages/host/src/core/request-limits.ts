/** Limits of what an app may ask for; their defaults are loaded with the code that serves apps. */
export interface RequestLimits {
  /** How long a server call may go on after its app was closed in order: the app may be saving. */
  readonly lingerMs: number;
  /** The largest model context of one app, in characters of its JSON. */
  readonly maxContextLength: number;
  readonly maxMessageLength: number;
  readonly maxSubscriptions: number;
  readonly maxDownloadItems: number;
  /** Of those, the ones that are links: each becomes a tab. */
  readonly maxDownloadLinks: number;
  /** All files of one download together, decoded. */
  readonly maxDownloadBytes: number;
  /** The most tokens one answer of the model may have, whatever the app asks for. */
  readonly maxSamplingTokens: number;
  readonly maxSamplingLength: number;
  /** Questions to the model in a minute. */
  readonly maxSamplingPerMinute: number;
  readonly maxAppTools: number;
  readonly appToolMs: number;
  /** How long a tool of an app may take that goes on as a task. */
  readonly appTaskMs: number;
  /** The shortest time between two looks at a task, whatever its owner suggests. */
  readonly taskPollMs: number;
  readonly maxAppToolResultLength: number;
  /** The shortest time between two listings of an app's tools. */
  readonly appToolListMs: number;
}

const KB = 1024;
const MB = 1024 * KB;

const defaultRequestLimits: RequestLimits = {
  lingerMs: 30_000,
  maxContextLength: 256 * KB,
  maxMessageLength: 256 * KB,
  maxSubscriptions: 100,
  maxDownloadItems: 20,
  maxDownloadLinks: 5,
  maxDownloadBytes: 50 * MB,
  maxSamplingTokens: 4096,
  maxSamplingLength: MB,
  maxSamplingPerMinute: 10,
  maxAppTools: 50,
  appToolMs: 30_000,
  appTaskMs: 600_000,
  taskPollMs: 250,
  maxAppToolResultLength: 10 * MB,
  appToolListMs: 1000,
};

/** The limits in force for one app: the embedder's where it named one. */
export const toRequestLimits = (given: Partial<RequestLimits> | undefined): RequestLimits => ({
  ...defaultRequestLimits,
  ...given,
});
