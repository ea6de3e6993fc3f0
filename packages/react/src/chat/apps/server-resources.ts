import type { AppResources } from '@casement/host';
import { createAppResources } from '@casement/host';
import type { ServerPort } from '@casement/protocol/ports';
import type { ChatAppOptions } from '../host/chat-host.js';

/** They live as long as their ports do, which they listen to. */
const known = new WeakMap<ServerPort, AppResources>();

/**
 * What is known of a server's apps, shared by all of them in the page: when the model begins to write a call whose app
 * was shown before, the frames come up with the exact policy while the document is read again.
 */
export const getServerResources = (
  server: ServerPort,
  { maxHtmlBytes: maxBytes, resourceMs: timeoutMs }: NonNullable<ChatAppOptions['limits']> = {},
): AppResources => {
  let resources = known.get(server);
  if (!resources) {
    resources = createAppResources(server, {
      ...(maxBytes === undefined ? {} : { maxBytes }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
    known.set(server, resources);
  }
  return resources;
};
