import type { RequestHandlers, RequestMethod } from '@casement/protocol';
import type { Decision } from '../policy/decision.js';
import { allow, refuse } from '../policy/decision.js';
import { toQuoted } from '../policy/to-quoted.js';
import type { ToolList } from '../server/tool-list.js';
import { createConsent } from '../consent/consent.js';
import { createDownloadFile } from './download-file.js';
import type { HandlerContext } from './handler-context.js';
import type { Handshake } from '../leg/handshake.js';
import { createMessage } from './message.js';
import { createOpenLink } from './open-link.js';
import { createRequestDisplayMode } from './request-display-mode.js';
import { createSampling } from './sampling.js';
import { createServerLists } from './server-lists.js';
import { createServerAccess } from '../server/server-access.js';
import type { ResourceSubscriptions } from './server-resources.js';
import { createServerResources } from './server-resources.js';
import type { ServerTaskIds } from './server-tasks.js';
import { createServerTasks } from './server-tasks.js';
import { createToolsCall } from './tools-call.js';
import { createUpdateModelContext } from './update-model-context.js';
import { createWidgetHandlers } from './widget-handlers.js';
import type { SessionStatus } from '../state/session-state.js';

/** Makes the handler of every request this session answers. A hook the embedder left out is a request that does not exist (-32601). */
export const createHandlers = (
  context: HandlerContext,
  {
    tools,
    taskIds,
    subscriptions,
    handshake,
  }: {
    tools: ToolList;
    taskIds: ServerTaskIds;
    subscriptions: ResourceSubscriptions;
    handshake: Handshake;
  },
): RequestHandlers => {
  const {
    onOpenLink,
    onMessage,
    onModelContext,
    onDownload,
    onSampling,
    createMessage: ask,
  } = context.options;
  const { limits } = context;
  const serverAccess = createServerAccess(context, limits);
  const consent = createConsent(context);
  const served = {
    'tools/call': createToolsCall(context, tools, taskIds, serverAccess, consent),
    ...createServerTasks(context, taskIds, serverAccess),
    ...createServerLists(context, tools, serverAccess),
    ...createServerResources(context, subscriptions, serverAccess),
    'ui/request-display-mode': createRequestDisplayMode(context),
    ...(onOpenLink ? { 'ui/open-link': createOpenLink(context, consent, onOpenLink) } : {}),
    ...(onMessage ? { 'ui/message': createMessage(context, consent, limits, onMessage) } : {}),
    ...(onModelContext
      ? { 'ui/update-model-context': createUpdateModelContext(context, limits, onModelContext) }
      : {}),
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
  } satisfies RequestHandlers;
  const guarded = Object.entries(served).map(([method, handler]) => [
    method,
    toGuarded(context, method, handler as AnyHandler), // each handler stays under its own method
  ]);
  // The entries are those of `served`, each wrapped in a function of the same shape.
  const handlers = Object.fromEntries(guarded) as RequestHandlers;
  const answered = toAnswered(handlers);
  return { ...handlers, 'ui/initialize': (params) => handshake.initialize(params, answered) };
};

type AnyHandler = (params: never, request: never) => unknown;

/** Nothing an app asks for happens before it said initialized (B06); ping and ui/initialize are the exceptions. */
const toGuarded =
  (context: HandlerContext, method: string, handler: AnyHandler): AnyHandler =>
  (params, request) => {
    const decision = decideReady(context.isServing(), context.snapshot().status, method);
    if (!decision.allow) context.enforce(method, decision);
    return handler(params, request);
  };

/** Nothing an app asks for is done before its handshake ended, or after it was told to stop. */
const decideReady = (isServing: boolean, status: SessionStatus, method: string): Decision => {
  if (isServing) return allow('The app is initialized.');
  if (ended.has(status)) {
    return refuse(
      'session-closed',
      'The app was asked to stop; nothing it asks for is done any more.',
      'Save before you answer ui/resource-teardown.',
    );
  }
  return refuse(
    'not-initialized',
    `The app sent ${toQuoted(method)} before ui/notifications/initialized.`,
    'Finish the handshake first: ui/initialize, its answer, then ui/notifications/initialized.',
  );
};

const ended: ReadonlySet<SessionStatus> = new Set<SessionStatus>(['tearing-down', 'failed', 'closed']);

/** The methods a set of handlers answers. */
const toAnswered = (handlers: RequestHandlers): ReadonlySet<RequestMethod> =>
  // Object.keys forgets the key type that RequestHandlers has.
  new Set(Object.keys(handlers) as RequestMethod[]);
