import type { ServerConfig } from './server-config.js';
import type { ServerFinding } from './server-findings.js';
import type { WireProblem } from './wire-problem.js';

/** Something a server sent where only protocol messages belong, in words. */
export interface StrayLine {
  readonly code: 'stdout-noise' | 'line-not-json' | 'not-json-rpc';
  /** What the server did, to follow its name or "it". */
  readonly words: string;
  readonly fix: string;
}

/** What a server sent that is no message, for whoever has to explain why it did not answer. */
export interface StrayLines {
  /** Keeps what came and says what is wrong with it. */
  add(problem: Exclude<WireProblem, { kind: 'oversize' }>, isWaitedFor: boolean): ServerFinding[];
  /** The first that is remembered of those that came since then. */
  find(since?: number): StrayLine | undefined;
}

/** An outburst is explained by its first lines. */
const MAX_LINES = 50;

/** Creates the memory of one connection. */
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
      // Whoever logs to stdout logs much: the first line stands for all, the recording has them.
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
  // What begins as a message does was most likely meant to be one.
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
