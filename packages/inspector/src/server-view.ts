import { element } from './page-elements.js';
import { toPrintable } from './printable-text.js';
import type { ListedServer } from './server-list.js';

/** Offers the servers, each with its state when it is not ready. */
export const showServers = (servers: readonly ListedServer[], selected: string | undefined): void => {
  const select = element('server', HTMLSelectElement);
  select.replaceChildren(
    ...servers.map(({ summary: { name, status } }) => {
      const label = toPrintable(name, 80);
      return new Option(status === 'ready' ? label : `${label} (${status})`, name, false, name === selected);
    }),
  );
  select.disabled = servers.length === 0;
};

/** Says why a server cannot be used, with what it wrote before it ended. */
export const showServerProblem = (server: ListedServer | undefined): void => {
  const panel = element('server-problem', HTMLElement);
  const status = server?.summary.status;
  panel.hidden = status === undefined || status === 'ready' || status === 'connecting';
  if (!server || panel.hidden) return;
  const { error, stderrTail } = server.summary;
  element('server-problem-text', HTMLElement).textContent = toPrintable(
    [error?.message ?? 'The server is not running.', error?.hint].filter(Boolean).join(' '),
    600,
  );
  const output = element('server-output', HTMLElement);
  output.textContent = toPrintable((stderrTail ?? []).slice(-12).join('\n'), 4_000);
  output.hidden = output.textContent === '';
};
