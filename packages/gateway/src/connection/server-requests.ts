import { CasementError } from '@casement/protocol/start';
import { createClientRequests } from '@casement/protocol/ports';
import type { RequestOptions } from '@modelcontextprotocol/client';
import { readPayload } from '../transport/held-payload.js';
import { callScope, type CallScope } from '../transport/observed-transport.js';
import { nextTurn, startSlice } from '../reading/turns.js';
import type { ServerConnection } from './server-connection.js';
import type { ServerLimits } from './server-limits.js';

/** How one request to a server is to be made. */
export interface RequestSettings extends CallScope {
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
}

type Send<T> = (server: ReturnType<typeof createClientRequests>, options: RequestOptions) => Promise<T>;

/** The one way in which requests reach a server: with time limit, cancellation, session and named failures. */
export interface ServerRequests {
  /** Runs a request of the client of the ready link. */
  run<T>(method: string, settings: RequestSettings, send: Send<T>): Promise<T>;
  /** Sends a request and reads its answer, which may be big; `send` replaces the plain way of sending it. */
  ask<T>(
    method: string,
    params: Record<string, unknown>,
    parse: (answer: unknown) => T,
    settings?: RequestSettings,
    send?: Send<unknown>,
  ): Promise<T>;
}

/** Creates the sender of requests to one server. */
export const createServerRequests = (connection: ServerConnection, limits: ServerLimits): ServerRequests => {
  const runOnce: ServerRequests['run'] = async (
    method,
    { signal, timeoutMs = limits.requestTimeoutMs, ...scope },
    send,
  ) => {
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
      return await callScope.run(scope, async () => send(createClientRequests(link.client), options));
    } catch (error) {
      const stray = link.findStray(begun);
      // With a link it is loaded.
      const { toServerFailure } = await import('./live-connection.js');
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

  /** A server that wants a sign-in did nothing yet: the request waits for the user, and is sent again. */
  const run: ServerRequests['run'] = async (method, settings, send) => {
    try {
      return await runOnce(method, settings, send);
    } catch (error) {
      const { signIn } = connection;
      if (signIn === undefined || !(error instanceof CasementError) || error.code !== 'server-sign-in')
        throw error;
      await signIn.untilSignedIn(settings.signal);
      return runOnce(method, settings, send);
    }
  };

  return {
    run,
    async ask(
      method,
      params,
      parse,
      settings = {},
      send = (server, options) => server.request(method, params, options),
    ) {
      // The client sees little of a big answer, the caller everything.
      const held: RequestSettings = { ...settings, takesHeld: settings.takesHeld ?? true };
      const answer = await run(method, held, send);
      const payload = readPayload(answer);
      // Checking a big answer is a step of its own, and so is what is done with it afterwards.
      if (payload !== answer) await nextTurn();
      const slice = startSlice();
      const parsed = parseAnswer(connection.shownName, method, () => parse(payload));
      if (slice.isOver) await slice.rest();
      return parsed;
    },
  };
};

/** A shape that our parsers refuse is the server's fault. */
const parseAnswer = <T>(server: string, method: string, parse: () => T): T => {
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
