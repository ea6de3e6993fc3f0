import type { ServerSummary } from '@casement/gateway';
import type { ServeRequest } from './parse-command-line.js';
import type { ServerPlan } from './plan-servers.js';

/**
 * The address to open. The page selects the first server by itself; for the example, and when --run names a tool, it is
 * also told what to run. That stands in the fragment beside the code or token, so that a query added to the address replaces
 * it as a whole.
 */
export const toPageAddress = (
  gatewayUrl: string,
  { fallback }: Pick<ServerPlan, 'fallback'>,
  [first]: readonly Pick<ServerSummary, 'name' | 'source'>[],
  { run, args }: Pick<ServeRequest, 'run' | 'args'> = {},
): string => {
  // It stands in only where there is no other.
  const example = fallback !== undefined && first?.source === 'typed';
  const tool = run ?? (example ? 'weather_dashboard' : undefined);
  if (tool === undefined || !first) return gatewayUrl;
  const exampleArguments = tool === 'weather_dashboard' && example ? { city: 'Lisbon' } : {};
  const link = new URLSearchParams({
    server: first.name,
    tool,
    args: args ?? JSON.stringify(exampleArguments),
    run: '1',
  });
  return `${gatewayUrl}&${link.toString()}`;
};
