import { CasementError } from '@casement/protocol';
import { validator } from 'hono/validator';
import * as v from 'valibot';

const shortText = v.pipe(v.string(), v.minLength(1), v.maxLength(200));
const caller = v.picklist(['app', 'user', 'model']);

/** The body of a tool call. */
export const callBody = v.object({
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(1000)),
  arguments: v.optional(v.record(v.string(), v.unknown())),
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

/** The body of a request that says everything in its path. */
export const emptyBody = v.object({});

/** Checks a JSON body against a schema and gives the route its type. */
export const jsonBody = <S extends v.GenericSchema>(schema: S) =>
  validator('json', (value): v.InferOutput<S> => {
    const result = v.safeParse(schema, value);
    if (result.success) return result.output;
    const [issue] = result.issues;
    throw new CasementError(
      'bad-request',
      `The body is not what this path takes: ${v.getDotPath(issue) ?? 'body'}: ${issue.message}.`,
    );
  });
