import { CasementError } from '@casement/protocol';
import { validator } from 'hono/validator';
import * as v from 'valibot';
import { startSlice } from './turns.js';

const shortText = v.pipe(v.string(), v.minLength(1), v.maxLength(200));
const caller = v.picklist(['app', 'user', 'model']);

/** The body of a tool call. */
export const callBody = v.object({
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(1000)),
  arguments: v.optional(v.record(v.string(), v.unknown())),
  task: v.optional(v.object({ ttl: v.optional(v.pipe(v.number(), v.minValue(0))) })),
  caller,
  callId: shortText,
  session: v.optional(shortText),
});

/** The body of a cancellation. */
export const cancelBody = v.object({ reason: v.optional(v.pipe(v.string(), v.maxLength(1000))) });

/** The body of a resource read. */
export const readBody = v.object({
  uri: v.pipe(v.string(), v.minLength(1), v.maxLength(8192)),
  caller,
  session: v.optional(shortText),
});

/** The body of a request about a task of a server. */
export const taskBody = v.object({ taskId: v.pipe(v.string(), v.minLength(1), v.maxLength(1024)) });

const streamName = v.pipe(v.string(), v.regex(/^[\w-]{8,64}$/));

/** The body of a subscription to a resource and of its end; `stream` is the event stream that will tell of it. */
export const subscriptionBody = v.object({
  uri: v.pipe(v.string(), v.minLength(1), v.maxLength(8192)),
  caller,
  stream: streamName,
  session: v.optional(shortText),
});

/** Reads the name a page gives its event stream; without one the stream can hold no subscriptions. */
export const parseStreamName = (value: string | undefined): string | undefined => {
  if (value === undefined || v.is(streamName, value)) return value;
  throw new CasementError('bad-request', 'A stream is named by 8 to 64 letters, digits, "_" and "-".');
};

/** The body that hands in a code or the key of a tab. */
export const accessBody = v.object({ code: shortText });

/** The body of a request that says everything in its path. */
export const emptyBody = v.object({});

/** Checks a JSON body against a schema and gives the route its type. */
export const jsonBody = <S extends v.GenericSchema>(schema: S) =>
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
