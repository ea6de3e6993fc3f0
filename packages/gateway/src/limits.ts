/** What a server may cost. */
export interface ServerLimits {
  /** One request, from sending to the answer. */
  requestTimeoutMs: number;
  /** One message, in bytes. */
  maxMessageBytes: number;
  maxListPages: number;
  maxListItems: number;
  /** A burst of list_changed becomes one event per this time. */
  listChangedQuietMs: number;
}

/** Limits that no honest server meets. */
export const defaultServerLimits: ServerLimits = {
  requestTimeoutMs: 60_000,
  maxMessageBytes: 32 * 1024 * 1024,
  maxListPages: 100,
  maxListItems: 5000,
  listChangedQuietMs: 150,
};
