import { expect, onTestFinished, test, vi } from 'vitest';
import { api, portOf, send, start } from '../gateway.test-support.js';
import type { GatewayOptions, RunningGateway } from '../index.js';

const second = 1_000;
const hour = 60 * 60 * second;

const startWithClock = async (options: Partial<GatewayOptions> = {}) => {
  const clock = { time: 1_000_000 };
  const dead: number[] = [];
  const gateway = await start({
    ...options,
    now: () => clock.time,
    onDeadLink: () => dead.push(clock.time),
  });
  return { gateway, clock, dead };
};

const readCode = (link: string): string => new URLSearchParams(new URL(link).hash.slice(1)).get('code') ?? '';

const redeem = async (gateway: RunningGateway, code: unknown, headers: Record<string, string> = {}) => {
  const answer = await send(portOf(gateway), '/api/access', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ code }),
  });
  // The test looks into what came.
  const body = JSON.parse(answer.body) as {
    token?: string;
    key?: string;
    error?: { code: string; message: string; hint?: string };
  };
  return { status: answer.status, ...body };
};

test('sec-B12 a link holds a code, and the code is worth the token once', async () => {
  const { gateway, dead } = await startWithClock();
  const link = gateway.createLink(30 * second);
  expect(link).not.toContain(gateway.token);
  const first = await redeem(gateway, readCode(link));
  expect(first).toMatchObject({ status: 200, token: gateway.token });
  expect(first.key).not.toBe(gateway.token);
  expect(dead).toEqual([]);
  const again = await redeem(gateway, readCode(link));
  expect(again).toMatchObject({ status: 401, error: { code: 'access-used' } });
  expect(again.error?.hint).toMatch(/link/);
  expect(again.token).toBeUndefined();
  expect(dead).toHaveLength(1);
});

test('sec-B12 a code dies with its time, and its owner hears of it', async () => {
  const { gateway, clock, dead } = await startWithClock();
  const early = readCode(gateway.createLink(30 * second));
  const late = readCode(gateway.createLink(30 * second));
  clock.time += 29 * second;
  expect((await redeem(gateway, early)).status).toBe(200);
  clock.time += second;
  expect(await redeem(gateway, late)).toMatchObject({ status: 401, error: { code: 'access-expired' } });
  expect(dead).toHaveLength(1);
});

test('sec-B12 a code nobody made tells nothing and prints nothing', async () => {
  const { gateway, dead } = await startWithClock();
  for (const code of ['x', gateway.token, 'a'.repeat(43)]) {
    expect(await redeem(gateway, code)).toMatchObject({ status: 401, error: { code: 'access-unknown' } });
  }
  for (const code of ['', 7, null, 'x'.repeat(300), { length: 3 }]) {
    expect((await redeem(gateway, code)).status).toBe(400);
  }
  expect((await redeem(gateway, 'x'.repeat(5_000))).status).toBe(413);
  expect(dead).toEqual([]);
});

test('sec-B12 a tab asks again with its key, which lasts while it is used', async () => {
  const { gateway, clock } = await startWithClock();
  const { key } = await redeem(gateway, readCode(gateway.createLink(second)));
  for (let turn = 0; turn < 3; turn += 1) {
    clock.time += 11 * hour;
    expect(await redeem(gateway, key)).toMatchObject({ status: 200, token: gateway.token, key });
  }
  clock.time += 12 * hour;
  expect(await redeem(gateway, key)).toMatchObject({ status: 401, error: { code: 'access-expired' } });
});

test('sec-B12 only the page itself may hand in a code, and a refused one stays good', async () => {
  const { gateway } = await startWithClock();
  const port = portOf(gateway);
  const code = readCode(gateway.createLink(second));
  const refused: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: `http://app.casement.localhost:${port + 1}` },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { host: `evil.example:${port}` },
    { 'content-type': 'text/plain' },
  ];
  for (const headers of refused) {
    expect([headers, (await redeem(gateway, code, headers)).status]).toEqual([headers, 403]);
  }
  expect((await send(port, `/api/access?code=${code}`)).status).toBe(401);
  expect((await redeem(gateway, code)).status).toBe(200);
});

test('sec-B12 a page that moves gets a fresh code for its token only', async () => {
  const { gateway, clock } = await startWithClock();
  const refused = await send(portOf(gateway), '/api/access/codes', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  expect(refused.status).toBe(401);
  const { body } = await api(gateway, '/access/codes', {});
  expect((await redeem(gateway, body['code'])).token).toBe(gateway.token);
  const other = await api(gateway, '/access/codes', {});
  clock.time += 31 * second;
  expect((await redeem(gateway, other.body['code'])).error?.code).toBe('access-expired');
});

test('sec-B12 many codes are not kept for ever, and no tab loses its key to them', async () => {
  const { gateway } = await startWithClock();
  const { key } = await redeem(gateway, readCode(gateway.createLink(hour)));
  const first = readCode(gateway.createLink(hour));
  for (let made = 0; made < 300; made += 1) gateway.createLink(hour);
  expect((await redeem(gateway, first)).error?.code).toBe('access-unknown');
  expect((await redeem(gateway, key)).status).toBe(200);
});

test('sec-B12 many tabs do not keep the next link from working', async () => {
  const { gateway } = await startWithClock();
  const first = await redeem(gateway, readCode(gateway.createLink(second)));
  for (let tab = 0; tab < 250; tab += 1) {
    expect((await redeem(gateway, readCode(gateway.createLink(second)))).status).toBe(200);
  }
  // What makes room is the oldest tab.
  expect(await redeem(gateway, first.key)).toMatchObject({ status: 401, error: { code: 'access-unknown' } });
});

test('sec-B12 a clock that is set back does not lengthen the life of a code', async () => {
  const begun = Date.now();
  const clock = vi.spyOn(Date, 'now');
  onTestFinished(() => clock.mockRestore());
  const gateway = await start();
  const code = readCode(gateway.createLink(-second));
  clock.mockReturnValue(begun - hour);
  expect(await redeem(gateway, code)).toMatchObject({ status: 401, error: { code: 'access-expired' } });
});
