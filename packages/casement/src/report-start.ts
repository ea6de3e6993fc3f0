import type { ServerSummary } from '@casement/gateway';
import { toPrintable } from '@casement/protocol/basics';

/** A server that answers sooner is not mentioned. */
const FIRST_MS = 1_000;
/** A server that writes much is not mentioned more often than this. */
const PAUSE_MS = 2_000;
/** A server that goes on saying the same is mentioned only this often. */
const REPEAT_MS = 10_000;

const toLine = ({ label, name, start, stderrTail = [] }: ServerSummary, seconds: number): string => {
  const said = stderrTail.findLast((line) => line.trim() !== '')?.trim();
  const last = said === undefined ? 'it has said nothing yet' : `its last words: ${said}`;
  const parts = [`waiting for "${label ?? name}" to answer, ${seconds} s so far`, start?.note, last];
  const line = parts.filter((part) => part !== undefined).join('; ');
  return `casement: ${toPrintable(line, 300, { mode: 'replace', rest: () => '…' })}\n`;
};

/** Says every now and then which servers are waited for and what they wrote last; returns the way to stop. */
export const reportStart = (
  readServers: () => readonly ServerSummary[],
  write: (text: string) => void,
): (() => void) => {
  const begun = performance.now();
  const told = new Map<string, { said: string | undefined; at: number }>();
  const tell = (): void => {
    const now = performance.now();
    for (const server of readServers()) {
      if (server.status !== 'connecting') continue;
      const said = server.stderrTail?.at(-1);
      const last = told.get(server.name);
      const pause = last?.said === said ? REPEAT_MS : PAUSE_MS;
      if (last !== undefined && now - last.at < pause) continue;
      told.set(server.name, { said, at: now });
      write(toLine(server, Math.round((now - begun) / 1000)));
    }
  };
  const timer = setInterval(tell, FIRST_MS);
  return () => clearInterval(timer);
};
