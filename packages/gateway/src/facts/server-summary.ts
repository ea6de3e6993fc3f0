import type { ErrorCode } from '@casement/protocol';
import type { EntrySource } from './server-entry.js';
import type { ServerFinding } from './server-findings.js';
import type { ServerStart } from './server-start.js';
import type { SignInSummary } from './sign-in-summary.js';

/** Why a server is not started: nobody has said yes to it as it is now, or the user switched it off. */
export type HeldStatus = 'unconfirmed' | 'disabled';

/** The state of a server's connection: `exited` means that its process ended by itself, `failed` that it could not be reached. */
export type ServerStatus = 'connecting' | 'ready' | 'failed' | 'exited' | HeldStatus;

/** A failure as the page sees it: a code to act on and sentences to show. */
export interface ReportedError {
  code: ErrorCode;
  message: string;
  hint?: string;
}

/** What is watched of a server, and what is wrong with that. */
export interface WatchSummary {
  /** The names of the folders and files that are watched. */
  folders: string[];
  problems?: ServerFinding[];
}

/** What the page knows about one server without asking it anything. */
export interface ServerSummary {
  /** What the API and links address it by; never changes. */
  name: string;
  /** The name the server gives itself; shown to people where `name` was made from a command or address. */
  label?: string;
  source: EntrySource;
  status: ServerStatus;
  /** Salted hash of what the server is; never its command or address in clear. */
  identity: string;
  kind: 'stdio' | 'http';
  error?: ReportedError;
  /** Given once the server wanted a sign-in, or has accounts. */
  signIn?: SignInSummary;
  serverInfo?: { name: string; version: string; title?: string };
  protocolVersion?: string;
  capabilities?: Record<string, unknown>;
  /** Faults seen since it connected that did not end the connection. */
  findings?: ServerFinding[];
  /** How far the way to the server is, step by step. */
  start?: ServerStart;
  /** Left out while nothing of it is watched. */
  watch?: WatchSummary;
  /** Last lines the process wrote to stderr, cleaned of control and direction characters. */
  stderrTail?: string[];
}
