import type { RequestHandlers } from '@casement/protocol';
import { createConsent } from '../consent/consent.js';
import { createServerAccess } from '../server/server-access.js';
import type { ServerTaskIds } from '../server/server-task-ids.js';
import type { ToolList } from '../server/tool-list.js';
import { createDownloadFile } from './download-file.js';
import type { HandlerContext } from './handler-context.js';
import { createMessage } from './message.js';
import { createOpenLink } from './open-link.js';
import { createRequestDisplayMode } from './request-display-mode.js';
import { createRequestTeardown } from './request-teardown.js';
import { createSampling } from './sampling.js';
import { createServerLists } from './server-lists.js';
import type { ResourceSubscriptions } from './server-resources.js';
import { createResourceSubscriptions, createServerResources } from './server-resources.js';
import { createServerTasks } from './server-tasks.js';
import { createToolsCall } from './tools-call.js';
import { clearModelContext, createUpdateModelContext } from './update-model-context.js';
import { createWidgetHandlers } from './widget-handlers.js';

// What asks the user comes with it: before an app that is a page elsewhere is shown, too.
export { askForPage } from '../consent/ask-for-page.js';

/** What answers the requests of one app, with what it remembers for the app. */
export interface AppRequests {
  readonly handlers: RequestHandlers;
  /** What the app follows at its server. */
  readonly subscriptions: ResourceSubscriptions;
  /** A new document is a new view: what the one before it told the model no longer holds. */
  clearModelContext(): void;
  /** The app asks to be closed. */
  requestTeardown(): Promise<void>;
}

/** Makes the handler of every request after the handshake, each behind its own gate: loaded with the first of them. */
export const createAppRequests = (
  context: HandlerContext,
  { tools, taskIds }: { readonly tools: ToolList; readonly taskIds: ServerTaskIds },
): AppRequests => {
  const { limits, options } = context;
  const { onOpenLink, onMessage, onModelContext, onDownload, onSampling, createMessage: ask } = options;
  const serverAccess = createServerAccess(context, limits);
  const consent = createConsent(context);
  const subscriptions = createResourceSubscriptions(context, limits);
  return {
    subscriptions,
    clearModelContext: () => clearModelContext(context),
    requestTeardown: createRequestTeardown(context),
    handlers: {
      'tools/call': createToolsCall(context, tools, taskIds, serverAccess, consent),
      'ui/request-display-mode': createRequestDisplayMode(context),
      ...(onOpenLink ? { 'ui/open-link': createOpenLink(context, consent, onOpenLink) } : {}),
      ...(onMessage ? { 'ui/message': createMessage(context, consent, limits, onMessage) } : {}),
      ...(onModelContext
        ? { 'ui/update-model-context': createUpdateModelContext(context, limits, onModelContext) }
        : {}),
      ...createServerTasks(context, taskIds, serverAccess),
      ...createServerLists(context, tools, serverAccess),
      ...createServerResources(context, subscriptions, serverAccess),
      ...(onDownload ? { 'ui/download-file': createDownloadFile(context, consent, limits, onDownload) } : {}),
      ...(onSampling && ask
        ? {
            'sampling/createMessage': createSampling(context, consent, limits, {
              onSampling,
              createMessage: ask,
            }),
          }
        : {}),
      ...createWidgetHandlers(context),
    },
  };
};
