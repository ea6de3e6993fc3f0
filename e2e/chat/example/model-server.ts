import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the model's provider was asked: the bytes as they came, and what they say. */
interface ModelCall {
  readonly url: string;
  readonly authorization: string | undefined;
  readonly text: string;
  readonly body: ModelBody;
  /** Whether the other end left before the answer was over. */
  dropped: boolean;
}

/** The body of a chat completion, as far as the tests look into it. */
interface ModelBody {
  readonly model: string;
  readonly stream?: boolean;
  readonly max_tokens?: number;
  readonly messages: readonly {
    readonly role: string;
    readonly content?: unknown;
    readonly tool_call_id?: string;
    readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string } }[];
  }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

/** One answer while it is written, in OpenAI's chunks, each cut into pieces of a few bytes. */
interface Answer {
  text(...deltas: string[]): Promise<void>;
  /** The beginning of a call, with as much of its arguments as is given. */
  call(id: string, name: string, ...argumentPieces: string[]): Promise<void>;
  /** More of the last call's arguments. */
  more(...argumentPieces: string[]): Promise<void>;
  finish(reason: 'stop' | 'tool_calls' | 'length'): Promise<void>;
  /** Ends the connection in the middle. */
  cut(): void;
  /** Answers with a status and an error instead of a stream. */
  refuse(status: number, message: string): void;
}

/** What the model does in one step. */
export type Step = (answer: Answer, call: ModelCall) => void | Promise<void>;

/** A model's provider on this machine. */
export interface ModelServer {
  readonly url: string;
  readonly calls: ModelCall[];
  /** Forgets what was asked, and answers with these steps from now on; the last one again and again. */
  play(...steps: Step[]): void;
  close(): Promise<void>;
}

// Borders fall into the middle of words, of characters and of JSON.
const pieceBytes = 9;

const writePieces = async (response: ServerResponse, text: string): Promise<void> => {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length && !response.destroyed; at += pieceBytes) {
    response.write(bytes.subarray(at, at + pieceBytes));
    await new Promise((resolve) => setImmediate(resolve));
  }
};

const createAnswer = (response: ServerResponse, model: string): Answer => {
  let calls = -1;
  const write = async (delta: object, reason: string | null = null): Promise<void> => {
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
    const chunk = {
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1_760_000_000,
      model,
      choices: [{ index: 0, delta, finish_reason: reason }],
    };
    await writePieces(response, `data: ${JSON.stringify(chunk)}\n\n`);
  };
  const toArguments = (text: string): object => ({
    tool_calls: [{ index: calls, function: { arguments: text } }],
  });
  const more = async (...pieces: string[]): Promise<void> => {
    for (const piece of pieces) await write(toArguments(piece));
  };
  return {
    async text(...deltas) {
      for (const content of deltas) await write({ content });
    },
    async call(id, name, ...pieces) {
      calls += 1;
      const start = { index: calls, id, type: 'function', function: { name, arguments: '' } };
      await write({ tool_calls: [start] });
      await more(...pieces);
    },
    more,
    async finish(reason) {
      await write({}, reason);
      response.end('data: [DONE]\n\n');
    },
    cut: () => void response.destroy(),
    refuse(status, message) {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message, type: 'invalid_request_error' } }));
    },
  };
};

/** Starts a provider that speaks OpenAI's streaming protocol over real sockets. */
export const startModelServer = async (at = 0): Promise<ModelServer> => {
  const calls: ModelCall[] = [];
  let steps: Step[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      // The gateway sends JSON; what is in it is what the tests look at.
      const body = JSON.parse(text) as ModelBody;
      const { authorization } = request.headers;
      const call: ModelCall = { url: request.url ?? '', authorization, text, body, dropped: false };
      const step = steps[Math.min(calls.length, steps.length - 1)];
      calls.push(call);
      response.on('close', () => (call.dropped = !response.writableFinished));
      void step?.(createAnswer(response, body.model), call);
    });
  });
  await new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve));
  // Listening on a port, so the address is one of the network.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    calls,
    play(...next) {
      calls.length = 0;
      steps = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};

/** A step that says something and ends the turn. */
export const says =
  (...deltas: string[]): Step =>
  async (answer) => {
    await answer.text(...deltas);
    await answer.finish('stop');
  };

/** A step that calls one tool, its arguments in the pieces given. */
export const calls =
  (id: string, name: string, ...argumentPieces: string[]): Step =>
  async (answer) => {
    await answer.call(id, name, ...argumentPieces);
    await answer.finish('tool_calls');
  };

/** A promise and what fulfils it: holds a step until the test has seen what it wants to see. */
export const createGate = (): { readonly opened: Promise<void>; open(): void } => {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
};
