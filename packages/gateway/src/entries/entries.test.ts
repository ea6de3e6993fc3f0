import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  api,
  createFolder,
  isAlive,
  openEvents,
  readText,
  callTool,
  start,
  stdio,
  waitFor,
  type ApiAnswer,
} from '../gateway.test-support.js';
import type { EntryDraft, EntryView, RunningGateway, ServerSummary } from '../index.js';

const fixture = stdio('x').args[0] ?? '';

/** A server that writes down that it started. */
const command = (name: string, more: Partial<Extract<EntryDraft, { kind: 'stdio' }>> = {}): EntryDraft => ({
  name,
  kind: 'stdio',
  command: process.execPath,
  args: [fixture],
  ...more,
});

const folders = () => {
  const folder = createFolder();
  return { configDir: join(folder, 'config'), stateDir: join(folder, 'state') };
};

const add = async (gateway: RunningGateway, ...entries: EntryDraft[]): Promise<EntryView[]> => {
  const { status, body } = await api(gateway, '/entries', { entries });
  expect(body.error).toBeUndefined();
  expect(status).toBe(200);
  return body['entries'] as EntryView[];
};

const list = async (gateway: RunningGateway): Promise<EntryView[]> =>
  (await api(gateway, '/entries')).body['entries'] as EntryView[];

const confirm = (
  gateway: RunningGateway,
  { name, hash }: EntryView,
  inputs?: Record<string, string>,
): Promise<ApiAnswer> =>
  api(gateway, `/entries/${encodeURIComponent(name)}/confirm`, { hash, ...(inputs && { inputs }) });

const statusOf = (gateway: RunningGateway, name: string): ServerSummary['status'] | undefined =>
  gateway.servers().find((server) => server.name === name)?.status;

const ready = (gateway: RunningGateway, name: string): Promise<true> =>
  waitFor(() => statusOf(gateway, name) === 'ready');

const readPids = (log: string): number[] =>
  existsSync(log)
    ? [...readFileSync(log, 'utf8').matchAll(/start (\d+)/g)].map(([, pid]) => Number(pid))
    : [];

describe('a server that the page adds', () => {
  test('C18 is kept, shown whole and started only after a yes to exactly what was shown', async () => {
    const places = folders();
    const log = join(createFolder(), 'log');
    const gateway = await start(places);
    const [entry] = await add(gateway, command('mine', { args: [fixture, `--log=${log}`], cwd: '/' }));
    expect(entry).toMatchObject({
      name: 'mine',
      source: 'kept',
      enabled: true,
      confirmed: false,
      command: process.execPath,
      args: [fixture, `--log=${log}`],
      cwd: '/',
      env: [],
      inputs: [],
    });
    expect(gateway.servers()).toMatchObject([{ name: 'mine', source: 'kept', status: 'unconfirmed' }]);
    for (const path of ['/servers/mine/restart', '/servers/mine/resources/read'])
      expect((await api(gateway, path, { uri: 'a:b', caller: 'user' })).body.error?.code).toBe('server-held');
    expect((await confirm(gateway, { ...(entry as EntryView), hash: 'another' })).body.error?.code).toBe(
      'entry-changed',
    );
    expect(existsSync(log)).toBe(false);
    const answer = await confirm(gateway, entry as EntryView);
    expect(answer.body).toMatchObject({ entry: { confirmed: true }, server: { name: 'mine' } });
    await ready(gateway, 'mine');
    expect(readPids(log)).toHaveLength(1);
  });

  test('starts by itself at the next launch, and is asked about again when its saved entry was changed', async () => {
    const places = folders();
    const first = await start(places);
    const [entry] = await add(first, command('mine'));
    await confirm(first, entry as EntryView);
    await first.close();
    const second = await start(places);
    expect(statusOf(second, 'mine')).toBe('ready');
    await second.close();
    // Somebody edits the file: another argument.
    const log = join(createFolder(), 'log');
    const file = join(places.configDir, 'servers.json');
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(
        JSON.stringify(fixture),
        `${JSON.stringify(fixture)}, "--log=${log}"`,
      ),
    );
    const third = await start(places);
    expect(statusOf(third, 'mine')).toBe('unconfirmed');
    expect((await list(third))[0]).toMatchObject({ confirmed: false, args: [fixture, `--log=${log}`] });
    expect(existsSync(log)).toBe(false);
  });

  test('that is changed is ended and asked about again; what was agreed to before needs no other yes', async () => {
    const gateway = await start(folders());
    const log = join(createFolder(), 'log');
    const draft = command('mine', { args: [fixture, `--log=${log}`] });
    const [entry] = await add(gateway, draft);
    await confirm(gateway, entry as EntryView);
    await ready(gateway, 'mine');
    const [pid = 0] = readPids(log);
    const { body } = await api(gateway, '/entries/mine/change', {
      entry: { ...draft, env: [{ name: 'A', text: '1' }] },
    });
    expect(body['entry']).toMatchObject({ confirmed: false, env: [{ name: 'A', text: '1', reads: [] }] });
    expect(statusOf(gateway, 'mine')).toBe('unconfirmed');
    await waitFor(() => !isAlive(pid));
    await api(gateway, '/entries/mine/change', { entry: draft });
    // The yes was given to exactly this.
    expect(statusOf(gateway, 'mine')).not.toBe('unconfirmed');
    await ready(gateway, 'mine');
    expect(readPids(log)).toHaveLength(2);
  });

  test.each([
    ['arguments', { args: [fixture, '--other'] }],
    ['folder', { cwd: '/tmp' }],
    ['command', { command: 'node' }],
    ['a variable', { env: [{ name: 'API_TOKEN', text: 'secret-2' }] }],
    ['the name of a variable', { env: [{ name: 'B', text: '' }] }],
  ])('a yes does not hold for another: %s', async (_what, change) => {
    const gateway = await start(folders());
    const draft = command('mine', { env: [{ name: 'API_TOKEN', text: 'secret-1' }] });
    const [entry] = await add(gateway, draft);
    const { body } = await api(gateway, '/entries/mine/change', { entry: { ...draft, ...change } });
    expect((body['entry'] as EntryView).hash).not.toBe(entry?.hash);
    expect((await confirm(gateway, entry as EntryView)).body.error?.code).toBe('entry-changed');
  });

  test.each([
    ['address', { url: 'http://127.0.0.1:9/other' }],
    ['transport', { transport: 'sse' }],
    ['a header', { headers: [{ name: 'Authorization', text: 'Bearer two' }] }],
  ])('a yes to an address does not hold for another: %s', async (_what, change) => {
    const gateway = await start(folders());
    const draft = {
      name: 'web',
      kind: 'http',
      url: 'http://127.0.0.1:9/mcp',
      headers: [{ name: 'Authorization', text: 'Bearer one' }],
    } as const;
    const [entry] = await add(gateway, { ...draft, headers: [...draft.headers] });
    await api(gateway, '/entries/web/change', { entry: { ...draft, ...change } });
    expect((await confirm(gateway, entry as EntryView)).body.error?.code).toBe('entry-changed');
  });

  test('can be switched off and on, and goes with its process and everything stored of it', async () => {
    const places = folders();
    const gateway = await start(places);
    const log = join(createFolder(), 'log');
    const [entry] = await add(
      gateway,
      command('mine', { args: [fixture, `--log=${log}`], env: [{ name: 'MY_PASSWORD', text: 'hunter2' }] }),
    );
    await confirm(gateway, entry as EntryView);
    await ready(gateway, 'mine');
    const [pid = 0] = readPids(log);
    await api(gateway, '/entries/mine/enable', { enabled: false });
    expect(statusOf(gateway, 'mine')).toBe('disabled');
    await waitFor(() => !isAlive(pid));
    expect((await api(gateway, '/servers/mine/restart', {})).status).toBe(409);
    await api(gateway, '/entries/mine/enable', { enabled: true });
    await ready(gateway, 'mine');
    const [, second = 0] = readPids(log);
    const events = await openEvents(gateway);
    expect((await api(gateway, '/entries/mine/remove', {})).status).toBe(200);
    expect(isAlive(second)).toBe(false);
    await events.until((event) => event.type === 'server-removed' && event.server === 'mine');
    expect(gateway.servers()).toEqual([]);
    const files = readdirSync(places.configDir).map((name) =>
      readFileSync(join(places.configDir, name), 'utf8'),
    );
    expect(files.join()).not.toMatch(/mine|hunter2/);
  });

  test('gets a name of its own, and keeps its place when it is renamed', async () => {
    const places = folders();
    const gateway = await start({ ...places, servers: [stdio('one')] });
    const added = await add(gateway, command('one'), command('two'), command('one'));
    expect(added.map(({ name }) => name)).toEqual(['one-2', 'two', 'one-3']);
    const events = await openEvents(gateway);
    await events.until((event) => event.type === 'servers-ordered');
    expect(events.events.at(-1)).toEqual({
      type: 'servers-ordered',
      servers: ['one', 'one-2', 'two', 'one-3'],
    });
    const { body } = await api(gateway, '/entries/order', { names: ['one-3', 'one', 'two'] });
    expect(body['names']).toEqual(['one-3', 'one', 'two', 'one-2']);
    await events.until((event) => event.type === 'servers-ordered' && event.servers[0] === 'one-3');
    await api(gateway, '/entries/two/change', { entry: command('zwei') });
    expect(gateway.servers().map(({ name }) => name)).toEqual(['one-3', 'one', 'zwei', 'one-2']);
    await gateway.close();
    const next = await start({ ...places, servers: [stdio('one')] });
    expect(next.servers().map(({ name }) => name)).toEqual(['one', 'one-3', 'zwei', 'one-2']);
  });

  test('keeps the identity of its apps where another launch gives it another name', async () => {
    const places = folders();
    const first = await start(places);
    await add(first, command('same'));
    const [before] = first.servers();
    await first.close();
    const second = await start({ ...places, servers: [stdio('same')] });
    expect(second.servers().map(({ name }) => name)).toEqual(['same', 'same-2']);
    expect(second.servers()[1]?.identity).toBe(before?.identity);
  });
});

describe('secrets', () => {
  test('C21 never reach the page, the recording or another server, and lie in a file of their own', async () => {
    const places = folders();
    const gateway = await start(places);
    const events = await openEvents(gateway);
    const secrets = ['plain-secret-1', 'plain-secret-2', 'plain-secret-3'];
    const [mine, web, other] = await add(
      gateway,
      command('mine', {
        args: [fixture],
        env: [
          { name: 'API_KEY', text: 'plain-secret-1' },
          { name: 'LEVEL', text: 'debug' },
          { name: 'GIVEN', text: '${input:pin}' },
        ],
        inputs: [{ id: 'pin', description: 'The PIN', password: true }],
      }),
      {
        name: 'web',
        kind: 'http',
        url: 'http://127.0.0.1:9/mcp',
        headers: [
          { name: 'Authorization', text: 'Bearer plain-secret-2' },
          { name: 'X-Key', text: 'Bearer ${env:SOME_KEY}' },
          { name: 'X-Team', text: 'red' },
        ],
      },
      command('other'),
    );
    expect(mine).toMatchObject({
      env: [
        { name: 'API_KEY', secret: true, reads: [] },
        { name: 'LEVEL', text: 'debug' },
        { name: 'GIVEN', text: '${input:pin}', reads: [{ from: 'input', name: 'pin' }] },
      ],
      inputs: [{ id: 'pin', description: 'The PIN', password: true }],
    });
    expect(web).toMatchObject({
      headers: [
        { name: 'Authorization', secret: true },
        { name: 'X-Key', text: 'Bearer ${env:SOME_KEY}', reads: [{ from: 'env', name: 'SOME_KEY' }] },
        { name: 'X-Team', text: 'red' },
      ],
    });
    expect((await confirm(gateway, mine as EntryView)).body.error?.code).toBe('entry-invalid');
    const agreed = await confirm(gateway, mine as EntryView, { pin: 'plain-secret-3', stranger: 'x' });
    expect(agreed.status).toBe(200);
    await confirm(gateway, other as EntryView);
    await Promise.all([ready(gateway, 'mine'), ready(gateway, 'other')]);
    expect(readText(await callTool(gateway, 'mine', 'environment'))).toMatchObject({
      API_KEY: 'plain-secret-1',
      LEVEL: 'debug',
      GIVEN: 'plain-secret-3',
    });
    const theirs = JSON.stringify(readText(await callTool(gateway, 'other', 'environment')));
    const seen = JSON.stringify([
      await api(gateway, '/entries'),
      await api(gateway, '/servers'),
      await api(gateway, '/stored'),
      agreed,
    ]);
    // What a tool answers is the server's own word, and not what is looked at here.
    const told = JSON.stringify(
      events.events.filter((event) => event.type !== 'recording' || event.entry.kind !== 'response'),
    );
    const open = readFileSync(join(places.configDir, 'servers.json'), 'utf8');
    for (const secret of secrets) {
      for (const text of [theirs, seen, told, open]) expect(text).not.toContain(secret);
      expect(readFileSync(join(places.configDir, 'secrets.json'), 'utf8')).toContain(secret);
    }
    for (const name of readdirSync(places.configDir))
      expect([name, statSync(join(places.configDir, name)).mode & 0o777]).toEqual([name, 0o600]);
    expect(statSync(places.configDir).mode & 0o777).toBe(0o700);
  });

  test('a secret that the page leaves out of a change stays; one that was forgotten is asked for again', async () => {
    const places = folders();
    const gateway = await start(places);
    const value = { name: 'API_KEY', text: 'plain-secret-1' };
    const [entry] = await add(gateway, command('mine', { env: [value] }));
    const { body } = await api(gateway, '/entries/mine/change', {
      entry: command('mine', { env: [{ name: 'API_KEY', secret: true }] }),
    });
    expect((body['entry'] as EntryView).hash).toBe(entry?.hash);
    const wrong = await api(gateway, '/entries/mine/change', {
      entry: command('mine', { env: [{ name: 'OTHER_KEY', secret: true }] }),
    });
    expect(wrong.body.error?.code).toBe('entry-invalid');
    await confirm(gateway, entry as EntryView);
    await ready(gateway, 'mine');
    await api(gateway, '/stored/forget', { what: ['secrets'] });
    expect(statusOf(gateway, 'mine')).toBe('unconfirmed');
    const [left] = await list(gateway);
    expect(left).toMatchObject({ confirmed: false, inputs: [{ id: 'API_KEY', password: true }] });
    await confirm(gateway, left as EntryView, { API_KEY: 'plain-secret-2' });
    await ready(gateway, 'mine');
    expect(readText(await callTool(gateway, 'mine', 'environment'))).toMatchObject({
      API_KEY: 'plain-secret-2',
    });
  });

  test('variables are read after the yes, at the start, into the places where they were shown', async () => {
    const environment: NodeJS.ProcessEnv = { ...process.env };
    const gateway = await start({ ...folders(), environment });
    const draft = command('mine', {
      args: [fixture, '--name=${WHO:-nobody}'],
      env: [{ name: 'TOKEN', text: 'x-${env:MY_TOKEN}' }],
    });
    const [entry] = await add(gateway, draft);
    expect(entry).toMatchObject({
      reads: [{ from: 'env', name: 'WHO' }],
      env: [{ name: 'TOKEN', secret: true, reads: [{ from: 'env', name: 'MY_TOKEN' }] }],
    });
    await confirm(gateway, entry as EntryView);
    await waitFor(() => statusOf(gateway, 'mine') === 'failed');
    expect(gateway.servers()[0]?.error).toMatchObject({
      code: 'entry-invalid',
      message: 'The server "mine" reads the variable MY_TOKEN, which is not set.',
    });
    environment['MY_TOKEN'] = '${env:HOME}';
    environment['UNSEEN'] = 'never';
    await api(gateway, '/servers/mine/restart', {});
    await ready(gateway, 'mine');
    const got = readText(await callTool(gateway, 'mine', 'environment'));
    expect(got).toMatchObject({ TOKEN: 'x-${env:HOME}' });
    expect(got).not.toHaveProperty('UNSEEN');
    expect(gateway.servers()[0]?.serverInfo?.name).toBe('nobody');
  });

  test('a variable cannot bring in a header or a line of its own', async () => {
    const environment = { EVIL: 'a\r\nHost: evil' };
    const gateway = await start({ ...folders(), environment });
    const [web, run] = await add(
      gateway,
      { name: 'web', kind: 'http', url: 'http://127.0.0.1:9/', headers: [{ name: 'X-A', text: '${EVIL}' }] },
      command('run', { args: [fixture, '${EVIL}'] }),
    );
    await confirm(gateway, web as EntryView);
    await confirm(gateway, run as EntryView);
    await waitFor(() => gateway.servers().every(({ status }) => status === 'failed'));
    expect(gateway.servers().map(({ error }) => error?.code)).toEqual(['config-invalid', 'config-invalid']);
  });
});

test('names of variables that change what runs are marked', async () => {
  const gateway = await start(folders());
  const names = ['NODE_OPTIONS', 'LD_PRELOAD', 'DYLD_INSERT_LIBRARIES', 'PATH', 'PYTHONPATH', 'MINE'];
  const [entry] = await add(gateway, command('mine', { env: names.map((name) => ({ name, text: 'x' })) }));
  const marked = (entry as EntryView & { kind: 'stdio' }).env.filter((value) => value.marked !== undefined);
  expect(marked.map(({ name }) => name)).toEqual(names.slice(0, -1));
});

test('what looks like a secret is hidden by name or form, but never what decides which code runs', async () => {
  const gateway = await start(folders());
  const key = `sk-${'a1b2c3d4'.repeat(6)}`;
  const env = [
    { name: 'STRIPE_KEY', text: 'x' },
    { name: 'DATABASE', text: 'postgres://me:pw@db/1' },
    { name: 'SOME', text: key },
    { name: 'NODE_OPTIONS', text: `--require ./evil.js --x=${key}` },
  ];
  const [entry] = await add(gateway, command('mine', { env }));
  expect((entry as EntryView & { kind: 'stdio' }).env).toMatchObject([
    { secret: true },
    { secret: true },
    { secret: true },
    { text: `--require ./evil.js --x=${key}` },
  ]);
});

describe('bad input', () => {
  test.each<[string, EntryDraft]>([
    ['an empty command', command('a', { command: ' ' })],
    ['a line break in an argument', command('a', { args: ['x\ny'] })],
    ['a name with a control character', command('a\u0007')],
    ['a name that turns the line round', command('a\u202egnp')],
    ['a variable that cannot be set', command('a', { env: [{ name: 'A=B', text: '' }] })],
    ['an address with a password', { name: 'a', kind: 'http', url: 'http://me:pw@127.0.0.1/' }],
    ['another kind of address', { name: 'a', kind: 'http', url: 'file:///etc/passwd' }],
    ['a variable in the host', { name: 'a', kind: 'http', url: 'https://${env:HOST}/mcp' }],
    ['a variable before the host', { name: 'a', kind: 'http', url: '${env:ALL}' }],
    [
      'a header of two lines',
      { name: 'a', kind: 'http', url: 'http://127.0.0.1/', headers: [{ name: 'X-A', text: 'a\r\nHost: b' }] },
    ],
    [
      'a header of the transport',
      { name: 'a', kind: 'http', url: 'http://127.0.0.1/', headers: [{ name: 'Host', text: 'b' }] },
    ],
  ])('C17 C19 %s is refused by name and kept nowhere', async (_what, entry) => {
    const places = folders();
    const gateway = await start(places);
    const { status, body } = await api(gateway, '/entries', { entries: [command('good'), entry] });
    expect([status, body.error?.code]).toEqual([400, 'entry-invalid']);
    expect(await list(gateway)).toEqual([]);
    expect(existsSync(join(places.configDir, 'servers.json'))).toBe(false);
  });

  test('names that objects have by themselves are names like any other', async () => {
    const places = folders();
    const gateway = await start(places);
    const names = ['__proto__', 'constructor', 'toString'];
    const added = await add(
      gateway,
      ...names.map((name) => command(name, { env: [{ name: '__proto__', text: name }] })),
    );
    expect(added.map(({ name }) => name)).toEqual(names);
    expect((await confirm(gateway, added[0] as EntryView)).status).toBe(200);
    await ready(gateway, '__proto__');
    await gateway.close();
    const next = await start(places);
    expect((await list(next)).map(({ name, confirmed }) => [name, confirmed])).toEqual([
      ['__proto__', true],
      ['constructor', false],
      ['toString', false],
    ]);
    expect((await api(next, '/entries/valueOf/remove', {})).body.error?.code).toBe('entry-unknown');
  });

  test('ten thousand entries are refused by name, a thousand are kept and shown', async () => {
    const gateway = await start(folders());
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`s${index}`, { command: 'x' }]));
    const parsed = await api(gateway, '/entries/parse', {
      text: JSON.stringify({ mcpServers: many(10_000) }),
    });
    expect(parsed.body).toEqual({
      entries: [],
      problems: [{ message: expect.stringContaining('10000') as string }],
    });
    const { body } = await api(gateway, '/entries/parse', {
      text: JSON.stringify({ mcpServers: many(1000) }),
    });
    const entries = body['entries'] as EntryDraft[];
    expect(await add(gateway, ...entries)).toHaveLength(1000);
    expect((await api(gateway, '/entries', { entries: [command('more')] })).body.error?.code).toBe(
      'entry-invalid',
    );
    expect(gateway.servers()).toHaveLength(1000);
  });

  test('C24 a restart that is asked for while the process before is still ending starts no second one', async () => {
    const gateway = await start(folders());
    const log = join(createFolder(), 'log');
    const [entry] = await add(gateway, command('mine', { args: [fixture, `--log=${log}`, '--ignore-term'] }));
    await confirm(gateway, entry as EntryView);
    await ready(gateway, 'mine');
    await api(gateway, '/entries/mine/enable', { enabled: false });
    await api(gateway, '/entries/mine/enable', { enabled: true });
    expect(statusOf(gateway, 'mine')).toBe('connecting');
    const restarted = api(gateway, '/servers/mine/restart', {});
    await waitFor(() => readPids(log).length > 1);
    expect(isAlive(readPids(log)[0] ?? 0)).toBe(false);
    await restarted;
    await ready(gateway, 'mine');
    await waitFor(() => readPids(log).filter(isAlive).length === 1);
    await gateway.close();
    expect(readPids(log).filter(isAlive)).toEqual([]);
  });

  test('C24 whatever is asked at once, one process of an entry is left, and none of one that is gone', async () => {
    const gateway = await start(folders());
    const log = join(createFolder(), 'log');
    const draft = command('mine', { args: [fixture, `--log=${log}`] });
    const [entry] = await add(gateway, draft);
    await confirm(gateway, entry as EntryView);
    const actions: (() => Promise<unknown>)[] = [
      () => api(gateway, '/entries/mine/enable', { enabled: false }),
      () => api(gateway, '/servers/mine/restart', {}),
      () => api(gateway, '/entries/mine/enable', { enabled: true }),
      () => confirm(gateway, entry as EntryView),
      () => api(gateway, '/entries/mine/change', { entry: { ...draft, env: [{ name: 'A', text: '1' }] } }),
      () => api(gateway, '/entries/mine/change', { entry: draft }),
    ];
    // Each order of the actions begins elsewhere; none waits for another.
    for (let shift = 0; shift < actions.length; shift += 1)
      await Promise.all([...actions.slice(shift), ...actions.slice(0, shift)].map((act) => act()));
    await api(gateway, '/entries/mine/change', { entry: draft });
    await api(gateway, '/entries/mine/enable', { enabled: true });
    const [now] = await list(gateway);
    await confirm(gateway, now as EntryView);
    await ready(gateway, 'mine');
    await waitFor(() => readPids(log).filter(isAlive).length === 1);
    await Promise.all([
      api(gateway, '/servers/mine/restart', {}),
      api(gateway, '/entries/mine/remove', {}),
      api(gateway, '/servers/mine/restart', {}),
    ]);
    await waitFor(() => readPids(log).every((pid) => !isAlive(pid)));
    expect(gateway.servers()).toEqual([]);
  });
});
