import type { EntryProblem, RunningGateway, ServerSummary } from '@casement/gateway';
import { toPrintable } from '@casement/protocol/basics';
import { CasementError } from '@casement/protocol/start';

/** Makes a foreign text one printable line: a terminal must not obey it. */
const toLine = (text: string, max = 2_000): string => toPrintable(text, max, { mode: 'replace' });

const withoutStop = (text: string): string => {
  let end = text.length;
  while (end > 0 && ' \n\t.;'.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
};

const lowerFirst = (text: string): string =>
  // A quoted name or an abbreviation keeps its form.
  /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;

/** One line that says what failed, why, and what to do; never a stack. */
export const toErrorSentence = (error: unknown): string => {
  if (!(error instanceof CasementError)) {
    const message = error instanceof Error ? error.message : String(error);
    return `casement: something unexpected happened: ${withoutStop(toLine(message.slice(0, 1_000).split('\n')[0] ?? ''))}.\n`;
  }
  const parts = [error.message, error.hint].filter((part) => part !== undefined).map(withoutStop);
  const line = parts.map((part, index) => (index === 0 ? part : lowerFirst(part))).join('; ');
  return `casement: ${toLine(line)}.\n`;
};

// The gateway's hints speak to someone with the page open; here there is only the command line.
const hints = new Map<string, string>([
  ['server-exited', 'Run the command by itself to see why it ends'],
  ['server-unreachable', 'Check the address and that the server is running'],
  ['server-timeout', 'Check that it is an MCP server and speaks over its standard streams'],
]);

/** The gateway's own hint counts where a finding supports it. */
const toHint = ({ error, findings = [] }: ServerSummary): string | undefined =>
  findings.some(({ fix }) => fix === error?.hint)
    ? error?.hint
    : (hints.get(error?.code ?? '') ?? error?.hint);

/** The failure of a server that had to connect, with the last thing it said. */
export const toServerFailure = (server: ServerSummary): CasementError => {
  // A command that cannot be run says nothing of its own.
  const tail = server.error?.code === 'command-invalid' ? [] : server.stderrTail;
  const said = tail?.map((line) => line.trim()).filter(Boolean);
  // A stack trace ends in frames and version lines; the line naming the error tells most.
  const telling = said?.findLast((line) => /error|cannot|not found|failed/i.test(line)) ?? said?.at(-1);
  const message = withoutStop(server.error?.message ?? `The server "${server.name}" did not connect`);
  const hint = toHint(server);
  return new CasementError(
    server.error?.code ?? 'server-not-ready',
    telling && !message.includes(telling)
      ? `${message} (it said: ${withoutStop(toLine(telling, 200))})`
      : message,
    hint === undefined ? {} : { hint },
  );
};

/** The one line a program waits for. */
export const toReadyJson = (gateway: RunningGateway, url: string): string =>
  `${JSON.stringify({
    url,
    token: gateway.token,
    sandboxOrigin: gateway.sandboxOrigin,
    servers: gateway.servers().map(({ name, status }) => ({ name, status })),
  })}\n`;

/** What the words of the list cannot say alone. */
const remarks = new Map<string, string>([
  ['unconfirmed', ': it starts when you have agreed to it in the page'],
]);

/** One line about a config file that cannot be used as it is now. */
export const toProblemLine = ({ message, file, line, column }: EntryProblem): string => {
  const place = line === undefined ? '' : `, line ${line}, column ${column ?? 1}`;
  return `casement: ${toLine(file === undefined ? message : `${file}${place}: ${message}`)}\n`;
};

/** The few lines a person reads. */
export const toReadyText = (gateway: RunningGateway, url: string): string => {
  const lines = gateway.servers().map((server) => {
    const reason = server.error
      ? `: ${withoutStop(toLine(server.error.message, 500))}`
      : (remarks.get(server.status) ?? '');
    return `  ${toLine(server.label ?? server.name, 80)}  ${server.status}${reason}`;
  });
  const isWaiting = gateway.servers().some(({ status }) => status === 'connecting');
  const title = isWaiting ? 'Casement is open; a server is still starting.' : 'Casement is ready.';
  return [title, '', ...lines, '', `  ${url}`, '', 'Press Ctrl+C to stop.', ''].join('\n');
};

/** What is printed when servers that were started slowly are settled: which are ready, and why one is not. */
export const toSettledText = (servers: readonly ServerSummary[], failure?: CasementError): string => {
  if (failure !== undefined) return toErrorSentence(failure);
  const words = servers.map(({ label, name, status }) => `${label ?? name} ${status}`).join(', ');
  return `casement: every server is settled: ${toLine(words, 500)}.\n`;
};

/** What is printed when a link was opened that works no more. */
export const toNewLinkText = (url: string): string =>
  `\nA link was opened that works no more. A new one:\n\n  ${url}\n`;

/** What is printed when a browser was sent to the page's own name and did not come. */
export const lostLinkText =
  'casement: a browser that opened the link did not come to casement.localhost; if it shows an error, open the link again: the page then stays at localhost.\n';
