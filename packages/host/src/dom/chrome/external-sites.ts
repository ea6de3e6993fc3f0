import type { AppSnapshot } from '../../core/state/app-snapshot.js';

/** The places outside that an app may reach, as its policy has them in force: names without https. */
export const toExternalSites = ({ policy }: AppSnapshot): string[] => {
  if (!policy) return [];
  const { connect, assets, frame } = policy.effective;
  // What it sends data to comes first; a fetched font or script can carry data out as well.
  const sites = [...connect, ...frame, ...assets].map((site) => site.replace(/^(?:https|wss):\/\//, ''));
  return [...new Set(sites)];
};
