import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway, type RunningGateway, type ServerConfig } from '@casement/gateway';
import type { ServerEvent } from '@casement/protocol/ports';
import { openGatewayPort } from '@casement/protocol/ports';
import { toWireError } from '@casement/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../e2e/support/eventually.js';
import { startLazyAuth } from '../../e2e/support/lazy-auth.js';
import { openWay, type CuttableWay } from './cuttable-way.js';

const fixture = join(import.meta.dirname, '../../packages/gateway/test-fixtures/fixture-server.mjs');
const stdio: ServerConfig = {
  name: 'fixture',
  kind: 'stdio',
  command: process.execPath,
  args: [fixture],
  inheritEnv: false,
};
const uri = 'ui://fixture/app';
const user = { caller: 'user' } as const;

const start = async (
  server: ServerConfig = stdio,
): Promise<{ gateway: RunningGateway; way: CuttableWay }> => {
  const folder = mkdtempSync(join(tmpdir(), 'casement-ports-'));
  const gateway = await startGateway({
    port: 0,
    pageDir: folder,
    stateDir: folder,
    servers: [server],
    // Nobody is there to sign in.
    signIn: { waitMs: 1 },
  });
  const way = await openWay(Number(new URL(gateway.url).port));
  onTestFinished(async () => {
    way.close();
    await gateway.close();
    rmSync(folder, { recursive: true, force: true });
  });
  await gateway.settled();
  return { gateway, way };
};

const open = async (server: ServerConfig = stdio) => {
  const { gateway, way } = await start(server);
  const port = await openGatewayPort({ url: way.url, token: gateway.token, server: server.name });
  const events: ServerEvent[] = [];
  const stop = port.subscribe((event) => events.push(event));
  return { gateway, way, port, events, stop };
};

test('name and identity are the gateway’s; strangers are refused by name', async () => {
  const { gateway, way } = await start();
  const place = { url: way.url, token: gateway.token, server: 'fixture' };
  const port = await openGatewayPort(place);
  expect(port.identity).toBe(gateway.servers()[0]?.identity);
  await expect(openGatewayPort({ ...place, server: 'other' })).rejects.toMatchObject({
    code: 'server-unknown',
  });
  await expect(openGatewayPort({ ...place, token: 'x' })).rejects.toMatchObject({
    code: 'unauthorized',
  });
  await expect(openGatewayPort({ ...place, url: 'http://127.0.0.1:9' })).rejects.toMatchObject({
    code: 'server-unreachable',
  });
});

test('a document that the page still has does not travel again; the server is asked, and a change comes at once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'casement-saved-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(fixture, '../saved-server.mjs'), join(folder, 'server.mjs'));
  const save = (text: string): void => writeFileSync(join(folder, 'app.html'), text);
  save('<p>one');
  const { port } = await open({ ...stdio, args: [join(folder, 'server.mjs')] });
  const read = () => port.readResource({ uri: 'ui://saved/app' }, user);
  const first = await read();
  expect(first.contents).toMatchObject([{ text: '<p>one' }]);
  expect(await read()).toBe(first);
  save('<p>two');
  const second = await read();
  expect(second.contents).toMatchObject([{ text: '<p>two' }]);
  expect(await read()).toBe(second);
  save('<p>one');
  expect((await read()).contents).toEqual(first.contents);
});

test('all ports to one gateway share one stream, which closes when nobody listens', async () => {
  const { gateway, way, stop } = await open();
  const second = await openGatewayPort({ url: way.url, token: gateway.token, server: 'fixture' });
  const stopSecond = second.subscribe(() => undefined);
  await eventually(() => way.streams()).toBe(1);
  stop();
  expect(way.streams()).toBe(1);
  stopSecond();
  await eventually(() => way.streams()).toBe(0);
  const stopThird = second.subscribe(() => undefined);
  await eventually(() => way.streams()).toBe(1);
  stopThird();
});

test('subscriptions outlive a broken stream, and nothing is lost by one break', async () => {
  const { way, port, events, stop } = await open();
  const touch = () => port.callTool({ name: 'touch', arguments: { uri } }, user);
  const updates = () => events.filter(({ type }) => type === 'resource-updated').length;
  await port.subscribeResource?.({ uri });
  await touch();
  await eventually(updates).toBe(1);
  way.cut();
  await eventually(
    () => way.asked.filter((path) => path === '/api/servers/fixture/resources/subscribe').length,
  ).toBe(2);
  await eventually(async () => {
    await touch();
    return updates();
  }).toBeGreaterThan(1);
  expect(events.filter(({ type }) => type === 'lost')).toEqual([]);
  await port.unsubscribeResource?.({ uri });
  const { content } = await touch();
  expect(content).toEqual([{ type: 'text', text: '[]' }]);
  stop();
  await eventually(() => way.streams()).toBe(0);
});

test('a gateway that cannot be reached any more is a lost server', async () => {
  const { way, port, events, stop } = await open();
  await eventually(() => way.streams()).toBe(1);
  way.cut({ refuse: true });
  await eventually(() => events).toContainEqual({
    type: 'lost',
    reason: 'The gateway cannot be reached.',
  });
  await expect(port.listTools()).rejects.toMatchObject({ code: 'server-unreachable' });
  way.mend();
  await eventually(() => way.streams()).toBe(1);
  stop();
});

test('a server that exits is lost at once', async () => {
  const { port, events, way, stop } = await open();
  await eventually(() => way.streams()).toBe(1);
  await expect(port.callTool({ name: 'crash' }, user)).rejects.toMatchObject({ code: 'server-exited' });
  await eventually(() => events).toContainEqual({
    type: 'lost',
    reason: expect.stringContaining('exited (code 3)'),
  });
  stop();
});

test('cancelling tells the server why', async () => {
  const { port, stop } = await open();
  const controller = new AbortController();
  const hanging = port.callTool({ name: 'hang' }, { ...user, signal: controller.signal });
  const seen = async (): Promise<string> => JSON.stringify(await port.callTool({ name: 'seen' }, user));
  await eventually(seen).toContain('hang');
  controller.abort('changed my mind');
  await expect(hanging).rejects.toMatchObject({ code: 'cancelled' });
  await eventually(seen).toContain('changed my mind');
  stop();
});

test('the published lazy-auth server: public tools work, protected ones say to sign in, an address keeps its number', async () => {
  const server = await startLazyAuth();
  onTestFinished(() => server.stop());
  const { port, stop } = await open({ name: 'lazy', kind: 'http', url: server.url });
  expect(await port.callTool({ name: 'show_auth_button' }, user)).toMatchObject({
    content: [{ type: 'text' }],
  });
  const fail = (name: string) => port.callTool({ name }, user).catch((error: unknown) => error);
  const signIn = await fail('get_secret');
  expect(signIn).toMatchObject({ code: 'server-sign-in', hint: 'Nobody signed in meanwhile.' });
  expect(toWireError(signIn)).toMatchObject({
    code: -32000,
    message: 'The server "lazy" asks you to sign in (HTTP 401).',
    data: { code: 'server-sign-in', httpStatus: 401 },
  });
  expect(toWireError(await fail('elicit_by_error'))).toMatchObject({
    code: -32042,
    data: { elicitations: [{ mode: 'url', url: expect.stringContaining('/elicitation-callback') }] },
  });
  stop();
});
