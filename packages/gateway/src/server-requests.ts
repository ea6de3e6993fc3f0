import { CasementError } from '@casement/protocol';
import type { Client, RequestOptions } from '@modelcontextprotocol/client';
import * as v from 'valibot';
import { callScope, type CallScope } from './call-scope.js';
import { readPayload } from './held-payload.js';
import type { ServerLimits } from './limits.js';
import type { ServerConnection } from './server-connection.js';
import { toServerFailure } from './server-failure.js';
import { nextTurn, startSlice } from './turns.js';

/** How one request to a server is to be made. */
export interface RequestSettings extends CallScope {
  signal?: AbortSignal;
  timeoutMs?: number;
}

const anyResult = v.looseObject({});

/** A request through the client of a ready link, its failure named. */
export type RunRequest = <T>(
  method: string,
  settings: RequestSettings,
  run: (client: Client, options: RequestOptions) => Promise<T>,
) => Promise<T>;

/** Creates the one way in which requests reach a server: with time limit, cancellation, session and named failures. */
export const createRunRequest =
  (connection: ServerConnection, limits: ServerLimits): RunRequest =>
  async (method, { signal, timeoutMs = limits.requestTimeoutMs, ...scope }, run) => {
    const link = connection.link();
    const begun = performance.now();
    const options: RequestOptions = {
      timeout: timeoutMs,
      // Progress keeps a long call alive, but not for ever (D20).
      resetTimeoutOnProgress: true,
      maxTotalTimeout: timeoutMs * 10,
      ...(signal !== undefined && { signal }),
      // Asking the client for progress makes it send a token; the transport tells what comes back.
      ...(scope.onProgress !== undefined && { onprogress: () => undefined }),
    };
    try {
      return await callScope.run(scope, async () => run(link.client, options));
    } catch (error) {
      const stray = link.findStray(begun);
      throw toServerFailure(error, {
        server: connection.shownName,
        method,
        timeoutMs,
        ...(stray !== undefined && { stray }),
        ...(link.exit !== undefined && { exit: link.exit }),
        ...(link.failure !== undefined && { failure: link.failure }),
        ...(signal !== undefined && { signal }),
      });
    }
  };

/** Sends a request and returns the raw result object: what it must look like is checked by the caller. */
export const requestAny = (
  client: Client,
  method: string,
  params: Record<string, unknown>,
  options: RequestOptions,
): Promise<Record<string, unknown>> => takeHeld(() => client.request({ method, params }, anyResult, options));

/** Runs a request of the client whose result may be big: the client sees little of it, the caller everything. */
export const takeHeld = async <T extends object>(
  request: () => Promise<T>,
): Promise<T | Record<string, unknown>> => {
  const outer = callScope.getStore();
  const scope: CallScope = { ...outer, takesHeld: outer?.takesHeld ?? true };
  const result = await callScope.run(scope, request);
  const payload = readPayload(result);
  // What follows, checking and answering, is a step of its own.
  if (payload !== result) await nextTurn();
  return payload;
};

/** Runs a parser of the protocol package over a server's answer; a shape it refuses is the server's fault. */
export const parseAnswer = <T>(server: string, method: string, parse: () => T): T => {
  try {
    return parse();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : 'unknown reason';
    throw new CasementError(
      'server-garbage',
      `The server "${server}" answered ${method} in a wrong shape: ${why}`,
      {
        hint: 'The answer is in the recording; compare it with the specification of this method.',
        cause,
      },
    );
  }
};

/** The same for an answer that may be big: what is done with it afterwards is a step of its own. */
export const parseInTurn = async <T>(server: string, method: string, parse: () => T): Promise<T> => {
  const slice = startSlice();
  const answer = parseAnswer(server, method, parse);
  if (slice.isOver) await slice.rest();
  return answer;
};
