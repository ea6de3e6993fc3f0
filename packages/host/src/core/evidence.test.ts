import type { AppEvidence } from '@casement/protocol';
import { evidenceScript } from '@casement/sandbox/evidence';
import { expect, test, vi } from 'vitest';
import type { SessionOptions } from './session-options.js';
import { createStage, until, type Stage } from './stage.test-support.js';
import './evidence/evidence-log.js';

const line = (text: string, more: object = {}): object => ({
  kind: 'console',
  at: Date.now(),
  level: 'log',
  values: [{ type: 'string', text }],
  ...more,
});

const tell = (stage: Stage, items: readonly unknown[], left = 0): Promise<void> =>
  stage.proxy('evidence', { items, left });

const itemsOf = (stage: Stage): readonly AppEvidence[] => stage.session.getSnapshot().evidence.items;

const waitFor = async (stage: Stage, count: number): Promise<readonly AppEvidence[]> =>
  until(() => {
    const items = itemsOf(stage);
    expect(items).toHaveLength(count);
    return items;
  });

test('what an app’s page reports is kept and recorded as the guest’s word', async () => {
  const stage = createStage();
  await stage.ready();
  const failed = {
    kind: 'load-failed',
    at: Date.now(),
    url: 'https://cdn.example/lib.js',
    element: 'SCRIPT',
    status: 404,
  };
  await tell(stage, [failed, line('hello'), { kind: 'painted', at: Date.now() }]);
  const items = await waitFor(stage, 3);
  expect(items[0]).toEqual({ ...failed, element: 'script' });
  expect(stage.session.getSnapshot().evidence.mode).toBe('errors');
  expect(stage.kinds('evidence')).toEqual(items.map((item) => ({ ...item, source: 'guest' })));
  expect(stage.kinds('notification')).not.toContainEqual(
    expect.objectContaining({ method: 'ui/notifications/sandbox-evidence' }),
  );
});

test('five hundred lines are kept, the oldest make room for new ones and for nothing else', async () => {
  const stage = createStage();
  await stage.ready();
  const at = Date.now();
  const failed = (n: number): object => ({
    kind: 'load-failed',
    at,
    url: `https://a.example/${n}`,
    element: 'img',
  });
  await tell(stage, [failed(0)]);
  for (let n = 0; n < 8; n += 1)
    await tell(
      stage,
      Array.from({ length: 100 }, (_, at) => line(`${n}-${at}`)),
    );
  const items = await waitFor(stage, 501);
  expect(items[0]).toMatchObject(failed(0));
  expect(items[1]).toMatchObject({ values: [{ text: '3-0' }] });
  expect(stage.session.getSnapshot().evidence.left).toBe(300);
  await tell(
    stage,
    Array.from({ length: 150 }, (_, at) => failed(at + 1)),
  );
  const after = await waitFor(stage, 600);
  // The first ones stay: a guest cannot push out what was reported before.
  expect(after).toContainEqual(expect.objectContaining(failed(0)));
  expect(after).not.toContainEqual(expect.objectContaining(failed(120)));
});

test('a line like the last one is counted, and what the page kept back too', async () => {
  const stage = createStage();
  await stage.ready();
  await tell(stage, [line('again', { count: 3 })], 7);
  await tell(stage, [line('again'), line('other')]);
  expect(await waitFor(stage, 2)).toMatchObject([{ count: 4 }, { values: [{ text: 'other' }] }]);
  expect(stage.session.getSnapshot().evidence.left).toBe(7);
});

test('an app cannot say when the host saw something, nor speak of the future', async () => {
  const stage = createStage();
  await stage.ready();
  const { times } = stage.session.getSnapshot();
  await tell(stage, [line('early', { at: 5 }), line('late', { at: 9e15 })]);
  const [early, late] = await waitFor(stage, 2);
  expect(early?.at).toBe(times.started);
  expect(late?.at).toBeLessThanOrEqual(Date.now());
  expect(stage.session.getSnapshot().times).toEqual(times);
});

test('what is no report is counted and changes nothing', async () => {
  const stage = createStage();
  await stage.ready();
  const odd = [
    { kind: 'lifecycle', at: 1, status: 'ready' },
    { kind: 'api', at: 1, api: 'constructor', outcome: 'used' },
    { kind: 'console', at: 1, level: '__proto__', values: [] },
    { kind: 'painted', at: 'now' },
    {},
  ];
  await tell(stage, odd);
  await until(() => expect(stage.session.getSnapshot().evidence.left).toBe(odd.length));
  expect(itemsOf(stage)).toEqual([]);
  expect(stage.kinds('evidence')).toEqual([]);
});

test('a member that is named like a secret is kept without its value', async () => {
  const stage = createStage();
  await stage.ready();
  const members = [
    ['apiKey', { type: 'string', text: 'sk-1' }],
    ['name', { type: 'string', text: 'ann' }],
  ];
  await tell(stage, [line('', { values: [{ type: 'object', text: 'Object', members }] })]);
  await waitFor(stage, 1);
  const kept = JSON.stringify([itemsOf(stage), stage.kinds('evidence')]);
  expect(kept).not.toContain('sk-1');
  expect(kept).toContain('ann');
});

test('nobody is told anything where the embedder wants nothing', async () => {
  const stage = createStage({ evidence: 'none' });
  await stage.ready();
  expect(stage.received.find(({ method }) => method?.endsWith('resource-ready'))?.params).toMatchObject({
    evidence: 'none',
  });
  await tell(stage, [line('forged')]);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(stage.session.getSnapshot().evidence).toEqual({ mode: 'none', items: [], left: 0 });
});

test('what comes after an app is closed or has made room is nobody’s, and the next document begins anew', async () => {
  const open = async (): Promise<Stage> => {
    const stage = createStage();
    await stage.ready();
    stage.createApp({ 'ui/resource-teardown': () => ({}) });
    await tell(stage, [line('before')]);
    await waitFor(stage, 1);
    return stage;
  };
  const closed = await open();
  await closed.session.close();
  await tell(closed, [line('after the end')]);
  expect(itemsOf(closed)).toMatchObject([{ values: [{ text: 'before' }] }]);

  const stage = await open();
  await stage.session.evict('Too many apps.', false);
  await tell(stage, [line('from the frame that went')]);
  expect(itemsOf(stage)).toEqual([]);
  stage.session.restore();
  await until(() => expect(stage.surface.frames).toHaveLength(2));
  await until(() => expect(stage.session.getSnapshot().status).toBe('sandbox'));
  await stage.proxy('proxy-ready');
  await stage.proxy('loader-ready');
  expect(itemsOf(stage)).toEqual([]);
  await tell(stage, [line('anew')]);
  expect(await waitFor(stage, 1)).toMatchObject([{ values: [{ text: 'anew' }] }]);
});

type Given = Pick<SessionOptions, 'evidence' | 'evidenceScript'>;

const handedOf = ({ received }: Stage) =>
  received.find(({ method }) => method?.endsWith('resource-ready'))?.params;

test('in full the loader is given the script with the app, else neither word nor script', async () => {
  const handed = async (given: Given) => {
    const stage = createStage(given);
    await stage.ready();
    return handedOf(stage);
  };
  const inFull = {
    evidence: 'full',
    evidenceScript: expect.stringContaining('first-contentful-paint'),
  };
  expect(await handed({ evidence: 'full', evidenceScript })).toMatchObject(inFull);
  const bring = async (): Promise<string> => evidenceScript;
  expect(await handed({ evidence: 'full', evidenceScript: bring })).toMatchObject(inFull);
  expect(Object.keys((await handed({ evidenceScript })) ?? {})).toEqual(['html']);
});

test('no byte of an app is handed over before the script that reports in full has come', async () => {
  let bring: (script: string) => void = () => undefined;
  const coming = new Promise<string>((resolve) => (bring = resolve));
  const stage = createStage({ evidence: 'full', evidenceScript: () => coming });
  stage.session.start();
  await until(() => expect(stage.session.getSnapshot().address).toBeDefined());
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect([stage.session.getSnapshot().status, handedOf(stage)]).toEqual(['loading', undefined]);
  bring(evidenceScript);
  await until(() => expect(stage.session.getSnapshot().status).toBe('sandbox'));
});

test('an app is not shown when the script that reports in full does not come', async () => {
  const stage = createStage({ evidence: 'full', evidenceScript: () => Promise.reject(new Error('404')) });
  stage.session.start();
  await until(() => expect(stage.session.getSnapshot().failure?.code).toBe('host-code-missing'));
  expect(handedOf(stage)).toBeUndefined();
});

test('without the script what listeners hear is collected, and the developer of the page is told', async () => {
  const stage = createStage({ evidence: 'full' });
  await stage.ready();
  expect(handedOf(stage)).not.toHaveProperty('evidence');
  await until(() =>
    expect(stage.session.getSnapshot()).toMatchObject({
      evidence: { mode: 'errors' },
      findings: [{ code: 'evidence-script-missing' }],
    }),
  );
});

test('the steps of an app are dated as the host saw them, and again in a new epoch', async () => {
  const stage = createStage();
  await stage.handOver();
  const before = Date.now();
  await stage.proxy('frame-loaded', { sinceLoaderReady: 2, app: true, at: before });
  expect(Object.keys(stage.session.getSnapshot().times).sort()).toEqual([
    'framed',
    'loaded',
    'read',
    'started',
  ]);
  await stage.ask('init', 'ui/initialize', {
    protocolVersion: '2026-01-26',
    appInfo: { name: 'a', version: '1' },
    appCapabilities: {},
  });
  await stage.send({ jsonrpc: '2.0', method: 'ui/notifications/initialized' });
  stage.session.sendToolInput({});
  stage.session.sendToolResult({ content: [] });
  const first = stage.session.getSnapshot().times;
  const order = ['started', 'read', 'framed', 'loaded', 'greeted', 'ready', 'input', 'result'] as const;
  expect(Object.keys(first).sort()).toEqual([...order].sort());
  for (const [index, name] of order.slice(1).entries())
    expect(first[name], name).toBeGreaterThanOrEqual(first[order[index] ?? 'started'] ?? NaN);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5000 });
  try {
    await stage.proxy('loader-ready');
    const { started, read, framed, ready } = stage.session.getSnapshot().times;
    expect([started, read, ready]).toEqual([first.started, first.read, undefined]);
    expect(framed).toBeGreaterThan(first.framed ?? NaN);
  } finally {
    vi.useRealTimers();
  }
});

test('the last twenty sizes an app asked for are told, whatever became of them', async () => {
  const stage = createStage();
  await stage.ready();
  const ask = (height: unknown): Promise<void> =>
    stage.send({ jsonrpc: '2.0', method: 'ui/notifications/size-changed', params: { height } });
  for (let n = 1; n <= 25; n += 1) await ask(n * 10);
  await ask(250);
  await ask(99_999);
  const { sizes } = stage.session.getSnapshot();
  expect(sizes).toHaveLength(20);
  expect(sizes[0]).toMatchObject({ height: 70 });
  expect(sizes.at(-1)).toEqual({ at: expect.any(Number), height: 99_999 });
});

test('errors and violations carry the time, and an error its stack', async () => {
  const stage = createStage();
  await stage.handOver();
  await stage.proxy('script-error', { message: 'no', stack: 'Error: no\n    at https://a.example/x.js:1:2' });
  await stage.proxy('violation', { directive: 'img-src', blockedUri: 'https://a.example/' });
  const { scriptErrors, violations } = stage.session.getSnapshot();
  expect(scriptErrors).toEqual([
    { message: 'no', stack: expect.stringContaining('x.js:1:2'), at: expect.any(Number) },
  ]);
  expect(violations).toEqual([expect.objectContaining({ at: expect.any(Number) })]);
});
