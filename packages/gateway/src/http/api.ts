import { CasementError } from '@casement/protocol/start';
import { isToolVisibleTo } from '@casement/protocol/tools';
import { Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { validator } from 'hono/validator';
import * as v from 'valibot';
import type { AccessCodes } from './access-codes.js';
import { toErrorResponse } from './api-errors.js';
import {
  guardContentType,
  guardHost,
  guardOrigin,
  guardToken,
  mayHaveBody,
  prepareChunkedBody,
} from './api-guards.js';
import { chatBody } from '../chat/chat-format.js';
import { createChatStream } from '../chat/chat-stream.js';
import { toModelSummary, type ModelConfig } from '../chat/model-config.js';
import type { EventHub } from './event-hub.js';
import type { GatewayAddress } from './gateway-address.js';
import { readPageFile, toPageHeaders } from './page-files.js';
import { createStartAnswers } from './start-answer.js';
import type { GatewayEvent } from '../facts/gateway-event.js';
import { startSlice } from '../reading/turns.js';
import type { GatewayServer } from '../servers/gateway-server.js';

const MAX_BODY_MB = 8;
/** Each step of a model carries the whole conversation, pictures included. */
const MAX_CHAT_MB = 32;

/** How long a page may take to move to another name of this gateway. */
const MOVE_LIFE_MS = 30_000;

const limitBody = (megabytes: number): MiddlewareHandler => {
  const limited = bodyLimit({
    maxSize: megabytes * 1024 * 1024,
    onError: () => {
      const limit = megabytes < 1 ? `${megabytes * 1024} KB` : `${megabytes} MB`;
      throw new CasementError('body-too-large', `The body is over the limit of ${limit}.`);
    },
  });
  return (c, next) => (mayHaveBody(c) ? limited(c, next) : next());
};

const limitChat = limitBody(MAX_CHAT_MB);
const limitCode = limitBody(1 / 1024);
const limitOther = limitBody(MAX_BODY_MB);

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

/** The body of a resource read. */
const readBody = v.object({
  uri: v.pipe(v.string(), v.minLength(1), v.maxLength(8192)),
  caller,
  session: v.optional(shortText),
});

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
const parseStreamName = (value: string | undefined): string | undefined => {
  if (value === undefined || v.is(streamName, value)) return value;
  throw new CasementError('bad-request', 'A stream is named by 8 to 64 letters, digits, "_" and "-".');
};

/** The body that hands in a code or the key of a tab; a page asks for what it begins with in the same breath. */
const accessBody = v.object({ code: shortText, start: v.optional(v.boolean()) });

/** Reads from which entry on a stream shall tell what was recorded before it was opened. */
const parseSince = (value: string | undefined): number | undefined => {
  if (value === undefined) return undefined;
  if (/^\d{1,15}$/.test(value)) return Number(value);
  throw new CasementError('bad-request', '"since" is the number of an entry.');
};

/** The body of a request that says everything in its path. */
const emptyBody = v.object({});

/** Checks a JSON body against a schema and gives the route its type. */
const jsonBody = <S extends v.GenericSchema>(schema: S) =>
  validator('json', async (value): Promise<v.InferOutput<S>> => {
    const slice = startSlice();
    // The first fault is enough: a list of all could be longer than the body.
    const result = v.safeParse(schema, value, { abortEarly: true });
    // A big body was parsed and checked in this turn; what is done with it is another.
    if (slice.isOver) await slice.rest();
    if (result.success) return result.output;
    const [issue] = result.issues;
    throw new CasementError(
      'bad-request',
      `The body is not what this path takes: ${v.getDotPath(issue) ?? 'body'}: ${issue.message}.`,
    );
  });

/** What the API is made of. */
interface ApiParts {
  version: string;
  token: string;
  codes: AccessCodes;
  address: GatewayAddress;
  servers: ReadonlyMap<string, GatewayServer>;
  models: ReadonlyMap<string, ModelConfig>;
  hub: EventHub;
  recorded: {
    /** The number that the next entry of the recording gets. */
    next(): number;
    /** What servers did wrong before a page was open, and all entries from `since` on. */
    backlog(since?: number): GatewayEvent[];
  };
}

/** Creates the API: every path behind the guards, every server named in the path (HOST-023: never in the message). */
const createApi = ({ version, token, codes, address, servers, models, hub, recorded }: ApiParts) => {
  const starts = createStartAnswers({ version, address, servers, nextEntry: recorded.next });
  const find = (name: string): GatewayServer => {
    const server = servers.get(name);
    if (server !== undefined) return server;
    throw new CasementError('server-unknown', 'There is no server of that name.');
  };
  const summaries = () => [...servers.values()].map((server) => server.summary());

  return (
    new Hono()
      .use(guardOrigin)
      .use(guardContentType)
      .use(prepareChunkedBody)
      .use(async (c, next) => {
        await next();
        c.header('Cache-Control', 'no-store');
        c.header('X-Content-Type-Options', 'nosniff');
      })
      // The one path in front of the token: whoever has a code, which works once, gets the token for it.
      .post('/access', limitCode, jsonBody(accessBody), async (c) => {
        const { code, start } = c.req.valid('json');
        const key = codes.redeem(code);
        return c.json({ token, key, ...(start === true && { start: await starts.read() }) });
      })
      .use(guardToken(token))
      .use((c, next) => (c.req.path === '/api/chat' ? limitChat : limitOther)(c, next))
      .post('/access/codes', jsonBody(emptyBody), (c) => c.json({ code: codes.createCode(MOVE_LIFE_MS) }))
      .get('/status', (c) => c.json(starts.status()))
      .get('/servers', (c) => c.json({ servers: summaries() }))
      .post('/servers/:name/restart', jsonBody(emptyBody), async (c) => {
        const server = find(c.req.param('name'));
        await server.restart();
        return c.json({ server: server.summary() });
      })
      .get('/servers/:name/tools', async (c) => {
        const tools = await starts.listTools(find(c.req.param('name')), c.req.raw.signal);
        const audience = c.req.query('audience');
        if (audience === undefined) return c.json({ tools });
        if (audience !== 'model' && audience !== 'app') {
          throw new CasementError('bad-request', 'The audience is "model" or "app".');
        }
        // HOST-021: what the model is given leaves out what is not for it.
        return c.json({ tools: tools.filter((tool) => isToolVisibleTo(tool, audience)) });
      })
      .get('/servers/:name/resources', async (c) => {
        const server = find(c.req.param('name'));
        return c.json({ resources: await server.list('resources', { signal: c.req.raw.signal }) });
      })
      .get('/servers/:name/resources/templates', async (c) => {
        const server = find(c.req.param('name'));
        return c.json({ resourceTemplates: await server.list('templates', { signal: c.req.raw.signal }) });
      })
      .get('/servers/:name/prompts', async (c) => {
        const server = find(c.req.param('name'));
        return c.json({ prompts: await server.list('prompts', { signal: c.req.raw.signal }) });
      })
      .post('/servers/:name/tools/call', jsonBody(callBody), async (c) => {
        // The page going away ends the call at the server too.
        const result = await find(c.req.param('name')).callTool(c.req.valid('json'), c.req.raw.signal);
        return c.json({ result });
      })
      .post('/servers/:name/calls/:callId/cancel', jsonBody(cancelBody), (c) => {
        find(c.req.param('name')).cancelCall(c.req.param('callId'), c.req.valid('json').reason);
        return c.json({});
      })
      .post('/servers/:name/tasks/get', jsonBody(taskBody), async (c) => {
        const { tasks } = find(c.req.param('name'));
        return c.json({ result: await tasks.get(c.req.valid('json').taskId, c.req.raw.signal) });
      })
      .post('/servers/:name/tasks/result', jsonBody(taskBody), async (c) => {
        const { tasks } = find(c.req.param('name'));
        return c.json({ result: await tasks.result(c.req.valid('json').taskId, c.req.raw.signal) });
      })
      .post('/servers/:name/tasks/cancel', jsonBody(taskBody), async (c) => {
        await find(c.req.param('name')).tasks.cancel(c.req.valid('json').taskId);
        return c.json({});
      })
      .post('/servers/:name/resources/read', jsonBody(readBody), async (c) => {
        const result = await find(c.req.param('name')).readResource(c.req.valid('json'), c.req.raw.signal);
        return c.json({ result });
      })
      .post('/servers/:name/resources/subscribe', jsonBody(subscriptionBody), async (c) => {
        const { stream, uri, session } = c.req.valid('json');
        const server = find(c.req.param('name'));
        // A subscription ends with its stream: without an open one it would never end.
        if (!hub.isOpen(stream))
          throw new CasementError('bad-request', 'There is no open stream of that name.');
        await server.resources.subscribe({ stream, uri, ...(session !== undefined && { session }) });
        // The stream may have ended while the server was asked.
        if (!hub.isOpen(stream)) server.resources.endStream(stream);
        return c.json({});
      })
      .post('/servers/:name/resources/unsubscribe', jsonBody(subscriptionBody), async (c) => {
        const { stream, uri, session } = c.req.valid('json');
        const server = find(c.req.param('name'));
        await server.resources.unsubscribe({ stream, uri, ...(session !== undefined && { session }) });
        return c.json({});
      })
      .get('/models', (c) => c.json({ models: [...models.values()].map(toModelSummary) }))
      .post('/chat', jsonBody(chatBody), (c) => {
        const { model: id, request } = c.req.valid('json');
        const model = models.get(id);
        if (model === undefined) throw new CasementError('model-unknown', 'There is no model of that name.');
        return c.body(createChatStream(model, request, c.req.raw.signal), 200, {
          'Content-Type': 'application/x-ndjson; charset=utf-8',
          'X-Accel-Buffering': 'no',
        });
      })
      .get('/events', (c) => {
        const name = parseStreamName(c.req.query('stream'));
        if (name !== undefined && hub.isOpen(name)) {
          throw new CasementError('bad-request', 'A stream of that name is open already.');
        }
        const since = parseSince(c.req.query('since'));
        const replay = () => summaries().map((server) => ({ type: 'server' as const, server }));
        return c.body(
          hub.stream(replay, name, () => recorded.backlog(since)),
          200,
          { 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' },
        );
      })
      .all('*', () => {
        throw new CasementError('not-found', 'The API has no such path.');
      })
  );
};

/** Creates the page server: the API under /api, the page's files everywhere else, all behind the Host guard. */
export const createPageApp = (parts: ApiParts & { pageDir: string }) =>
  new Hono()
    .onError(toErrorResponse)
    .use(guardHost(parts.address))
    .route('/api', createApi(parts))
    .all('*', async (c) => {
      if (c.req.method !== 'GET' && c.req.method !== 'HEAD') {
        throw new CasementError('not-found', 'There is nothing to send to here.');
      }
      const file = await readPageFile(parts.pageDir, c.req.path, c.req.header('accept-encoding'));
      const headers = toPageHeaders(parts.address, file?.inline);
      if (file === undefined) return c.text('Not found', 404, { ...headers, 'Cache-Control': 'no-store' });
      return c.body(file.body, 200, { ...headers, ...file.headers });
    });

/** The type of the HTTP API, for Hono's typed client: `hc<GatewayApi>(origin)`. */
export type GatewayApi = ReturnType<typeof createPageApp>;
