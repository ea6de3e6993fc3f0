import type { RequestHandlers } from '@casement/protocol';
import type { ServerAccess } from '../server/server-access.js';
import type { ToolList } from '../server/tool-list.js';
import type { Consent } from '../consent/consent.js';
import { createDownloadFile } from './download-file.js';
import type { HandlerContext } from './handler-context.js';
import { createSampling } from './sampling.js';
import { createServerLists } from './server-lists.js';
import type { ResourceSubscriptions } from './server-resources.js';
import { createResourceSubscriptions, createServerResources } from './server-resources.js';
import { createServerTasks } from './server-tasks.js';
import type { ServerTaskIds } from './tools-call.js';
import { createWidgetHandlers } from './widget-handlers.js';

/** The requests that most apps never send, with what an app follows at its server. */
export interface RareRequests {
  readonly handlers: RequestHandlers;
  readonly subscriptions: ResourceSubscriptions;
}

/** Makes the handlers of them, each behind its own gate: loaded with the first such request. */
export const createRareRequests = (
  context: HandlerContext,
  parts: {
    readonly tools: ToolList;
    readonly taskIds: ServerTaskIds;
    readonly serverAccess: ServerAccess;
    readonly consent: Consent;
  },
): RareRequests => {
  const { limits } = context;
  const { onDownload, onSampling, createMessage } = context.options;
  const { tools, taskIds, serverAccess, consent } = parts;
  const subscriptions = createResourceSubscriptions(context, limits);
  return {
    subscriptions,
    handlers: {
      ...createServerTasks(context, taskIds, serverAccess),
      ...createServerLists(context, tools, serverAccess),
      ...createServerResources(context, subscriptions, serverAccess),
      ...(onDownload ? { 'ui/download-file': createDownloadFile(context, consent, limits, onDownload) } : {}),
      ...(onSampling && createMessage
        ? {
            'sampling/createMessage': createSampling(context, consent, limits, { onSampling, createMessage }),
          }
        : {}),
      ...createWidgetHandlers(context),
    },
  };
};
