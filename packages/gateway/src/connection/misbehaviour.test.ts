import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import {
  api,
  callTool,
  createFolder,
  holdTime,
  openEvents,
  portOf,
  readText,
  start,
  stdio,
  waitFor,
} from '../gateway.test-support.js';

test('a call that hangs ends in time as server-timeout and the server is told', async () => {
  const log = join(createFolder(), 'log');
  holdTime();
  const gateway = await start({ servers: [stdio('a', [`--log=${log}`])], requestTimeoutMs: 500 });
  let isOver = false;
  const hanging = callTool(gateway, 'a', 'hang').finally(() => (isOver = true));
  await waitFor(() => readFileSync(log, 'utf8').includes('call hang'));
  await vi.advanceTimersByTimeAsync(499);
  expect([isOver, readFileSync(log, 'utf8').includes('cancelled')]).toEqual([false, false]);
  await vi.advanceTimersByTimeAsync(1);
  const { status, body } = await hanging;
  expect(status).toBe(504);
  expect(body.error).toMatchObject({ code: 'server-timeout', message: expect.stringContaining('0.5 s') });
  await waitFor(() => readFileSync(log, 'utf8').includes('cancelled'));
  expect((await callTool(gateway, 'a', 'echo')).status).toBe(200);
});

test('cancelling a call ends it and sends notifications/cancelled with the reason', async () => {
  const log = join(createFolder(), 'log');
  const gateway = await start({ servers: [stdio('a', [`--log=${log}`])] });
  const hanging = callTool(gateway, 'a', 'hang', { callId: 'mine' });
  await waitFor(() => readFileSync(log, 'utf8').includes('call hang'));
  expect((await api(gateway, '/servers/a/calls/mine/cancel', { reason: 'changed my mind' })).status).toBe(
    200,
  );
  expect((await hanging).body.error?.code).toBe('cancelled');
  await waitFor(() => readFileSync(log, 'utf8').includes('cancelled changed my mind'));
  expect((await api(gateway, '/servers/a/calls/unknown/cancel', {})).status).toBe(200);
});

test('a page that goes away ends its calls at the server', async () => {
  const log = join(createFolder(), 'log');
  const gateway = await start({ servers: [stdio('a', [`--log=${log}`])] });
  const port = portOf(gateway);
  const dropped = request({
    host: '127.0.0.1',
    port,
    path: '/api/servers/a/tools/call',
    method: 'POST',
    headers: {
      host: `localhost:${port}`,
      authorization: `Bearer ${gateway.token}`,
      'content-type': 'application/json',
    },
  });
  dropped.on('error', () => undefined);
  dropped.end(JSON.stringify({ name: 'hang', caller: 'user', callId: 'gone' }));
  await waitFor(() => readFileSync(log, 'utf8').includes('call hang'));
  dropped.destroy();
  await waitFor(() => readFileSync(log, 'utf8').includes('cancelled'));
});

test('a call id under way cannot be used twice', async () => {
  const log = join(createFolder(), 'log');
  const gateway = await start({ servers: [stdio('a', [`--log=${log}`])] });
  const hanging = callTool(gateway, 'a', 'hang', { callId: 'same' });
  await waitFor(() => readFileSync(log, 'utf8').includes('call hang'));
  expect((await callTool(gateway, 'a', 'echo', { callId: 'same' })).status).toBe(400);
  await api(gateway, '/servers/a/calls/same/cancel', {});
  expect((await hanging).body.error?.code).toBe('cancelled');
  expect((await callTool(gateway, 'a', 'echo', { callId: 'same' })).status).toBe(200);
});

test('a server that dies in a call fails it then, not at a time limit, with its code', async () => {
  const gateway = await start({ servers: [stdio('a')] });
  const { until } = await openEvents(gateway);
  // No limit passes from here on.
  holdTime();
  const [hanging, crashing] = await Promise.all([
    callTool(gateway, 'a', 'hang'),
    callTool(gateway, 'a', 'crash'),
  ]);
  for (const { body } of [hanging, crashing]) {
    expect(body.error).toMatchObject({ code: 'server-exited', message: 'The server "a" exited (code 3).' });
  }
  await until((event) => event.type === 'server' && event.server.status === 'exited');
});

test('answers of a wrong shape are server-garbage, and the connection lives', async () => {
  const gateway = await start({ servers: [stdio('a')] });
  for (const tool of ['wrong_shape', 'wrong_envelope']) {
    const { status, body } = await callTool(gateway, 'a', tool);
    expect({ tool, status, code: body.error?.code }).toEqual({ tool, status: 502, code: 'server-garbage' });
  }
  const read = await api(gateway, '/servers/a/resources/read', { uri: 'ui://fixture/wrong', caller: 'app' });
  expect(read.body.error?.code).toBe('server-garbage');
  expect((await callTool(gateway, 'a', 'echo')).status).toBe(200);
});

test('broken lines and noise on stdout are recorded and cost only the call they belong to', async () => {
  const log = join(createFolder(), 'log');
  const gateway = await start({ servers: [stdio('a', [`--log=${log}`])], requestTimeoutMs: 60_000 });
  const { events, until } = await openEvents(gateway);
  holdTime();
  const broken = callTool(gateway, 'a', 'broken_line');
  await waitFor(() => readFileSync(log, 'utf8').includes('call broken_line'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect((await broken).body.error?.code).toBe('server-timeout');
  expect(readText(await callTool(gateway, 'a', 'noise'))).toBe('after the noise');
  await until((event) => event.type === 'recording' && JSON.stringify(event).includes('listening on port'));
  const noise = events.filter((event) => event.type === 'recording' && event.entry.kind === 'invalid');
  expect(JSON.stringify(noise)).toContain('non-protocol output');
  expect(JSON.stringify(noise)).not.toContain('\\u001b');
});

test('a 50 MB answer is refused by name, wherever its id stands, and the gateway goes on', async () => {
  const gateway = await start({ servers: [stdio('a')] });
  for (const tool of ['big', 'big_id_first']) {
    const { body } = await callTool(gateway, 'a', tool);
    expect(body.error).toMatchObject({ code: 'result-too-large', message: expect.stringContaining('16 MB') });
  }
  const huge = await api(gateway, '/servers/a/resources/read', { uri: 'ui://fixture/huge', caller: 'app' });
  expect(huge.body.error?.code).toBe('resource-too-large');
  expect((await callTool(gateway, 'a', 'echo')).status).toBe(200);
}, 20_000);

test('an error the server answers keeps its number and text', async () => {
  const gateway = await start({ servers: [stdio('a')] });
  const { body } = await callTool(gateway, 'a', 'refuse');
  expect(body.error).toMatchObject({
    code: 'tool-failed',
    wire: { code: -32602, message: 'city is required' },
  });
  const missing = await api(gateway, '/servers/a/resources/read', { uri: 'ui://nope', caller: 'app' });
  expect(missing.body.error).toMatchObject({ code: 'resource-missing', wire: { code: -32002 } });
});

test('requests from the server to the client are refused', async () => {
  const gateway = await start({ servers: [stdio('a')] });
  expect(readText(await callTool(gateway, 'a', 'ask_client'))).toMatchObject({ error: { code: -32601 } });
});

test('keys that would reach prototypes stay data', async () => {
  const gateway = await start({ servers: [stdio('a')] });
  const { status } = await callTool(gateway, 'a', 'proto');
  expect(status).toBe(200);
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});

test('stderr is kept as a short, printable tail', async () => {
  const gateway = await start({ servers: [stdio('a')] });
  await callTool(gateway, 'a', 'complain');
  const [server] = gateway.servers();
  expect(server?.stderrTail?.length).toBeLessThanOrEqual(20);
  expect(server?.stderrTail?.at(-1)).toBe('last words');
});
