import type { ErrorCode } from '@casement/protocol';
import type { ServerFinding } from './server-findings.js';

/** Where a server's connection stands; `exited` means its process ended by itself, `failed` that it could not be reached otherwise. */
export type ServerStatus = 'connecting' | 'ready' | 'failed' | 'exited';

/** A failure as the page sees it: a code to act on and sentences to show. */
export interface ReportedError {
  code: ErrorCode;
  message: string;
  hint?: string;
}

/** What the page knows about one server without asking it anything. */
export interface ServerSummary {
  /** What the API and links address it by; never changes. */
  name: string;
  /** What people see instead, where the name was made from a command or address: what the server calls itself. */
  label?: string;
  status: ServerStatus;
  /** Salted hash of what the server is; never its command or address in clear. */
  identity: string;
  kind: 'stdio' | 'http';
  error?: ReportedError;
  serverInfo?: { name: string; version: string; title?: string };
  protocolVersion?: string;
  capabilities?: Record<string, unknown>;
  /** What it does wrong and goes on with, since it was connected. */
  findings?: ServerFinding[];
  /** Last lines the process wrote to stderr, cleaned of control and direction characters. */
  stderrTail?: string[];
}
