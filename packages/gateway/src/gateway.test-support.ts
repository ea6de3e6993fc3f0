import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { startGateway } from './index.js';
import type { StdioServerConfig } from './facts/server-config.js';
import type { GatewayEvent, GatewayOptions, RunningGateway } from './index.js';

const fixtureServer = join(import.meta.dirname, '../test-fixtures/fixture-server.mjs');

/** A folder that is gone when the test ends. */
export const createFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'casement-gateway-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
};

export const createPageFolder = (): string => {
  const folder = createFolder();
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Page</title>');
  writeFileSync(join(folder, 'assets', 'main-Ab12Cd34.js'), 'export {};');
  return folder;
};

export const stdio = (
  name: string,
  flags: string[] = [],
  more: Partial<StdioServerConfig> = {},
): StdioServerConfig => ({
  name,
  kind: 'stdio',
  command: process.execPath,
  args: [fixtureServer, ...flags],
  inheritEnv: false,
  ...more,
});

/** A gateway on free ports, closed when the test ends. */
export const start = async (options: Partial<GatewayOptions> = {}): Promise<RunningGateway> => {
  const gateway = await startGateway({
    port: 0,
    pageDir: createPageFolder(),
    stateDir: createFolder(),
    servers: [],
    ...options,
  });
  onTestFinished(() => {
    // Closing takes time: a process is asked first.
    vi.useRealTimers();
    return gateway.close();
  });
  await gateway.settled();
  return gateway;
};

export const portOf = (gateway: RunningGateway): number => Number(new URL(gateway.url).port);

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A request in which every header, Host included, is the test's own. */
export const send = (
  port: number,
  path: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: OutgoingHttpHeaders; body?: string } = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', port, path, method, headers: { host: `localhost:${port}`, ...headers } },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
        });
      },
    );
    request.on('error', reject);
    request.end(body);
  });

export interface ApiAnswer {
  status: number;
  /** Whatever came; tests look into it by path. */
  body: {
    error?: { code: string; message: string; hint?: string; wire?: { code: number; message: string } };
  } & Record<string, unknown>;
}

/** An API call as the page makes it; a body makes it a POST. */
export const api = async (gateway: RunningGateway, path: string, body?: unknown): Promise<ApiAnswer> => {
  const { status, body: text } = await send(portOf(gateway), `/api${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${gateway.token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  // The API answers JSON objects; what is in them is what the tests are about.
  return { status, body: JSON.parse(text) as ApiAnswer['body'] };
};

let calls = 0;

export const callTool = (
  gateway: RunningGateway,
  server: string,
  name: string,
  more: { caller?: string; callId?: string; session?: string; arguments?: unknown } = {},
): Promise<ApiAnswer> =>
  api(gateway, `/servers/${server}/tools/call`, {
    name,
    caller: 'user',
    callId: `call-${(calls += 1)}`,
    ...more,
  });

/** The JSON a fixture tool put into its text block. */
export const readText = (answer: ApiAnswer): unknown => {
  const { result } = answer.body as { result?: { content: { text: string }[] } };
  const text = result?.content[0]?.text ?? JSON.stringify(answer.body);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** Opens the event stream and collects what arrives. */
export const openEvents = async (
  gateway: RunningGateway,
  stream?: string,
  since?: number,
): Promise<{
  events: GatewayEvent[];
  close(): void;
  until(found: (event: GatewayEvent) => boolean): Promise<GatewayEvent>;
}> => {
  const controller = new AbortController();
  onTestFinished(() => {
    controller.abort();
  });
  const query = new URLSearchParams({
    ...(stream && { stream }),
    ...(since !== undefined && { since: `${since}` }),
  });
  const response = await fetch(`http://127.0.0.1:${portOf(gateway)}/api/events?${query}`, {
    headers: { authorization: `Bearer ${gateway.token}` },
    signal: controller.signal,
  });
  const events: GatewayEvent[] = [];
  void (async () => {
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const frames = `${text}${chunk}`.split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) {
        // Our own stream: each data line is one event.
        if (frame.startsWith('data: ')) events.push(JSON.parse(frame.slice(6)) as GatewayEvent);
      }
    }
  })().catch(() => undefined);
  return {
    events,
    close: () => {
      controller.abort();
    },
    until: async (found) => waitFor(() => events.find(found)),
  };
};

/** Taken before a test can fake it. */
const later = globalThis.setTimeout;

/**
 * Puts the gateway's time limits into the hands of the test; `vi.advanceTimersByTimeAsync` moves them. Processes,
 * files and sockets go on, and so does `waitFor`.
 */
export const holdTime = (): void => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
};

/** Waits until something is there; the limit only catches what never comes. */
export const waitFor = async <T>(read: () => T | undefined | false, limitMs = 20_000): Promise<T> => {
  const end = Date.now() + limitMs;
  for (;;) {
    const value = read();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > end) throw new Error('It never came.');
    await new Promise((resolve) => later(resolve, 20));
  }
};

/** Whether a process exists and is more than an entry waiting to be collected by its parent. */
export const isAlive = (pid: number): boolean => {
  try {
    const state = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? '';
    return !state.startsWith('Z');
  } catch {
    return false;
  }
};
