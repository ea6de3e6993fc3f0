import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { resultShapes, toolShapes } from '../../../packages/gateway/test-fixtures/big-shapes.mjs';
import {
  bestOf,
  measureRound,
  startClient,
} from '../../../packages/gateway/src/connection/answer-times.test-support.js';
import {
  callTool,
  openEvents,
  start,
  stdio,
  waitFor,
} from '../../../packages/gateway/src/gateway.test-support.js';
import type { StdioServerConfig } from '../../../packages/gateway/src/facts/server-config.js';

const fixture = join(import.meta.dirname, '../../../packages/gateway/test-fixtures/big-server.mjs');
const BYTES = 4 * 1024 * 1024;
const bigServer = (...args: string[]): StdioServerConfig => stdio('big', [], { args: [fixture, ...args] });
type Client = ReturnType<typeof startClient>;

/** One JSON.parse and one JSON.stringify of a message, in this process and this moment. */
const timePlain = (json: string): number => {
  const begun = performance.now();
  const value: unknown = JSON.parse(json);
  try {
    JSON.stringify(value);
  } catch {
    // Endless nesting: the attempt is what it costs.
  }
  return performance.now() - begun;
};

/** How long /api/status stays silent because of a message, in units of what the message costs as plain JSON. */
const measureSilence = async (
  server: StdioServerConfig,
  json: string,
  send: (client: Client) => Promise<{ status: number }>,
): Promise<number> => {
  const gateway = await start({ servers: [server] });
  const client = startClient(gateway);
  // Of its own, so that the one who asks for the status waits for nothing else.
  const sender = startClient(gateway);
  return bestOf(6, 3, async () => {
    const idle = await measureRound(client, () => Promise.resolve());
    const plain = timePlain(json);
    const round = await measureRound(client, async () => {
      expect((await send(sender)).status).not.toBe(0);
    });
    expect(round.failures).toBe(0);
    return (round.worst - idle.worst) / plain;
  });
};

const call = (name: string, args: unknown) => (client: Client) =>
  client.send('/servers/big/tools/call', {
    name,
    arguments: args,
    caller: 'user',
    callId: crypto.randomUUID(),
  });

const toResult = (shape: string): string => resultShapes[shape]?.(BYTES) ?? '';

describe('sec-B1 server: /api/status is silent for at most three times a message as plain JSON', () => {
  test.each(Object.keys(resultShapes))(
    'when a tool returns %s',
    async (shape) => {
      const send = call('big', { shape, bytes: BYTES });
      expect(await measureSilence(bigServer(), toResult(shape), send)).toBeLessThanOrEqual(3);
    },
    120_000,
  );

  test.each([
    ['log', 'many keys'],
    ['error', 'many keys'],
    ['stray', 'many keys'],
    ['request', 'many keys'],
    ['envelope', 'many keys on top'],
  ])(
    'when a server sends a %s of %s',
    async (as, shape) => {
      const send = call('big', { shape, as, bytes: BYTES });
      expect(await measureSilence(bigServer(), toResult(shape), send)).toBeLessThanOrEqual(3);
    },
    120_000,
  );

  test.each(Object.keys(toolShapes))(
    'when a server lists %s',
    async (shape) => {
      const json = toolShapes[shape]?.(BYTES) ?? '';
      const send = (client: Client) => client.send('/servers/big/tools');
      expect(await measureSilence(bigServer(`${shape}=${BYTES}`), json, send)).toBeLessThanOrEqual(3);
    },
    120_000,
  );

  test('when a resource is one long blob', async () => {
    const json = `{"contents":[{"uri":"x:/","blob":"${'A'.repeat(BYTES)}"}]}`;
    const send = (client: Client) =>
      client.send('/servers/big/resources/read', { uri: `x:/${BYTES}`, caller: 'app' });
    expect(await measureSilence(bigServer(), json, send)).toBeLessThanOrEqual(3);
  }, 120_000);

  test.each(['one long text', 'many small texts', 'many keys'])(
    'when a call brings %s',
    async (shape) => {
      const json = toResult(shape);
      expect(
        await measureSilence(bigServer(), json, call('take', JSON.parse(json) as unknown)),
      ).toBeLessThanOrEqual(3);
    },
    120_000,
  );
});

describe('a big message', () => {
  test('arrives whole and is in the recording', async () => {
    const gateway = await start({ servers: [bigServer()] });
    const { events } = await openEvents(gateway);
    for (const shape of ['many keys on top', 'many content blocks', 'a text of many scripts']) {
      const { body } = await callTool(gateway, 'big', 'big', {
        arguments: { shape, bytes: 200_000 },
        session: shape,
      });
      expect(body['result']).toEqual(JSON.parse(resultShapes[shape]?.(200_000) ?? ''));
      await waitFor(() =>
        events.some(
          (event) =>
            event.type === 'recording' &&
            event.entry.session === shape &&
            event.entry.kind === 'response' &&
            !JSON.stringify(event.entry).includes('casement/held'),
        ),
      );
    }
  });

  test('nested without end is refused by name', async () => {
    const gateway = await start({ servers: [bigServer()] });
    const { body } = await callTool(gateway, 'big', 'big', {
      arguments: { shape: 'deep lists', bytes: 200_000 },
    });
    expect(body.error).toMatchObject({
      code: 'server-garbage',
      message: expect.stringContaining('too deeply'),
    });
    expect((await callTool(gateway, 'big', 'take')).status).toBe(200);
  });

  test('in the handshake is refused by name', async () => {
    const gateway = await start({ servers: [bigServer('', 'handshake')] });
    expect(gateway.servers()).toMatchObject([
      { status: 'failed', error: { code: 'result-too-large', message: expect.stringContaining('1 MB') } },
    ]);
  });
});
