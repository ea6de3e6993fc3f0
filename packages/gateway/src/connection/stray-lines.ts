import type { ServerConfig } from '../facts/server-config.js';
import type { ServerFinding } from '../facts/server-findings.js';
import type { WireProblem } from '../transport/wire-problem.js';

/** A line that a server sent in place of a protocol message, described in words. */
export interface StrayLine {
  readonly code: 'stdout-noise' | 'line-not-json' | 'not-json-rpc';
  /** What the server did; the text follows the server's name or "it". */
  readonly words: string;
  readonly fix: string;
}

/** Remembers lines that are no messages: they often explain why a server did not answer. */
export interface StrayLines {
  /** Keeps a line and returns the findings about it. */
  add(problem: Exclude<WireProblem, { kind: 'oversize' }>, isWaitedFor: boolean): ServerFinding[];
  /** The first remembered line since that time. */
  find(since?: number): StrayLine | undefined;
}

/** Of many lines the first ones explain the rest. */
const MAX_LINES = 50;

/** Creates the memory of one connection's stray lines. */
export const createStrayLines = (kind: ServerConfig['kind']): StrayLines => {
  const lines: (StrayLine & { at: number })[] = [];
  let hasNoise = false;
  return {
    add(problem, isWaitedFor) {
      const line = toStrayLine(problem, kind);
      lines.push({ ...line, at: performance.now() });
      if (lines.length > MAX_LINES) lines.shift();
      const { code, words, fix } = line;
      const isNoise = code === 'stdout-noise';
      // A server that logs to stdout logs much: the first line stands for all; the recording has the others.
      if (isNoise && hasNoise) return [];
      hasNoise ||= isNoise;
      const when = isWaitedFor && !isNoise ? 'While an answer was waited for, the' : 'The';
      return [{ code, message: `${when} server ${words}.`, fix }];
    },
    find: (since = 0) => lines.find(({ at }) => at >= since),
  };
};

const toStrayLine = (
  { kind: fault, text }: Exclude<WireProblem, { kind: 'oversize' }>,
  kind: ServerConfig['kind'],
): StrayLine => {
  if (kind === 'http')
    return {
      code: 'not-json-rpc',
      words: `sent something that is no JSON-RPC: "${text}"`,
      fix: 'Send nothing but protocol messages.',
    };
  // A line that begins like a message was most likely meant as one.
  if (fault === 'noise' && /^\s*[{[]/.test(text))
    return {
      code: 'line-not-json',
      words: `wrote a line that is not JSON: "${text}"`,
      fix: 'Send each message as one whole line of JSON.',
    };
  return {
    code: 'stdout-noise',
    words: `wrote "${text}" to stdout, which is for protocol messages alone`,
    fix: 'Write what is for people to stderr, for example with console.error.',
  };
};
