import { parseArguments } from './call/parse-arguments.js';
import type { AddressValues } from './page-address.js';
import { toQuery } from './page-address.js';
import type { ViewSettings } from './view-settings.js';
import { toViewAddress } from './view-settings.js';
import type { Workbench, WorkbenchState } from './workbench.js';

const quietMs = 150;
// Longer addresses are cut or refused by what people paste them into.
const maxArguments = 8_000;

/** What an address has to carry to bring a selection back. */
export const toCallAddress = ({
  serverName,
  toolName,
  text,
}: Pick<WorkbenchState, 'serverName' | 'toolName' | 'text'>): AddressValues => {
  const parsed = parseArguments(text);
  const args = parsed.ok ? JSON.stringify(parsed.args) : text.trim();
  return {
    ...(serverName === undefined ? {} : { server: serverName }),
    ...(toolName === undefined ? {} : { tool: toolName }),
    // Also when empty: without it, this browser's last arguments would stand in.
    ...(toolName === undefined || args === '' || args.length > maxArguments ? {} : { args }),
  };
};

/** Keeps the address in step with what the page shows, now and from now on. */
export const writeAddress = (workbench: Workbench, settings: ViewSettings): void => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const write = (): void => {
    timer = undefined;
    const values = { ...toCallAddress(workbench.get()), ...toViewAddress(settings.get()) };
    const query = toQuery(location.search, values);
    if (query !== location.search || location.hash)
      history.replaceState(history.state, '', `${location.pathname}${query}`);
  };
  // Browsers refuse a page that rewrites its address at every key.
  const later = (): void => {
    timer ??= setTimeout(write, quietMs);
  };
  workbench.subscribe(later);
  settings.subscribe(later);
  write();
};
