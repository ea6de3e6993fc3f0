import type { RequestHandlers, RequestMethod } from '@casement/protocol';
import { createCallGate } from '../call-gate.js';
import { decideReady } from '../policy.js';
import { toRequestLimits } from '../request-limits.js';
import type { ToolList } from '../tool-list.js';
import { createConsent } from './consent.js';
import { createDownloadFile } from './download-file.js';
import type { HandlerContext } from './handler-context.js';
import { createInitialize } from './initialize.js';
import { createMessage } from './message.js';
import { createOpenLink } from './open-link.js';
import { createRequestDisplayMode } from './request-display-mode.js';
import type { ResourceSubscriptions } from './resource-subscriptions.js';
import { createSampling } from './sampling.js';
import { createServerLists } from './server-lists.js';
import { createServerRequest } from './server-request.js';
import { createServerResources } from './server-resources.js';
import type { ServerTaskIds } from './server-tasks.js';
import { createServerTasks } from './server-tasks.js';
import { createToolConsent } from './tool-consent.js';
import { createToolsCall } from './tools-call.js';
import { createUpdateModelContext } from './update-model-context.js';
import { createWidgetHandlers } from './widget-handlers.js';

/** Every request this session answers. A hook the embedder left out is a request that does not exist (-32601). */
export const createHandlers = (
  context: HandlerContext,
  {
    tools,
    taskIds,
    subscriptions,
  }: { tools: ToolList; taskIds: ServerTaskIds; subscriptions: ResourceSubscriptions },
): RequestHandlers => {
  const {
    onOpenLink,
    onMessage,
    onModelContext,
    onDownload,
    onSampling,
    createMessage: ask,
  } = context.options;
  const limits = toRequestLimits(context.options.limits);
  const gate = createCallGate(context.limits.maxCallsInFlight, context.limits.maxCallsWaiting);
  const serverRequest = createServerRequest(context, gate, limits);
  const consent = createConsent(context);
  const served = {
    'tools/call': createToolsCall(
      context,
      tools,
      taskIds,
      serverRequest,
      createToolConsent(context, consent),
    ),
    ...createServerTasks(context, taskIds, serverRequest),
    ...createServerLists(context, tools, serverRequest),
    ...createServerResources(context, subscriptions, serverRequest),
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
  return { ...handlers, 'ui/initialize': createInitialize(context, toAnswered(handlers)) };
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

/** The methods a set of handlers answers. */
const toAnswered = (handlers: RequestHandlers): ReadonlySet<RequestMethod> =>
  // Object.keys forgets the key type that RequestHandlers has.
  new Set(Object.keys(handlers) as RequestMethod[]);
