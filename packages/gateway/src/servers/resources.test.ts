import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  api,
  callTool,
  createFolder,
  openEvents,
  readText,
  start,
  stdio,
  waitFor,
  type ApiAnswer,
} from '../gateway.test-support.js';
import type { GatewayEvent, RunningGateway } from '../index.js';

const uri = 'ui://fixture/app';
const page = 'page-one-stream';

const ask = (
  gateway: RunningGateway,
  action: 'subscribe' | 'unsubscribe',
  more: Record<string, unknown> = {},
  server = 'a',
): Promise<ApiAnswer> =>
  api(gateway, `/servers/${server}/resources/${action}`, { uri, caller: 'app', stream: page, ...more });

const touch = (gateway: RunningGateway, touched = uri): Promise<ApiAnswer> =>
  callTool(gateway, 'a', 'touch', { arguments: { uri: touched } });

const isUpdate = (event: GatewayEvent): boolean => event.type === 'resource-updated';

const startLogged = async (flags: string[] = []) => {
  const log = join(createFolder(), 'log');
  const gateway = await start({ servers: [stdio('a', [`--log=${log}`, ...flags])] });
  const asked = (): string[] => readFileSync(log, 'utf8').match(/^(un)?subscribe .*$/gm) ?? [];
  return { gateway, asked };
};

describe.each([
  ['2025-11-25', []],
  ['2026-07-28', ['--modern']],
])('subscriptions to resources of a server of %s', (_era, flags) => {
  test('the page that asked hears of changes, the other does not', async () => {
    const { gateway, asked } = await startLogged(flags);
    const mine = await openEvents(gateway, page);
    const other = await openEvents(gateway, 'page-two-stream');
    expect((await ask(gateway, 'subscribe')).status).toBe(200);
    expect(asked()).toEqual([`subscribe ${uri}`]);
    await touch(gateway);
    expect(await mine.until(isUpdate)).toEqual({ type: 'resource-updated', server: 'a', uri });
    expect(other.events.filter(isUpdate)).toEqual([]);
  });

  test('two pages make one subscription, which ends with the last page', async () => {
    const { gateway, asked } = await startLogged(flags);
    const first = await openEvents(gateway, page);
    const second = await openEvents(gateway, 'page-two-stream');
    await ask(gateway, 'subscribe');
    await ask(gateway, 'subscribe', { stream: 'page-two-stream' });
    expect(asked()).toEqual([`subscribe ${uri}`]);
    await ask(gateway, 'unsubscribe');
    expect(asked()).toEqual([`subscribe ${uri}`]);
    await touch(gateway);
    await second.until(isUpdate);
    expect(first.events.filter(isUpdate)).toEqual([]);
    await ask(gateway, 'unsubscribe', { stream: 'page-two-stream' });
    await waitFor(() => asked().includes(`unsubscribe ${uri}`));
  });

  test('a page that goes away leaves nothing behind at the server', async () => {
    const { gateway, asked } = await startLogged(flags);
    const events = await openEvents(gateway, page);
    await ask(gateway, 'subscribe');
    await ask(gateway, 'subscribe');
    await ask(gateway, 'subscribe', { uri: 'ui://fixture/other' });
    events.close();
    await waitFor(() => asked().length === 4);
    expect(asked().slice(2).sort()).toEqual([
      `unsubscribe ui://fixture/app`,
      `unsubscribe ui://fixture/other`,
    ]);
    expect(readText(await touch(gateway))).toEqual([]);
  });

  test('a restarted server is asked again for what is still wanted', async () => {
    const { gateway, asked } = await startLogged(flags);
    const events = await openEvents(gateway, page);
    await ask(gateway, 'subscribe');
    await api(gateway, '/servers/a/restart', {});
    await waitFor(() => asked().length === 2);
    await touch(gateway);
    await events.until(isUpdate);
  });
});

test('what a page holds twice it gives back twice', async () => {
  const { gateway, asked } = await startLogged();
  const events = await openEvents(gateway, page);
  await ask(gateway, 'subscribe');
  await ask(gateway, 'subscribe');
  await ask(gateway, 'unsubscribe');
  await touch(gateway);
  await events.until(isUpdate);
  await ask(gateway, 'unsubscribe');
  expect(asked()).toEqual([`subscribe ${uri}`, `unsubscribe ${uri}`]);
});

test('nobody hears of what nobody asked for', async () => {
  const { gateway } = await startLogged();
  const { events, until } = await openEvents(gateway, page);
  await ask(gateway, 'subscribe', { uri: 'ui://fixture/other' });
  await touch(gateway);
  await callTool(gateway, 'a', 'progress', { callId: 'after' });
  await until((event) => event.type === 'progress');
  expect(events.filter(isUpdate)).toEqual([]);
});

test('subscriptions are recorded under the session that wanted them', async () => {
  const { gateway } = await startLogged();
  const { events, until } = await openEvents(gateway, page);
  await ask(gateway, 'subscribe', { session: 's-7' });
  await until((event) => event.type === 'recording' && event.entry.session === 's-7');
  await ask(gateway, 'unsubscribe', { session: 's-7' });
  const ofSession = () =>
    events.flatMap((event) =>
      event.type === 'recording' && event.entry.session === 's-7' ? [event.entry] : [],
    );
  await waitFor(() => ofSession().length === 4);
  expect(ofSession()).toMatchObject([
    { leg: 'server', dir: 'out', kind: 'request', raw: { method: 'resources/subscribe', params: { uri } } },
    { leg: 'server', dir: 'in', kind: 'response' },
    { leg: 'server', dir: 'out', kind: 'request', raw: { method: 'resources/unsubscribe' } },
    { leg: 'server', dir: 'in', kind: 'response' },
  ]);
});

describe('what is refused', () => {
  const codeOf = async (answer: Promise<ApiAnswer>): Promise<unknown> => {
    const { status, body } = await answer;
    return [status, body.error?.code];
  };

  test('a subscription without an open stream, or of a stranger server', async () => {
    const { gateway, asked } = await startLogged();
    expect(await codeOf(ask(gateway, 'subscribe'))).toEqual([400, 'bad-request']);
    await openEvents(gateway, page);
    expect(await codeOf(ask(gateway, 'subscribe', {}, 'b'))).toEqual([404, 'server-unknown']);
    expect(await codeOf(ask(gateway, 'subscribe', { stream: 'x y' }))).toEqual([400, 'bad-request']);
    expect(await codeOf(ask(gateway, 'subscribe', { caller: 'guest' }))).toEqual([400, 'bad-request']);
    expect(asked()).toEqual([]);
  });

  test('a second stream under the name of the first', async () => {
    const { gateway } = await startLogged();
    await openEvents(gateway, page);
    expect(await codeOf(api(gateway, `/events?stream=${page}`))).toEqual([400, 'bad-request']);
    expect(await codeOf(api(gateway, '/events?stream=a%20b'))).toEqual([400, 'bad-request']);
  });

  test('what the server refuses keeps its number and is forgotten', async () => {
    const { gateway } = await startLogged();
    await openEvents(gateway, page);
    const forbidden = 'ui://fixture/forbidden';
    const { body } = await ask(gateway, 'subscribe', { uri: forbidden });
    expect(body.error?.wire).toMatchObject({ code: -32002, message: 'Resource not found' });
    expect(readText(await touch(gateway, forbidden))).toEqual([]);
  });

  test('subscriptions of a server that offers none', async () => {
    const { gateway, asked } = await startLogged(['--no-list-changed']);
    await openEvents(gateway, page);
    expect(await codeOf(ask(gateway, 'subscribe'))).toEqual([404, 'method-not-found']);
    expect(asked()).toEqual([]);
  });

  test('more subscriptions than a page can need', async () => {
    const { gateway, asked } = await startLogged();
    await openEvents(gateway, page);
    for (let index = 0; index < 200; index += 1) await ask(gateway, 'subscribe', { uri: `ui://x/${index}` });
    expect(await codeOf(ask(gateway, 'subscribe', { uri: 'ui://x/200' }))).toEqual([429, 'rate-limited']);
    expect(asked()).toHaveLength(200);
  });
});

describe('a read of what the page has already', () => {
  test('says so by its tag; another tag, and what is no document of an app, get the whole answer', async () => {
    const gateway = await start({ servers: [stdio('a')] });
    const read = async (known?: unknown) =>
      (await api(gateway, '/servers/a/resources/read', { uri, caller: 'user', known })).body;
    const { tag, result } = (await read()) as { tag: string; result: unknown };
    expect(tag).toMatch(/^[0-9a-f]{64}$/);
    expect(await read(tag)).toEqual({ unchanged: true });
    for (const other of ['x', `${tag}0`, tag.toUpperCase()])
      expect(await read(other)).toEqual({ tag, result });
    for (const wrong of ['', 7, 'x'.repeat(201)])
      expect(await read(wrong)).toHaveProperty('error.code', 'bad-request');
  });
});
