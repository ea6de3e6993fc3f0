/** Every limit of a session. Each step has a time limit of its own, so that each failure has its own name. */
export interface SessionLimits {
  /** Reading the UI resource from the server. */
  readonly resourceMs: number;
  /** From mounting the proxy frame to its ready message. */
  readonly sandboxMs: number;
  /** From handing over the HTML to the app's initialized notification. */
  readonly handshakeMs: number;
  /** How long an app may take to prove it is still there after an unexpected load. */
  readonly pingMs: number;
  /** How long an app that is being closed may take to save and answer teardown, out of sight. */
  readonly teardownMs: number;
  readonly maxHtmlBytes: number;
  /** The tallest inline frame, told to the app as maxHeight. */
  readonly maxHeight: number;
  /** Apps that live on one page at a time; with more, those that were seen longest ago make room. */
  readonly maxLiveApps: number;
  /** Messages the proxy may drop before the session ends as app-flooding. */
  readonly maxDropped: number;
  /** Characters of streamed arguments that are still shown while they come; the complete input has no such limit. */
  readonly maxPartialLength: number;
  readonly maxCallsInFlight: number;
  /** Calls that may wait for a free place before further ones are refused. */
  readonly maxCallsWaiting: number;
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

/** The limits a session has unless the embedder says otherwise. */
export const defaultLimits: SessionLimits = {
  resourceMs: 15_000,
  sandboxMs: 10_000,
  handshakeMs: 30_000,
  pingMs: 2_000,
  teardownMs: 5_000,
  maxHtmlBytes: 16 * MB,
  maxHeight: 4_000,
  maxLiveApps: 12,
  maxDropped: 100_000,
  maxPartialLength: 256 * KB,
  maxCallsInFlight: 8,
  maxCallsWaiting: 64,
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

/** The longest font CSS. It is told again with every change of style: rules that name files fit, files as text do not. */
export const maxFonts = 65_536;
