import type { FloodLimits } from '../transport/flood-gate.js';

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
  /** What is kept of messages nobody asked for, and when they end the connection. */
  flood: FloodLimits;
}

/** Limits that no honest server meets. */
export const defaultServerLimits: ServerLimits = {
  requestTimeoutMs: 60_000,
  maxMessageBytes: 16 * 1024 * 1024,
  maxListPages: 100,
  maxListItems: 5000,
  listChangedQuietMs: 150,
  flood: { burst: 2000, perSecond: 200, floodPerSecond: 5000, maxSeconds: 20 },
};
