import type { RequestHandlers, RequestMethod } from '@casement/protocol';
import { createCallGate } from '../call-gate.js';
import { decideReady } from '../policy.js';
import type { HandlerContext } from './handler-context.js';
import { createInitialize } from './initialize.js';
import { createMessage } from './message.js';
import { createOpenLink } from './open-link.js';
import { createRequestDisplayMode } from './request-display-mode.js';
import { createResourcesRead } from './resources-read.js';
import { createToolsCall } from './tools-call.js';
import { createToolsList } from './tools-list.js';

/** Every request this session answers. A hook the embedder left out is a request that does not exist (-32601). */
export const createHandlers = (context: HandlerContext): RequestHandlers => {
  const { onOpenLink, onMessage } = context.options;
  const gate = createCallGate(context.limits.maxCallsInFlight, context.limits.maxCallsWaiting);
  const served = {
    'tools/call': createToolsCall(context, gate),
    'tools/list': createToolsList(context),
    'resources/read': createResourcesRead(context, gate),
    'ui/request-display-mode': createRequestDisplayMode(context),
    ...(onOpenLink ? { 'ui/open-link': createOpenLink(context, onOpenLink) } : {}),
    ...(onMessage ? { 'ui/message': createMessage(context, onMessage) } : {}),
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
    const decision = decideReady(context.isServing(), method);
    if (!decision.allow) context.enforce(method, decision);
    return handler(params, request);
  };

/** The methods a set of handlers answers. */
const toAnswered = (handlers: RequestHandlers): ReadonlySet<RequestMethod> =>
  // Object.keys forgets the key type that RequestHandlers has.
  new Set(Object.keys(handlers) as RequestMethod[]);
