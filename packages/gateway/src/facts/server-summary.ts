import type { ErrorCode } from '@casement/protocol';
import type { ServerFinding } from './server-findings.js';

/** The state of a server's connection: `exited` means that its process ended by itself, `failed` that it could not be reached. */
export type ServerStatus = 'connecting' | 'ready' | 'failed' | 'exited';

/** A failure as the page sees it: a code to act on and sentences to show. */
interface ReportedError {
  code: ErrorCode;
  message: string;
  hint?: string;
}

/** What the page knows about one server without asking it anything. */
export interface ServerSummary {
  /** What the API and links address it by; never changes. */
  name: string;
  /** The name the server gives itself; shown to people where `name` was made from a command or address. */
  label?: string;
  status: ServerStatus;
  /** Salted hash of what the server is; never its command or address in clear. */
  identity: string;
  kind: 'stdio' | 'http';
  error?: ReportedError;
  serverInfo?: { name: string; version: string; title?: string };
  protocolVersion?: string;
  capabilities?: Record<string, unknown>;
  /** Faults seen since it connected that did not end the connection. */
  findings?: ServerFinding[];
  /** Last lines the process wrote to stderr, cleaned of control and direction characters. */
  stderrTail?: string[];
}
