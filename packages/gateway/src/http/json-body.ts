import { CasementError } from '@casement/protocol/start';
import * as v from 'valibot';
import { startSlice } from '../reading/turns.js';
import type { ReadBody } from './routes.js';

/** Checks a body against a schema and gives the route its type. */
export const jsonBody =
  <S extends v.GenericSchema>(schema: S): ReadBody<v.InferOutput<S>> =>
  async (value) => {
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
  };
