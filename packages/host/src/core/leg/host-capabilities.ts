import type { HostCapabilities, RequestMethod } from '@casement/protocol';
import type { SandboxPolicy } from '@casement/sandbox';
import { toGranted } from '../frame/frame-plan.js';

const blockKinds = { text: {}, image: {}, audio: {}, resource: {}, resourceLink: {} };

const byMethod: readonly (readonly [RequestMethod, HostCapabilities])[] = [
  ['tools/call', { serverTools: { listChanged: true } }],
  ['resources/read', { serverResources: { listChanged: true } }],
  ['ui/open-link', { openLinks: {} }],
  ['ui/message', { message: blockKinds }],
  ['ui/update-model-context', { updateModelContext: { ...blockKinds, structuredContent: {} } }],
  ['ui/download-file', { downloadFile: {} }],
  // Without `tools`: what an app asks the model brings no tools with it (HOST-083).
  ['sampling/createMessage', { sampling: {} }],
];

/** What an app is told it can use: exactly what has a handler (HOST-045), and what its sandbox was granted. */
export const toHostCapabilities = (
  answered: ReadonlySet<RequestMethod>,
  policy: SandboxPolicy | undefined,
): HostCapabilities => ({
  // Log notifications are always taken: they go to the recording (HOST-046).
  logging: {},
  ...byMethod.reduce<HostCapabilities>(
    (all, [method, capability]) => (answered.has(method) ? { ...all, ...capability } : all),
    {},
  ),
  ...(policy?.family === 'openai' ? { experimental: toWidgetExtensions(answered) } : {}),
  ...(policy ? { sandbox: toGranted(policy) } : {}),
});

/** Ours, and for the loader of that family alone. */
const toWidgetExtensions = (answered: ReadonlySet<RequestMethod>): Record<string, Record<string, never>> =>
  Object.fromEntries(
    (['casement/widget-state', 'casement/modal'] as const)
      .filter((method) => answered.has(method))
      .map((method) => [method, {}]),
  );
