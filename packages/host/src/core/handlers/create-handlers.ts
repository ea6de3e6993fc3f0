import type { RequestHandlers, RequestMethod } from '@casement/protocol';
import { CasementError } from '@casement/protocol/start';
import type { Decision } from '../policy/decision.js';
import { allow, refuse } from '../policy/decision.js';
import { toQuoted } from '../policy/to-quoted.js';
import type { ServerTaskIds } from '../server/server-task-ids.js';
import type { ToolList } from '../server/tool-list.js';
import type { AppRequests } from './app-requests.js';
import type { HandlerContext } from './handler-context.js';
import type { Handshake } from '../leg/handshake.js';
import { throwCodeMissing } from '../missing-code.js';
import type { SessionStatus } from '../state/session-state.js';

/** What answers an app. */
interface Handlers {
  readonly requestHandlers: RequestHandlers;
  /** What answers all but the handshake; undefined as long as the app asked for nothing. */
  requests(): AppRequests | undefined;
  /** The app asks to be closed. */
  requestTeardown(): void;
}

/**
 * Makes the handler of every request this session answers. A hook the embedder left out is a request that does not
 * exist (-32601). What answers, and every gate but the first, is loaded with the first request, which waits for it.
 */
export const createHandlers = (
  context: HandlerContext,
  { handshake, ...parts }: { tools: ToolList; taskIds: ServerTaskIds; handshake: Handshake },
): Handlers => {
  let requests: AppRequests | undefined;
  let coming: Promise<AppRequests> | undefined;
  const load = async (): Promise<AppRequests> => {
    try {
      const { createAppRequests } = await import('./app-requests.js').catch(throwCodeMissing);
      return (requests = createAppRequests(context, parts));
    } catch (error) {
      // The next request tries again.
      coming = undefined;
      throw error;
    }
  };
  const bring = (path: string): Promise<AppRequests> => (coming ??= load()).catch(addMissing(context, path));
  let isEndAsked = false;
  const requestTeardown = (): void => {
    // Before the code is there, asking twice is asking once.
    if (isEndAsked || !context.isServing()) return;
    isEndAsked = requests === undefined;
    bring('ui/notifications/request-teardown').then(
      (made) => {
        isEndAsked = false;
        void made.requestTeardown();
      },
      () => (isEndAsked = false),
    );
  };
  const toHandler =
    (method: RequestMethod): AnyHandler =>
    (params, request) => {
      requireReady(context, method);
      return context.during(method, async () => {
        if (!requests) {
          await bring(method);
          // The app may have gone, or taken it back, while the code came.
          request.signal.throwIfAborted();
          requireReady(context, method);
        }
        // Under its own name, so it takes what came under that name.
        const handler = requests?.handlers[method] as AnyHandler | undefined;
        if (!handler) throw new CasementError('method-not-found', `Method not found: ${method}`);
        return handler(params, request);
      });
    };
  const methods = listMethods(context.options);
  const answered: ReadonlySet<RequestMethod> = new Set(methods);
  return {
    requestHandlers: {
      ...Object.fromEntries(methods.map((method) => [method, toHandler(method)])),
      'ui/initialize': (params) => handshake.initialize(params, answered),
    },
    requests: () => requests,
    requestTeardown,
  };
};

/** Tells the page, and the app, that the code for a request did not come. */
const addMissing =
  ({ addFinding }: HandlerContext, path: string) =>
  (error: unknown): never => {
    if (error instanceof CasementError)
      addFinding({ code: error.code, message: error.message, fix: error.hint ?? '', path });
    throw error;
  };

/** The requests that this embedder and this server can answer. */
const listMethods = ({
  server,
  onDownload,
  onMessage,
  onModal,
  onModelContext,
  onOpenLink,
  onSampling,
  createMessage: ask,
}: HandlerContext['options']): RequestMethod[] => {
  const rows: [available: unknown, ...methods: RequestMethod[]][] = [
    [true, 'tools/call', 'tools/list', 'resources/list', 'resources/read'],
    [true, 'ui/request-display-mode', 'casement/widget-state'],
    [onOpenLink, 'ui/open-link'],
    [onMessage, 'ui/message'],
    [onModelContext, 'ui/update-model-context'],
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
const requireReady = (context: HandlerContext, method: string): void => {
  const decision = decideReady(context.isServing(), context.snapshot().status, method);
  if (!decision.allow) context.enforce(method, decision);
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
