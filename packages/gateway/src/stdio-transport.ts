import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { CasementError, toPrintable } from '@casement/protocol';
import { parseJSONRPCMessage, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import { toChildEnvironment } from './child-environment.js';
import { createLineReader } from './line-reader.js';
import { endProcessGroup, watchProcessGroup } from './process-group.js';
import type { StdioServerConfig } from './server-config.js';
import { createTextTail } from './text-tail.js';
import { readAnsweredId, readOversizeId, type WireProblem } from './wire-problem.js';

const MAX_UNREAD_INPUT = 64 * 1024 * 1024;
const EXIT_DRAIN_MS = 150;

/** How a server's process ended. */
export interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A client transport over a child process. The client recognises stdio by `pid` and `stderr`, and then probes in place. */
export interface StdioTransport extends Transport {
  readonly pid: number | null;
  readonly stderr: null;
  /** How the process ended by itself; undefined while it runs. */
  readonly exit: ProcessExit | undefined;
  stderrTail(): string[];
}

type ServerProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * Creates the transport of a stdio server. Unlike the official one it leads a process group of its own, refuses
 * an oversized line by name instead of closing, and keeps what is not protocol as evidence (D04, D05, D07).
 */
export const createStdioTransport = (
  config: StdioServerConfig,
  { maxMessageBytes, onProblem }: { maxMessageBytes: number; onProblem(problem: WireProblem): void },
): StdioTransport => {
  const tail = createTextTail();
  let child: ServerProcess | undefined;
  let exit: ProcessExit | undefined;
  let ending = false;
  let closed = false;

  const takeValue = (value: unknown, line: string): void => {
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      onProblem({
        kind: 'malformed',
        text: toPrintable(line, 500, { mode: 'replace' }),
        id: readAnsweredId(value),
      });
      return;
    }
    transport.onmessage?.(message);
  };

  const lines = createLineReader({
    maxBytes: maxMessageBytes,
    onLine(line) {
      let value: unknown;
      try {
        value = JSON.parse(line);
      } catch {
        onProblem({ kind: 'noise', text: toPrintable(line, 500, { mode: 'replace' }) });
        return;
      }
      // Revision 2025-03-26 still had batches.
      for (const item of Array.isArray(value) ? value : [value]) takeValue(item, line);
    },
    onOversize(line) {
      onProblem({ kind: 'oversize', bytes: line.bytes, limit: maxMessageBytes, id: readOversizeId(line) });
    },
  });

  const reportClosed = (): void => {
    if (closed) return;
    closed = true;
    transport.onclose?.();
  };

  const listen = (started: ServerProcess): void => {
    watchProcessGroup(started);
    started.stdin.on('error', (error) => transport.onerror?.(error));
    started.stdout.on('data', (chunk: Buffer) => {
      lines.push(chunk);
    });
    started.stderr.on('data', (chunk: Buffer) => {
      tail.push(chunk);
    });
    started.once('exit', (code, signal) => {
      if (!ending) exit = { code, signal };
      // Answers may still sit in the pipe; a stranger holding the pipe open must not delay the news for long (D02).
      started.once('close', reportClosed);
      setTimeout(reportClosed, EXIT_DRAIN_MS).unref();
    });
  };

  const transport: StdioTransport = {
    get pid() {
      return child?.pid ?? null;
    },
    stderr: null,
    get exit() {
      return exit;
    },
    stderrTail: () => tail.lines(),
    async start() {
      await new Promise<void>((resolve, reject) => {
        const started: ServerProcess = spawn(config.command, config.args, {
          env: toChildEnvironment(config),
          cwd: config.cwd,
          stdio: ['pipe', 'pipe', 'pipe'],
          shell: false,
          detached: process.platform !== 'win32',
          windowsHide: true,
        });
        child = started;
        started.once('spawn', () => {
          listen(started);
          resolve();
        });
        started.once('error', (cause: NodeJS.ErrnoException) => {
          reject(toStartFailure(config, cause));
        });
      });
    },
    async send(message) {
      if (child === undefined || closed || ending || exit !== undefined)
        throw new Error('The server process is gone.');
      if (child.stdin.writableLength > MAX_UNREAD_INPUT) {
        throw new CasementError('server-timeout', 'The server does not read its input.');
      }
      child.stdin.write(`${JSON.stringify(message)}\n`);
    },
    async close() {
      ending = true;
      if (child !== undefined) await endProcessGroup(child);
      reportClosed();
    },
  };
  return transport;
};

const toStartFailure = (config: StdioServerConfig, cause: NodeJS.ErrnoException): CasementError => {
  const command = toPrintable(config.command, 200, { mode: 'replace' });
  const why =
    cause.code === 'ENOENT'
      ? config.cwd === undefined
        ? 'there is no such program'
        : 'there is no such program, or its folder does not exist'
      : cause.code === 'EACCES'
        ? 'it may not be executed'
        : toPrintable(cause.message, 200, { mode: 'replace' });
  return new CasementError('server-unreachable', `"${command}" could not be started: ${why}.`, {
    hint: 'Check the command and that it is on the PATH.',
    cause,
  });
};
