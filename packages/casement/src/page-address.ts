import type { ServerPlan } from './server-configs.js';

/**
 * The address to open. The page selects the first server by itself; for the example it is also told what to run.
 * That stands in the fragment beside the token, so that a query added to the address replaces it as a whole.
 */
export const toPageAddress = (gatewayUrl: string, { example, servers: [first] }: ServerPlan): string => {
  if (!example || !first) return gatewayUrl;
  const link = new URLSearchParams({
    server: first.name,
    tool: 'weather_dashboard',
    args: JSON.stringify({ city: 'Lisbon' }),
    run: '1',
  });
  return `${gatewayUrl}&${link.toString()}`;
};
