import type { ReportedError } from './server-summary.js';

/** One change of a server's files, and what was done about it. */
export interface WatchChange {
  /** Counts the changes of one server. */
  id: number;
  /** Names of some of the files, as seen from the folder that is watched. */
  files: string[];
  /** How many files changed besides. */
  more?: number;
  /**
   * `seen`: it is being dealt with; `read`: the documents of apps were read again, and the server goes on; `restarted`:
   * the server was started anew; `failed`: it did not start.
   */
  step: 'seen' | 'read' | 'restarted' | 'failed';
  /** Since the change was seen. */
  ms: number;
  /** The documents that changed. */
  resources?: string[];
  error?: ReportedError;
}
