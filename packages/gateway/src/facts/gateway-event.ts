import type { RecordingEntry } from '@casement/protocol';
import type { CspReport } from '@casement/sandbox/handler';
import type { ServerSummary } from './server-summary.js';
import type { WatchChange } from './watch-change.js';

/** The lists a server may announce as changed. */
export type ServerList = 'tools' | 'resources' | 'prompts';

/** One message of the event stream. */
export type GatewayEvent =
  | { type: 'server'; server: ServerSummary }
  | { type: 'server-removed'; server: string }
  /** All servers, in the order to show. */
  | { type: 'servers-ordered'; servers: string[] }
  /** An entry, or what is wrong with a config file, is another now: ask for the entries again. */
  | { type: 'entries-changed' }
  | { type: 'list-changed'; server: string; list: ServerList }
  /** Only on the streams that asked for this resource. */
  | { type: 'resource-updated'; server: string; uri: string }
  /** Files of a watched server changed. */
  | { type: 'watch-change'; server: string; change: WatchChange }
  /**
   * The document of an app is another than when it was read last; `hash` is that of its HTML. Found out when a file was
   * saved, when a page had it looked for, or when it was read to be shown.
   */
  | { type: 'app-changed'; server: string; uri: string; hash: string; by: 'save' | 'look' | 'read' }
  | {
      type: 'progress';
      server: string;
      callId: string;
      progress: number;
      total?: number;
      message?: string;
    }
  | { type: 'recording'; server: string; entry: RecordingEntry }
  | { type: 'csp-report'; report: CspReport }
  /** This subscriber was too slow: that many events were left out; summaries follow anew. */
  | { type: 'dropped'; count: number };
