/** Every time and size limit of a session; each step has its own so that each failure has its own name. */
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
  /** Messages the proxy may drop before the session ends as app-flooding. */
  readonly maxDropped: number;
  /** Characters of streamed arguments that are still shown while they come; the complete input has no such limit. */
  readonly maxPartialLength: number;
  readonly maxCallsInFlight: number;
  /** Calls that may wait for a free place before further ones are refused. */
  readonly maxCallsWaiting: number;
}

/** The limits a session has unless the embedder says otherwise. */
export const defaultLimits: SessionLimits = {
  resourceMs: 15_000,
  sandboxMs: 10_000,
  handshakeMs: 30_000,
  pingMs: 2_000,
  teardownMs: 5_000,
  maxHtmlBytes: 16 * 1024 * 1024,
  maxHeight: 4_000,
  maxDropped: 100_000,
  maxPartialLength: 256 * 1024,
  maxCallsInFlight: 8,
  maxCallsWaiting: 64,
};
