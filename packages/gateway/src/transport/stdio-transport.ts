import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { toPrintable } from '@casement/protocol/basics';
import { CasementError } from '@casement/protocol/start';
import { parseJSONRPCMessage, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import { findStartFailure, type ProcessExit } from './command-failure.js';
import type { Intake } from './intake.js';
import { decodeText } from '../reading/decode-text.js';
import { createLineReader, readFirstByte } from '../reading/line-reader.js';
import {
  endProcessGroup,
  readChildEnvironment,
  readProcessModule,
  watchProcessGroup,
} from './child-process.js';
import type { StdioServerConfig } from '../facts/server-config.js';
import { createTextTail } from '../reading/text-tail.js';
import { BIG_MESSAGE_BYTES, startSlice, type Slice } from '../reading/turns.js';
import { readAnsweredId, readOversizeId, type WireProblem } from './wire-problem.js';

const MAX_UNREAD_INPUT = 64 * 1024 * 1024;
const EXIT_DRAIN_MS = 150;
const OPEN_OBJECT = 123;
const OPEN_LIST = 91;

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
  {
    maxMessageBytes,
    intake,
    onProblem,
  }: { maxMessageBytes: number; intake: Intake; onProblem(problem: WireProblem): void },
): StdioTransport => {
  const tail = createTextTail();
  let child: ServerProcess | undefined;
  let exit: ProcessExit | undefined;
  let ending = false;
  let closed = false;

  const takeValue = (value: unknown, line: Buffer): void => {
    if (!intake.admits(value)) return;
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      onProblem({ kind: 'malformed', text: toEvidence(line), id: readAnsweredId(value) });
      return;
    }
    transport.onmessage?.(message);
  };

  const takePart = (value: unknown, line: Buffer): void => {
    const isWhole = line.length < BIG_MESSAGE_BYTES && !intake.holds(value);
    const small = isWhole ? value : intake.makeSmall(value, line.length);
    if (small !== undefined) takeValue(small, line);
  };

  /** Revision 2025-03-26 still had batches; one may be long. */
  const takeBatch = async (values: readonly unknown[], line: Buffer, slice: Slice): Promise<void> => {
    for (const value of values) {
      takePart(value, line);
      if (slice.isOver) await slice.rest();
    }
  };

  /** Decoding, recording and handing on of a big line each have a turn of their own. */
  const takeBigLine = async (line: Buffer, slice: Slice): Promise<void> => {
    await slice.rest();
    const text = mayBeMessage(line) ? await decodeText(line) : undefined;
    await slice.rest();
    const value = text === undefined ? undefined : parseJson(text);
    await slice.rest();
    if (Array.isArray(value)) await takeBatch(value, line, slice);
    else if (value === undefined) takeNoise(line);
    else takePart(value, line);
    await slice.rest();
  };

  const takeNoise = (line: Buffer): void => {
    if (intake.admitsNoise()) onProblem({ kind: 'noise', text: toEvidence(line) });
  };

  const takeLine = (line: Buffer, slice: Slice): Promise<void> | undefined => {
    if (line.length >= BIG_MESSAGE_BYTES) return takeBigLine(line, slice);
    const value = mayBeMessage(line) ? parseJson(line.toString('utf8')) : undefined;
    if (Array.isArray(value)) return takeBatch(value, line, slice);
    if (value === undefined) takeNoise(line);
    else takePart(value, line);
    return undefined;
  };

  /** Reads as fast as lines are dealt with and never for long at a stretch; a flood waits in the pipe meanwhile. */
  const readOutput = async (stdout: AsyncIterable<Buffer>): Promise<void> => {
    const lines = createLineReader({ maxBytes: maxMessageBytes });
    const slice = startSlice();
    for await (const chunk of stdout) {
      for (const line of lines.push(chunk)) {
        if (line.kind === 'oversize') {
          onProblem({
            kind: 'oversize',
            bytes: line.bytes,
            limit: maxMessageBytes,
            id: readOversizeId(line),
          });
        } else {
          const rest = takeLine(line.bytes, slice);
          if (rest !== undefined) await rest;
        }
        if (slice.isOver) await slice.rest();
      }
      if (slice.isOver) await slice.rest();
    }
  };

  const readErrors = async (stderr: AsyncIterable<Buffer>): Promise<void> => {
    const slice = startSlice();
    for await (const chunk of stderr) {
      tail.push(chunk);
      if (slice.isOver) await slice.rest();
    }
  };

  const reportClosed = (): void => {
    if (closed) return;
    closed = true;
    child?.stdout.destroy();
    intake.end();
    transport.onclose?.();
  };

  const listen = (started: ServerProcess): void => {
    watchProcessGroup(started);
    started.stdin.on('error', (error) => transport.onerror?.(error));
    // A pipe that breaks is told by the end of the process.
    readOutput(started.stdout).catch(() => undefined);
    readErrors(started.stderr).catch(() => undefined);
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
      // Closed while it was being prepared, it must not leave a process behind.
      if (ending) throw new Error('The server was closed before it started.');
      await new Promise<void>((resolve, reject) => {
        const started: ServerProcess = readProcessModule().spawn(config.command, config.args, {
          env: readChildEnvironment(config),
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
        started.once('error', reject);
        // Some failures are thrown at once: a name too long, a null character.
      }).catch((cause: NodeJS.ErrnoException) => {
        throw findStartFailure(config, cause);
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

/** Enough of a line to recognise it by. */
const toEvidence = (line: Buffer): string =>
  toPrintable(line.toString('utf8', 0, 4000), 500, { mode: 'replace' });

/** Most noise is told by its first byte, without the cost of an exception. */
const mayBeMessage = (line: Buffer): boolean => {
  const first = readFirstByte(line);
  return first === OPEN_OBJECT || first === OPEN_LIST;
};

/** Undefined when the text is no JSON. */
const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
