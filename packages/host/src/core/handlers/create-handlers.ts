import type { RequestHandlers, RequestMethod } from '@casement/protocol';
import { CasementError } from '@casement/protocol/basics';
import type { Decision } from '../policy/decision.js';
import { allow, refuse } from '../policy/decision.js';
import { toQuoted } from '../policy/to-quoted.js';
import type { ToolList } from '../server/tool-list.js';
import { createConsent } from '../consent/consent.js';
import type { HandlerContext } from './handler-context.js';
import type { Handshake } from '../leg/handshake.js';
import { createMessage } from './message.js';
import { throwCodeMissing } from '../missing-code.js';
import { createOpenLink } from './open-link.js';
import type { RareRequests } from './rare-requests.js';
import { createRequestDisplayMode } from './request-display-mode.js';
import { createServerAccess } from '../server/server-access.js';
import type { ResourceSubscriptions } from './server-resources.js';
import type { ServerTaskIds } from './tools-call.js';
import { createToolsCall } from './tools-call.js';
import { createUpdateModelContext } from './update-model-context.js';
import type { SessionStatus } from '../state/session-state.js';

/** What answers an app. */
interface Handlers {
  readonly requestHandlers: RequestHandlers;
  /** What the app follows at its server; undefined as long as it asked for nothing rare. */
  followed(): ResourceSubscriptions | undefined;
}

/** Makes the handler of every request this session answers. A hook the embedder left out is a request that does not exist (-32601). */
export const createHandlers = (
  context: HandlerContext,
  { tools, taskIds, handshake }: { tools: ToolList; taskIds: ServerTaskIds; handshake: Handshake },
): Handlers => {
  const { onOpenLink, onMessage, onModelContext } = context.options;
  const { limits } = context;
  const serverAccess = createServerAccess(context, limits);
  const consent = createConsent(context);
  let rare: RareRequests | undefined;
  const askRare =
    (method: RequestMethod): AnyHandler =>
    async (params, request) => {
      const { createRareRequests } = await import('./rare-requests.js').catch(throwCodeMissing);
      rare ??= createRareRequests(context, { tools, taskIds, serverAccess, consent });
      // Under its own name, so it takes what came under that name.
      const handler = rare.handlers[method] as AnyHandler | undefined;
      if (!handler) throw new CasementError('method-not-found', `Method not found: ${method}`);
      // The app may have gone, or taken it back, while the code came.
      request.signal.throwIfAborted();
      return toGuarded(context, method, handler)(params, request);
    };
  const served = {
    ...Object.fromEntries(listRare(context.options).map((method) => [method, askRare(method)])),
    'tools/call': createToolsCall(context, tools, taskIds, serverAccess, consent),
    'ui/request-display-mode': createRequestDisplayMode(context),
    ...(onOpenLink ? { 'ui/open-link': createOpenLink(context, consent, onOpenLink) } : {}),
    ...(onMessage ? { 'ui/message': createMessage(context, consent, limits, onMessage) } : {}),
    ...(onModelContext
      ? { 'ui/update-model-context': createUpdateModelContext(context, limits, onModelContext) }
      : {}),
  };
  const guarded = Object.entries(served).map(([method, handler]) => [
    method,
    toGuarded(context, method, handler as AnyHandler), // each handler stays under its own method
  ]);
  // The entries are those of `served`, each wrapped in a function of the same shape.
  const handlers = Object.fromEntries(guarded) as RequestHandlers;
  const answered = toAnswered(handlers);
  return {
    requestHandlers: { ...handlers, 'ui/initialize': (params) => handshake.initialize(params, answered) },
    followed: () => rare?.subscriptions,
  };
};

/** The requests of `rare-requests` that this embedder and this server can answer. */
const listRare = ({
  server,
  onDownload,
  onSampling,
  createMessage: ask,
  onModal,
}: HandlerContext['options']): RequestMethod[] => {
  const rows: [available: unknown, ...methods: RequestMethod[]][] = [
    [true, 'tools/list', 'resources/list', 'resources/read', 'casement/widget-state'],
    [server.tasks, 'tasks/get', 'tasks/result', 'tasks/cancel'],
    [server.listResourceTemplates, 'resources/templates/list'],
    [server.listPrompts, 'prompts/list'],
    [server.subscribeResource && server.unsubscribeResource, 'resources/subscribe', 'resources/unsubscribe'],
    [onDownload, 'ui/download-file'],
    [onSampling && ask, 'sampling/createMessage'],
    [onModal, 'casement/modal'],
  ];
  return rows.flatMap(([available, ...methods]) => (available ? methods : []));
};

type AnyHandler = (params: never, request: Parameters<NonNullable<RequestHandlers['ping']>>[1]) => unknown;

/** Nothing an app asks for happens before it said initialized (B06); ping and ui/initialize are the exceptions. */
const toGuarded =
  (context: HandlerContext, method: string, handler: AnyHandler): AnyHandler =>
  (params, request) => {
    const decision = decideReady(context.isServing(), context.snapshot().status, method);
    if (!decision.allow) context.enforce(method, decision);
    return context.during(method, () => handler(params, request));
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

const ended: ReadonlySet<SessionStatus> = new Set<SessionStatus>([
  'tearing-down',
  'evicted',
  'failed',
  'closed',
]);

/** The methods a set of handlers answers. */
const toAnswered = (handlers: RequestHandlers): ReadonlySet<RequestMethod> =>
  // Object.keys forgets the key type that RequestHandlers has.
  new Set(Object.keys(handlers) as RequestMethod[]);
