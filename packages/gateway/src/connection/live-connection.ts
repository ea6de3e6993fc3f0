import { LEGACY_MCP_APP_MIME, UI_EXTENSION_ID } from '@casement/protocol';
import { toPrintable } from '@casement/protocol/basics';
import { CasementError, MCP_APP_MIME, isRecord } from '@casement/protocol/start';
import {
  Client,
  parseJSONRPCMessage,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  type JSONRPCMessage,
} from '@modelcontextprotocol/client';
import { createHeldTexts } from '../transport/held-payload.js';
import { createHttpTransport, createSseTransport } from '../transport/http-transport.js';
import { createIntake, type IntakeHooks } from '../transport/intake.js';
import type { ServerLimits } from './server-limits.js';
import { createObservedTransport, type WireRecord } from '../transport/observed-transport.js';
import { toStartLimitMs } from '../doctor/slow-start.js';
import type { ServerConfig } from '../facts/server-config.js';
import type { ServerSignIn } from '../sign-in/server-sign-in.js';
import type { ServerFinding } from '../facts/server-findings.js';
import type { ProcessExit } from '../transport/command-failure.js';
import { createStdioTransport } from '../transport/stdio-transport.js';
import { createStrayLines, type StrayLines } from './stray-lines.js';
import type { WireProblem } from '../transport/wire-problem.js';

export { toServerFailure } from './server-failure.js';

/** A silent server on a pipe is a server of an older revision: this long is waited before it is asked the old way. */
const STDIO_PROBE_MS = 5000;

/** One life of a connection: a client, its transport and, for stdio, its process. It never reconnects. */
export interface LiveConnection {
  readonly client: Client;
  /** Of the process, once it runs. */
  readonly pid: number | undefined;
  /** How the process ended by itself, if it did. */
  readonly exit: ProcessExit | undefined;
  /** Why we ended it, if we did. */
  readonly failure: CasementError | undefined;
  stderrTail(): string[];
  /** The first line since that time that is no message. */
  findStray: StrayLines['find'];
  close(): Promise<void>;
}

/** Reports about the wire; link, connection and server pass them upwards. */
export interface WireHooks {
  onRecord(record: WireRecord): void;
  onProblem(problem: WireProblem): void;
  onLeftOut: IntakeHooks['onLeftOut'];
}

/** The callbacks of a link. */
export interface LiveConnectionHooks extends WireHooks {
  onFindings(found: readonly ServerFinding[]): void;
  /** Every answer over HTTP, before it is read. */
  onAnswer(answer: { status: number; headers: Pick<Headers, 'get'> }): void;
  onClosed(link: LiveConnection): void;
  /** Called before connecting, so that a connect that hangs can be closed. */
  onStarted(link: LiveConnection): void;
}

/** What a link is made from. */
export interface LiveConnectionSettings {
  config: ServerConfig;
  /** Of the gateway, for the handshake. */
  version: string;
  limits: ServerLimits;
  /** The user's sign-in to it, where there can be one. */
  signIn?: ServerSignIn | undefined;
}

/** HOST-075: said in `initialize` to older servers, with every request to servers of revision 2026-07-28. */
const clientCapabilities = {
  extensions: { [UI_EXTENSION_ID]: { mimeTypes: [MCP_APP_MIME, LEGACY_MCP_APP_MIME] } },
};

/** Connects to a server with whatever revision it speaks; rejects when it cannot, leaving nothing running. */
export const openLiveConnection = async (
  settings: LiveConnectionSettings,
  hooks: LiveConnectionHooks,
): Promise<LiveConnection> => {
  const { config } = settings;
  const isSse = config.kind === 'http' && config.transport === 'sse';
  const link = createLiveConnection(settings, hooks, isSse);
  try {
    await link.connect({ legacy: isSse });
    return link;
  } catch (error) {
    await link.close();
    const mayBeSse = config.kind === 'http' && config.transport === undefined && isNotStreamable(error);
    if (!mayBeSse && !link.diedOfProbe(error)) throw error;
    // Some servers exit on any request before `initialize`, the probe included: start again and ask the old way.
    const second = createLiveConnection(settings, hooks, mayBeSse);
    try {
      await second.connect({ legacy: true });
      return second;
    } catch (last) {
      await second.close();
      // Of an address that speaks neither, the first refusal tells more.
      throw mayBeSse ? error : last;
    }
  }
};

/** How servers of the older transport answer a POST to their stream, which they do not know. */
const olderStatuses: readonly unknown[] = [400, 404, 405];

const isNotStreamable = (error: unknown): boolean => {
  if (error instanceof SdkHttpError) return olderStatuses.includes(error.status);
  return error instanceof Error && error.cause !== undefined && isNotStreamable(error.cause);
};

const createLiveConnection = (
  { config, version, limits, signIn }: LiveConnectionSettings,
  hooks: LiveConnectionHooks,
  isSse: boolean,
) => {
  const { maxMessageBytes, requestTimeoutMs } = limits;
  const onProblem = (problem: WireProblem): void => {
    hooks.onProblem(problem);
    if (problem.kind !== 'oversize' && !('id' in problem && problem.id !== undefined))
      hooks.onFindings(stray.add(problem, observed.open.length > 0));
    if (problem.kind === 'noise') return;
    // One open request and an answer nobody can read: it can only be that request's.
    const id = problem.id ?? (problem.kind === 'oversize' ? onlyOne(observed.open) : undefined);
    if (id !== undefined) observed.fail(id, toProblemFailure(config.name, problem));
  };
  const stray = createStrayLines(config.kind);
  let failure: CasementError | undefined;
  const intake = createIntake({
    limits: limits.flood,
    isOpen: (id) => observed.isOpen(id),
    takesHeld: (id) => observed.takesHeld(id),
    onProblem,
    deliver: (value) => {
      const message = parseHeldBack(value, onProblem);
      if (message !== undefined) observed.receive(message);
    },
    onLeftOut: hooks.onLeftOut,
    onFlood: (seconds) => {
      failure = toFloodFailure(config.name, seconds);
      for (const id of observed.open) observed.fail(id, failure);
      void link.close();
    },
  });
  const held = createHeldTexts();
  const stdio =
    config.kind === 'stdio'
      ? createStdioTransport(config, { maxMessageBytes, intake, onProblem })
      : undefined;
  const createTransport = isSse ? createSseTransport : createHttpTransport;
  const inner =
    config.kind === 'http'
      ? createTransport(config, {
          maxMessageBytes,
          intake,
          held,
          onProblem,
          onGone: () => hooks.onClosed(link),
          onAnswer: hooks.onAnswer,
          authorize: signIn?.authorize,
        })
      : undefined;
  const transport = stdio ?? inner;
  if (transport === undefined) throw new CasementError('config-invalid', 'Unknown kind of server.');
  const observed = createObservedTransport(transport, {
    onRecord: hooks.onRecord,
    restore: held.restore,
    toStreamEndFailure: () =>
      new CasementError(
        'server-garbage',
        `The server "${config.name}" ended its answer before it was complete.`,
      ),
  });
  const client = new Client(
    { name: 'casement', version },
    {
      capabilities: clientCapabilities,
      versionNegotiation: {
        mode: 'auto',
        probe: {
          timeoutMs: stdio === undefined ? requestTimeoutMs : Math.min(STDIO_PROBE_MS, requestTimeoutMs),
        },
      },
      // Checking results against a server's own schema is a finding elsewhere; here it would run its patterns.
      jsonSchemaValidator: {
        getValidator: () => (input) => ({
          valid: true,
          // The validator is asked only for a verdict; the caller's type is passed through unchecked on purpose.
          data: input as never,
          errorMessage: undefined,
        }),
      },
    },
  );
  const link: LiveConnection = {
    client,
    get pid() {
      return stdio?.pid ?? undefined;
    },
    get exit() {
      return stdio?.exit;
    },
    get failure() {
      return failure;
    },
    stderrTail: () => stdio?.stderrTail() ?? [],
    findStray: stray.find,
    close: async () => {
      intake.end();
      await transport.close();
    },
  };
  return Object.assign(link, {
    async connect({ legacy = false } = {}): Promise<void> {
      hooks.onStarted(link);
      client.onclose = () => {
        hooks.onClosed(link);
      };
      await client.connect(observed, {
        timeout: toStartLimitMs(config, requestTimeoutMs),
        ...(legacy && { prior: { kind: 'legacy' as const } }),
      });
    },
    diedOfProbe: (error: unknown): boolean =>
      stdio?.exit !== undefined &&
      error instanceof SdkError &&
      error.code === SdkErrorCode.EraNegotiationFailed,
  });
};

/** Parses a message that was held back. A timer delivers it, so an error must not escape: it would end the gateway. */
const parseHeldBack = (
  value: unknown,
  onProblem: (problem: WireProblem) => void,
): JSONRPCMessage | undefined => {
  try {
    return parseJSONRPCMessage(value);
  } catch {
    const method = isRecord(value) ? value.method : undefined;
    onProblem({ kind: 'malformed', text: toPrintable(method, 500, { mode: 'replace' }) });
    return undefined;
  }
};

const onlyOne = <T>(values: readonly T[]): T | undefined => (values.length === 1 ? values[0] : undefined);

const toFloodFailure = (server: string, seconds: number): CasementError =>
  new CasementError(
    'server-flooding',
    `The server "${server}" was disconnected: it sent without a pause for ${seconds} seconds.`,
    {
      hint: 'The recording counts what it sent. Let it send less, and nothing but protocol messages to stdout; then restart it.',
    },
  );

const toProblemFailure = (
  server: string,
  problem: Exclude<WireProblem, { kind: 'noise' }>,
): CasementError => {
  if (problem.kind === 'malformed') {
    return new CasementError(
      'server-garbage',
      `The server "${server}" answered with something that is not JSON-RPC.`,
      { hint: 'The line is in the recording.' },
    );
  }
  const limit = `${Math.floor(problem.limit / 1024 / 1024)} MB`;
  return new CasementError(
    'result-too-large',
    `The server "${server}" answered with a message over the limit of ${limit}.`,
    { hint: 'Return less, or give large content as a resource that is read in parts.' },
  );
};
