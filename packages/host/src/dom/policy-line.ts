import { toPrintable } from '@casement/protocol/basics';
import type { AppSnapshot } from '../core/state/app-snapshot.js';

const maxAddress = 200;
// The longest policy that domains within their bounds can make is far shorter.
const maxPolicy = 8_000;

/** What is enforced for an app, in one line for those who look into the browser's console. */
export const toPolicyLine = (policy: NonNullable<AppSnapshot['policy']>, server: string): string => {
  const { resource, permissions } = policy.effective;
  const granted = permissions.length > 0 ? permissions.join(', ') : 'none';
  const [address, name] = [resource, server].map((text) => toPrintable(text, maxAddress));
  return `MCP App ${address} of ${name}: permissions ${granted}; policy ${toPrintable(policy.csp, maxPolicy)}`;
};
