import type { HostCapabilities, RequestMethod } from '@casement/protocol';
import type { SandboxPolicy } from '@casement/sandbox';
import { toGranted } from './granted.js';

/** What an app is told it can use: exactly what has a handler (HOST-045), and what its sandbox was granted. */
export const toHostCapabilities = (
  answered: ReadonlySet<RequestMethod>,
  policy: SandboxPolicy | undefined,
): HostCapabilities => ({
  // Log notifications are always taken: they go to the recording (HOST-046).
  logging: {},
  ...(answered.has('tools/call') ? { serverTools: { listChanged: true } } : {}),
  ...(answered.has('resources/read') ? { serverResources: { listChanged: true } } : {}),
  ...(answered.has('ui/open-link') ? { openLinks: {} } : {}),
  ...(answered.has('ui/message')
    ? { message: { text: {}, image: {}, audio: {}, resource: {}, resourceLink: {} } }
    : {}),
  ...(policy ? { sandbox: toGranted(policy) } : {}),
});
