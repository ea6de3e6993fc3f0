import type { RecordingEntry } from '@casement/protocol';
import type { CspReport } from '@casement/sandbox/handler';
import type { ServerSummary } from './server-summary.js';

/** The lists a server may announce as changed. */
export type ServerList = 'tools' | 'resources' | 'prompts';

/** One message of the event stream. */
export type GatewayEvent =
  | { type: 'server'; server: ServerSummary }
  | { type: 'list-changed'; server: string; list: ServerList }
  /** Only on the streams that asked for this resource. */
  | { type: 'resource-updated'; server: string; uri: string }
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
