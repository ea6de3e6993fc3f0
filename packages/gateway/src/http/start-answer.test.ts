import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  api,
  callTool,
  createFolder,
  openEvents,
  portOf,
  send,
  start,
  stdio,
} from '../gateway.test-support.js';
import type { GatewayEvent, RunningGateway } from '../index.js';
import type { StartAnswer } from './start-answer.js';

const begin = async (gateway: RunningGateway): Promise<StartAnswer> => {
  const code = new URLSearchParams(new URL(gateway.createLink(30_000)).hash.slice(1)).get('code');
  const { body } = await send(portOf(gateway), '/api/access', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, start: true }),
  });
  // The test looks into what came.
  return (JSON.parse(body) as { start: StartAnswer }).start;
};

const countLists = (log: string): number => readFileSync(log, 'utf8').split('list\n').length - 1;

test('one answer brings what status, servers and tools say', async () => {
  const gateway = await start({ servers: [stdio('a'), stdio('b', ['--exit-at-start=1'])] });
  const answer = await begin(gateway);
  const { body: status } = await api(gateway, '/status');
  const { body: servers } = await api(gateway, '/servers');
  const { body: tools } = await api(gateway, '/servers/a/tools');
  expect(answer).toMatchObject({ ...status, servers: servers['servers'] });
  expect(answer.tools).toEqual([{ server: 'a', tools: tools['tools'] }]);
});

test('who does not ask for it gets none, and no server is asked for its tools', async () => {
  const log = join(createFolder(), 'log');
  const gateway = await start({ servers: [stdio('a', [`--log=${log}`])] });
  const { body } = await api(gateway, '/access/codes', {});
  const answer = await api(gateway, '/access', { code: body['code'] });
  expect(answer.body).toEqual({ token: gateway.token, key: expect.any(String) });
  expect(countLists(log)).toBe(0);
});

test('a dead code begins nothing', async () => {
  const log = join(createFolder(), 'log');
  const gateway = await start({ servers: [stdio('a', [`--log=${log}`])] });
  const answer = await api(gateway, '/access', { code: 'x'.repeat(43), start: true });
  expect(answer).toMatchObject({ status: 401, body: { error: { code: 'access-unknown' } } });
  expect(answer.body).not.toHaveProperty('start');
  expect(countLists(log)).toBe(0);
});

test('a server that takes its time holds nobody up, and is not asked twice', async () => {
  const folder = createFolder();
  const [log, gate] = [join(folder, 'log'), join(folder, 'gate')];
  const slow = stdio('slow', [`--log=${log}`, `--list-when=${gate}`]);
  const gateway = await start({ servers: [slow, stdio('quick')] });
  const answer = await begin(gateway);
  expect(answer.servers.map(({ name, status }) => [name, status])).toEqual([
    ['slow', 'ready'],
    ['quick', 'ready'],
  ]);
  expect(answer.tools.map(({ server }) => server)).toEqual(['quick']);
  const listed = api(gateway, '/servers/slow/tools');
  writeFileSync(gate, '');
  expect((await listed).body['tools']).toContainEqual(expect.objectContaining({ name: 'echo' }));
  expect(countLists(log)).toBe(1);
  // A later question is a new one.
  await api(gateway, '/servers/slow/tools');
  expect(countLists(log)).toBe(2);
});

test('a stream that is opened where the start ended tells everything from there, once', async () => {
  const gateway = await start({ servers: [stdio('a')] });
  await callTool(gateway, 'a', 'echo', { session: 'before' });
  const { recorded } = await begin(gateway);
  await callTool(gateway, 'a', 'flip', { session: 'between' });
  const { events, until } = await openEvents(gateway, undefined, recorded);
  await callTool(gateway, 'a', 'echo', { session: 'after' });
  const isAnswered = (event: GatewayEvent): boolean =>
    event.type === 'recording' && event.entry.session === 'after' && event.entry.kind === 'response';
  await until(isAnswered);
  // A fault from before is told as well, as to every stream.
  const entries = events.flatMap((event) =>
    event.type === 'recording' && event.entry.seq >= recorded ? [event.entry] : [],
  );
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => recorded + index));
  const sessions = new Set(entries.map(({ session }) => session));
  expect(sessions).toEqual(new Set(['server:a', 'between', 'after']));
  // What the start said of the tools is old by then.
  expect(events).toContainEqual({ type: 'list-changed', server: 'a', list: 'tools' });
  expect(entries[0]).toMatchObject({ kind: 'request', raw: { method: 'tools/list' } });
});

test('"since" is a number', async () => {
  const gateway = await start();
  for (const since of ['', '-1', '1e9', '9'.repeat(20), '0x1'])
    expect(await api(gateway, `/events?since=${since}`)).toMatchObject({
      status: 400,
      body: { error: { code: 'bad-request' } },
    });
});
