import type { ReadResourceResult } from '@casement/protocol';
import { CasementError } from '@casement/protocol/start';
import { isToolVisibleTo } from '@casement/protocol/tools';
import * as v from 'valibot';
import type { AccessCodes } from './access-codes.js';
import { toErrorAnswer } from './api-errors.js';
import { guardContentType, guardHost, guardOrigin, guardToken } from './api-guards.js';
import { chatBody } from '../chat/chat-format.js';
import { createChatStream } from '../chat/chat-stream.js';
import { toModelSummary, type ModelConfig } from '../chat/model-config.js';
import { addEntryRoutes, addStoredRoutes, type EntryParts } from './entry-routes.js';
import type { EventHub } from './event-hub.js';
import { readBody, type Answer, type Answerer, type Asked } from './exchange.js';
import type { GatewayAddress } from './gateway-address.js';
import { jsonBody } from './json-body.js';
import { createLinkRedirect, LINK_PATH } from './link-redirect.js';
import { readPageFile, toPageHeaders } from './page-files.js';
import { createRoutes, StreamAnswer, type ClientOf } from './routes.js';
import { addSignInRoutes, answerCallback } from './sign-in-routes.js';
import { createStartAnswers } from './start-answer.js';
import type { GatewayEvent } from '../facts/gateway-event.js';
import type { GatewayServer } from '../servers/gateway-server.js';
import type { ServerSet } from '../servers/server-set.js';
import { CALLBACK_PATH, type SignIns } from '../sign-in/sign-ins.js';

const MB = 1024 * 1024;
const MAX_BODY_BYTES = 8 * MB;
/** Each step of a model carries the whole conversation, pictures included. */
const MAX_CHAT_BYTES = 32 * MB;
const MAX_CODE_BYTES = 1024;

/** How long a page may take to move to another name of this gateway. */
const MOVE_LIFE_MS = 30_000;

const shortText = v.pipe(v.string(), v.minLength(1), v.maxLength(200));
const caller = v.picklist(['app', 'user', 'model']);

/** The body of a tool call. */
const callBody = v.object({
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(1000)),
  arguments: v.optional(v.record(v.string(), v.unknown())),
  task: v.optional(v.object({ ttl: v.optional(v.pipe(v.number(), v.minValue(0))) })),
  caller,
  callId: shortText,
  session: v.optional(shortText),
});

/** The body of a cancellation. */
const cancelBody = v.object({ reason: v.optional(v.pipe(v.string(), v.maxLength(1000))) });

/** The body of a resource read; `known` is the tag of an answer that the page still has. */
const readingBody = v.object({
  uri: v.pipe(v.string(), v.minLength(1), v.maxLength(8192)),
  caller,
  known: v.optional(shortText),
  session: v.optional(shortText),
});

/** The answer to a read: the server is asked in any case, but a document that the page has does not travel again. */
interface ReadingAnswer {
  result?: ReadResourceResult;
  tag?: string;
  unchanged?: true;
}

/** The body of the switch that has a server's files watched: only ever those of its own command, or of the terminal. */
const watchBody = v.object({ on: v.boolean() });

/** The body of a look for a change of an app's document. */
const lookBody = v.object({ uri: v.pipe(v.string(), v.minLength(1), v.maxLength(8192)) });

/** The body of a request about a task of a server. */
const taskBody = v.object({ taskId: v.pipe(v.string(), v.minLength(1), v.maxLength(1024)) });

const streamName = v.pipe(v.string(), v.regex(/^[\w-]{8,64}$/));

/** The body of a subscription to a resource and of its end; `stream` is the event stream that its updates are sent on. */
const subscriptionBody = v.object({
  uri: v.pipe(v.string(), v.minLength(1), v.maxLength(8192)),
  caller,
  stream: streamName,
  session: v.optional(shortText),
});

/** Reads the name a page gives its event stream; without one the stream can hold no subscriptions. */
const parseStreamName = (value: string | null): string | undefined => {
  if (value === null) return undefined;
  if (v.is(streamName, value)) return value;
  throw new CasementError('bad-request', 'A stream is named by 8 to 64 letters, digits, "_" and "-".');
};

/** The body that hands in a code or the key of a tab; a page asks for what it begins with in the same breath. */
const accessBody = v.object({ code: shortText, start: v.optional(v.boolean()) });

/** Reads from which entry on a stream shall tell what was recorded before it was opened. */
const parseSince = (value: string | null): number | undefined => {
  if (value === null) return undefined;
  if (/^\d{1,15}$/.test(value)) return Number(value);
  throw new CasementError('bad-request', '"since" is the number of an entry.');
};

/** The body of a request that says everything in its path. */
const emptyBody = v.object({});

const parseBody = async (asked: Asked, maxBytes: number): Promise<unknown> => {
  const text = new TextDecoder().decode(await readBody(asked, maxBytes));
  try {
    return JSON.parse(text);
  } catch {
    throw new CasementError('bad-request', 'The body is not JSON.');
  }
};

/** What the API is made of. */
interface ApiParts extends EntryParts {
  version: string;
  token: string;
  codes: AccessCodes;
  address: GatewayAddress;
  servers: Pick<ServerSet, 'get' | 'all' | 'summaries'>;
  signIns: SignIns;
  models: ReadonlyMap<string, ModelConfig>;
  hub: EventHub;
  recorded: {
    /** The number that the next entry of the recording gets. */
    next(): number;
    /** What servers did wrong before a page was open, and all entries from `since` on. */
    backlog(since?: number): GatewayEvent[];
  };
}

/** The one path in front of the token: whoever has a code, which works once, gets the token for it. */
const ACCESS_PATH = '/api/access';
const CHAT_PATH = '/api/chat';

/** Creates the routes of the API, every server named in the path (HOST-023: never in the message). */
const createApiRoutes = (parts: ApiParts) => {
  const { version, token, codes, address, servers, models, hub, recorded } = parts;
  const starts = createStartAnswers({ version, address, servers, nextEntry: recorded.next });
  const find = (name: string): GatewayServer => {
    const server = servers.get(name);
    if (server !== undefined) return server;
    throw new CasementError('server-unknown', 'There is no server of that name.');
  };

  const routes = createRoutes()
    .post(ACCESS_PATH, jsonBody(accessBody), async (_asked, _params, { code, start }) => {
      const key = codes.redeem(code);
      return { token, key, ...(start === true && { start: await starts.read() }) };
    })
    .post('/api/access/codes', jsonBody(emptyBody), () => ({ code: codes.createCode(MOVE_LIFE_MS) }))
    .get('/api/status', () => starts.status())
    .get('/api/servers', () => ({ servers: servers.summaries() }))
    .post('/api/servers/:name/restart', jsonBody(emptyBody), async (_asked, { name }) => {
      const server = find(name);
      await server.restart();
      return { server: server.summary() };
    })
    .post('/api/servers/:name/cancel', jsonBody(emptyBody), async (_asked, { name }) => {
      const server = find(name);
      await server.cancelStart();
      return { server: server.summary() };
    })
    .post('/api/servers/:name/diagnose', jsonBody(emptyBody), async (_asked, { name }) => {
      const server = find(name);
      await server.diagnose();
      return { server: server.summary() };
    })
    .post('/api/servers/:name/watch', jsonBody(watchBody), async (_asked, { name }, { on }) => {
      const server = find(name);
      await server.watch.set(on);
      return { server: server.summary() };
    })
    .post('/api/servers/:name/watch/look', jsonBody(lookBody), async (_asked, { name }, { uri }) => ({
      changed: await find(name).watch.look(uri),
    }))
    .get('/api/servers/:name/tools', async ({ url, signal }, { name }) => {
      const tools = await starts.listTools(find(name), signal);
      const audience = url.searchParams.get('audience');
      if (audience === null) return { tools };
      if (audience !== 'model' && audience !== 'app') {
        throw new CasementError('bad-request', 'The audience is "model" or "app".');
      }
      // HOST-021: what the model is given leaves out what is not for it.
      return { tools: tools.filter((tool) => isToolVisibleTo(tool, audience)) };
    })
    .get('/api/servers/:name/resources', async ({ signal }, { name }) => ({
      resources: await find(name).list('resources', { signal }),
    }))
    .get('/api/servers/:name/resources/templates', async ({ signal }, { name }) => ({
      resourceTemplates: await find(name).list('templates', { signal }),
    }))
    .get('/api/servers/:name/prompts', async ({ signal }, { name }) => ({
      prompts: await find(name).list('prompts', { signal }),
    }))
    .post('/api/servers/:name/tools/call', jsonBody(callBody), async ({ signal }, { name }, call) => ({
      // The page going away ends the call at the server too.
      result: await find(name).callTool(call, signal),
    }))
    .post(
      '/api/servers/:name/calls/:callId/cancel',
      jsonBody(cancelBody),
      (_asked, { name, callId }, { reason }) => {
        find(name).cancelCall(callId, reason);
        return {};
      },
    )
    .post('/api/servers/:name/tasks/get', jsonBody(taskBody), async ({ signal }, { name }, { taskId }) => ({
      result: await find(name).tasks.get(taskId, signal),
    }))
    .post(
      '/api/servers/:name/tasks/result',
      jsonBody(taskBody),
      async ({ signal }, { name }, { taskId }) => ({
        result: await find(name).tasks.result(taskId, signal),
      }),
    )
    .post('/api/servers/:name/tasks/cancel', jsonBody(taskBody), async (_asked, { name }, { taskId }) => {
      await find(name).tasks.cancel(taskId);
      return {};
    })
    .post(
      '/api/servers/:name/resources/read',
      jsonBody(readingBody),
      async ({ signal }, { name }, read): Promise<ReadingAnswer> => {
        const answer = await find(name).readResource(read, signal);
        return answer.tag !== undefined && answer.tag === read.known ? { unchanged: true } : answer;
      },
    )
    .post(
      '/api/servers/:name/resources/subscribe',
      jsonBody(subscriptionBody),
      async (_asked, { name }, { stream, uri, session }) => {
        const server = find(name);
        // A subscription ends with its stream: without an open one it would never end.
        if (!hub.isOpen(stream))
          throw new CasementError('bad-request', 'There is no open stream of that name.');
        await server.resources.subscribe({ stream, uri, ...(session !== undefined && { session }) });
        // The stream may have ended while the server was asked.
        if (!hub.isOpen(stream)) server.resources.endStream(stream);
        return {};
      },
    )
    .post(
      '/api/servers/:name/resources/unsubscribe',
      jsonBody(subscriptionBody),
      async (_asked, { name }, { stream, uri, session }) => {
        const server = find(name);
        await server.resources.unsubscribe({ stream, uri, ...(session !== undefined && { session }) });
        return {};
      },
    )
    .get('/api/models', () => ({ models: [...models.values()].map(toModelSummary) }))
    .post(CHAT_PATH, jsonBody(chatBody), ({ signal }, _params, { model: id, request }): StreamAnswer => {
      const model = models.get(id);
      if (model === undefined) throw new CasementError('model-unknown', 'There is no model of that name.');
      const stream = createChatStream(model, request, signal);
      return new StreamAnswer(stream, 'application/x-ndjson; charset=utf-8');
    })
    .get('/api/events', ({ url: { searchParams } }): StreamAnswer => {
      const name = parseStreamName(searchParams.get('stream'));
      if (name !== undefined && hub.isOpen(name)) {
        throw new CasementError('bad-request', 'A stream of that name is open already.');
      }
      const since = parseSince(searchParams.get('since'));
      const replay = (): GatewayEvent[] => {
        const summaries = servers.summaries();
        const order = { type: 'servers-ordered' as const, servers: summaries.map((server) => server.name) };
        // Whoever comes back learns by the order which servers are gone.
        return [...summaries.map((server) => ({ type: 'server' as const, server })), order];
      };
      const stream = hub.stream(replay, name, () => recorded.backlog(since));
      return new StreamAnswer(stream, 'text/event-stream; charset=utf-8');
    });
  return addSignInRoutes(addStoredRoutes(addEntryRoutes(routes, parts), parts), parts.signIns, find);
};

const apiHeaders = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

/** Creates the API: every path behind the guards. */
const createApi = (parts: ApiParts): ((asked: Asked) => Promise<Answer>) => {
  const routes = createApiRoutes(parts);
  const guardAccess = guardToken(parts.token);
  return async (asked) => {
    guardOrigin(asked);
    guardContentType(asked);
    const { pathname } = asked.url;
    const isAccess = pathname === ACCESS_PATH && asked.method === 'POST';
    if (!isAccess) guardAccess(asked);
    const run = routes.find(asked);
    if (run === undefined) throw new CasementError('not-found', 'The API has no such path.');
    const maxBytes = isAccess ? MAX_CODE_BYTES : pathname === CHAT_PATH ? MAX_CHAT_BYTES : MAX_BODY_BYTES;
    const result = await run(() => parseBody(asked, maxBytes));
    if (result instanceof StreamAnswer) {
      const headers = { ...apiHeaders, 'Content-Type': result.type, 'X-Accel-Buffering': 'no' };
      return { status: 200, headers, body: result.stream };
    }
    return {
      status: 200,
      headers: { ...apiHeaders, 'Content-Type': 'application/json' },
      body: JSON.stringify(result),
    };
  };
};

/** Creates the page server: links, the API under /api, the page's files everywhere else, all behind the Host guard. */
export const createPageApp = (parts: ApiParts & { pageDir: string; onLostLink(): void }): Answerer => {
  const guardName = guardHost(parts.address);
  const links = createLinkRedirect(parts.address, parts.onLostLink);
  const answerApi = createApi(parts);
  const answerBack = answerCallback(parts.signIns);
  const answerPage = ({ method, url, headers: asked }: Asked): Answer => {
    if (method !== 'GET' && method !== 'HEAD') {
      throw new CasementError('not-found', 'There is nothing to send to here.');
    }
    const file = readPageFile(parts.pageDir, url.pathname, asked['accept-encoding']);
    const headers = toPageHeaders(parts.address, file?.inline);
    if (file !== undefined) return { status: 200, headers: { ...headers, ...file.headers }, body: file.body };
    return {
      status: 404,
      headers: { ...headers, 'Content-Type': 'text/plain; charset=UTF-8', 'Cache-Control': 'no-store' },
      body: 'Not found',
    };
  };
  return async (asked) => {
    try {
      guardName(asked);
      links.notice(asked);
      if (asked.url.pathname === LINK_PATH) return links.answer(asked);
      // The one path without the token: a browser comes back here from an issuer, with a `state` that works once.
      if (asked.url.pathname === CALLBACK_PATH && asked.method === 'GET') return await answerBack(asked);
      const isApi = /^\/api(?:\/|$)/.test(asked.url.pathname);
      return await (isApi ? answerApi(asked) : answerPage(asked));
    } catch (error) {
      return toErrorAnswer(error);
    }
  };
};

/** The type of the HTTP API, for Hono's typed client: `hc<GatewayApi>(origin)`. */
export type GatewayApi = ClientOf<ReturnType<typeof createApiRoutes>>;
