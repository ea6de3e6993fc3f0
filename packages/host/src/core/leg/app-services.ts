import type { PeerNotification, Transport } from '@casement/protocol';
import type { AppLeg } from '../frame/app-frame.js';
import { createAppLeg } from './app-leg.js';
import { createLateAppTools } from '../app-tools/late-app-tools.js';
import { createHandlers } from '../handlers/create-handlers.js';
import type { HandlerContext } from '../handlers/handler-context.js';
import { createNotificationHandler } from '../handlers/notifications.js';
import { createServerListener } from '../server/server-changes.js';
import { createServerTaskIds } from '../server/server-task-ids.js';
import type { ServerEvent } from '@casement/protocol/ports';
import type { MountedApp } from '../session-options.js';
import type { Handshake } from './handshake.js';
import { createToolList } from '../server/tool-list.js';

/** What serves an app once there is a frame, for all documents of a session. */
export interface AppServices {
  /** Opens the conversation with one document; `onNotification` hears all that the app says by itself. */
  openLeg(transport: Transport, onNotification: (notification: PeerNotification) => void): AppLeg;
  /** A notification of the app that is not about its handshake or its frame. */
  receive(notification: PeerNotification): void;
  /** The server said something that is not the end of it. */
  hear(event: ServerEvent): void;
  /** The app said initialized, in this epoch for the first time. */
  appReady(): void;
  /** The document is gone or is being replaced: nothing it offered holds any more. */
  appGone(): void;
  callAppTool: MountedApp['callAppTool'];
}

/** Makes what serves the app of one session. What the handlers remember, such as rates, holds across documents. */
export const createAppServices = (context: HandlerContext, handshake: Handshake): AppServices => {
  const { limits } = context;
  const tools = createToolList(context.options.server);
  const taskIds = createServerTaskIds();
  const appTools = createLateAppTools(context, tools, taskIds, limits);
  const { requestHandlers, requests, requestTeardown } = createHandlers(context, {
    tools,
    taskIds,
    handshake,
  });
  let isReady = false;
  /** Between two documents there is nobody to tell; what a new one needs it asks for. */
  const tell: HandlerContext['notify'] = (method, params) => {
    if (isReady) context.notify(method, params);
  };
  const listener = createServerListener({
    toolsStale() {
      tools.invalidate();
      appTools.rename();
    },
    tellTools: () => tell('notifications/tools/list_changed', {}),
    tellResources: () => tell('notifications/resources/list_changed', {}),
    tellPrompts: () => tell('notifications/prompts/list_changed', {}),
    isFollowed: (uri) => requests()?.subscriptions.has(uri) ?? false,
    tellUpdated: (uri) => tell('notifications/resources/updated', { uri }),
  });

  return {
    openLeg(transport, onNotification) {
      appTools.announce([]);
      return createAppLeg(transport, context.recorder, {
        requestHandlers,
        onNotification,
        addFinding: (finding) => context.addFinding(finding),
        onDialects: (dialects) => context.update({ dialects }),
        modelContext: () => context.snapshot().modelContext,
        onAnnouncedTools: appTools.announce,
      });
    },
    receive: createNotificationHandler(context, appTools, requestTeardown),
    hear: listener.hear,
    appReady() {
      isReady = true;
      requests()?.clearModelContext();
      appTools.appReady();
    },
    appGone() {
      isReady = false;
      listener.stop();
      requests()?.subscriptions.clear();
      appTools.appGone();
    },
    callAppTool: appTools.call,
  };
};
