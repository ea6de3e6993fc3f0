import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import {
  api,
  callTool,
  openEvents,
  readText,
  start,
  stdio,
  type ApiAnswer,
} from '../gateway.test-support.js';

const namesOf = ({ body }: ApiAnswer): string[] =>
  // The answer of /tools; a failure would show as an undefined list.
  (body as unknown as { tools: { name: string }[] }).tools.map(({ name }) => name);

describe('pagination', () => {
  test('every page is read', async () => {
    const gateway = await start({ servers: [stdio('a', ['--pages=7'])] });
    expect(namesOf(await api(gateway, '/servers/a/tools'))).toEqual(
      [0, 1, 2, 3, 4, 5, 6].map((page) => `page_${page}`),
    );
  });

  test('a cursor that repeats ends the walk', async () => {
    const gateway = await start({ servers: [stdio('a', ['--pages=repeat'])] });
    expect(namesOf(await api(gateway, '/servers/a/tools'))).toHaveLength(2);
  });

  test('endless pages end at the page limit, and a finding says so', async () => {
    const gateway = await start({ servers: [stdio('a', ['--pages=endless'])] });
    const { until } = await openEvents(gateway);
    expect(namesOf(await api(gateway, '/servers/a/tools'))).toHaveLength(100);
    await until(
      (event) => event.type === 'recording' && JSON.stringify(event.entry.raw).includes('list-page-cap'),
    );
  });

  test('one endless page is cut at the item limit', async () => {
    const gateway = await start({ servers: [stdio('a', ['--pages=huge'])] });
    expect(namesOf(await api(gateway, '/servers/a/tools'))).toHaveLength(5000);
  });

  test('sec-B1 pages that are big together end where one message would, and a finding says so', async () => {
    const gateway = await start({ servers: [stdio('a', ['--pages=wide'])], maxMessageBytes: 1_000_000 });
    const { until } = await openEvents(gateway);
    expect(namesOf(await api(gateway, '/servers/a/tools'))).toHaveLength(4);
    await until(
      (event) => event.type === 'recording' && JSON.stringify(event.entry.raw).includes('list-size-cap'),
    );
  });

  test('resources, templates and prompts are listed likewise', async () => {
    const gateway = await start({ servers: [stdio('a')] });
    expect((await api(gateway, '/servers/a/resources')).body).toMatchObject({
      resources: [{ uri: 'ui://fixture/app' }],
    });
    expect((await api(gateway, '/servers/a/resources/templates')).body).toMatchObject({
      resourceTemplates: [{ name: 'x' }],
    });
    expect((await api(gateway, '/servers/a/prompts')).body).toMatchObject({ prompts: [{ name: 'hello' }] });
  });

  test('an entry without a name is left out and does not hide the others', async () => {
    const gateway = await start({ servers: [stdio('a')] });
    const names = namesOf(await api(gateway, '/servers/a/tools'));
    expect(names).toContain('echo');
    expect(names).not.toContain(undefined);
  });
});

verifies(['S1-55', 'S1-91'], 'a resource is read from the server that is named, over the API', async () => {
  const gateway = await start({ servers: [stdio('a')] });
  const read = (server: string, uri: string) =>
    api(gateway, `/servers/${server}/resources/read`, { uri, caller: 'app' });
  const { status, body } = await read('a', 'ui://fixture/app');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    result: { contents: [{ uri: 'ui://fixture/app', text: '<!doctype html><title>Hi</title>' }] },
  });
  expect((await read('nobody', 'ui://fixture/app')).body.error?.code).toBe('server-unknown');
});

describe('visibility', () => {
  verifies(['HOST-020', 'HOST-021'], 'the list for the model leaves out what is not for it', async () => {
    const gateway = await start({ servers: [stdio('a')] });
    const names = namesOf(await api(gateway, '/servers/a/tools?audience=model'));
    for (const hidden of ['app_only', 'nobody', 'odd_app']) expect(names).not.toContain(hidden);
    for (const shown of ['seen', 'model_only']) expect(names).toContain(shown);
    const forApps = namesOf(await api(gateway, '/servers/a/tools?audience=app'));
    expect(forApps).toEqual(expect.arrayContaining(['seen', 'app_only', 'odd_app']));
    expect(forApps).not.toContain('model_only');
    // "seen" says nothing about visibility: it is for both.
    for (const caller of ['app', 'model']) {
      expect((await callTool(gateway, 'a', 'seen', { caller })).status).toBe(200);
    }
    for (const hidden of ['app_only', 'nobody', 'odd_app']) {
      const { status, body } = await callTool(gateway, 'a', hidden, { caller: 'model' });
      expect({ hidden, status, code: body.error?.code }).toEqual({
        hidden,
        status: 403,
        code: 'tool-not-visible',
      });
    }
  });

  verifies(
    'HOST-022',
    'a call from an app to a tool not for apps is refused and never reaches the server',
    async () => {
      const gateway = await start({ servers: [stdio('a')] });
      for (const hidden of ['model_only', 'nobody']) {
        const { status, body } = await callTool(gateway, 'a', hidden, { caller: 'app' });
        expect({ hidden, status, code: body.error?.code }).toEqual({
          hidden,
          status: 403,
          code: 'tool-not-visible',
        });
      }
      expect(readText(await callTool(gateway, 'a', 'app_only', { caller: 'app' }))).toBe(
        'app tool of fixture',
      );
      // After the change it announced, the same call is refused.
      await callTool(gateway, 'a', 'flip');
      const flipped = await callTool(gateway, 'a', 'app_only', { caller: 'app' });
      expect(flipped.body.error?.code).toBe('tool-not-visible');
      expect(readText(await callTool(gateway, 'a', 'seen'))).toMatchObject({
        calls: ['app_only', 'flip', 'seen'],
      });
    },
  );

  test('a server that announces no changes is asked again before a call', async () => {
    const gateway = await start({ servers: [stdio('a', ['--no-list-changed'])] });
    expect((await callTool(gateway, 'a', 'app_only', { caller: 'app' })).status).toBe(200);
    await callTool(gateway, 'a', 'flip_silently');
    // A second later, for the gateway.
    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 1000);
    onTestFinished(() => clock.mockRestore());
    expect((await callTool(gateway, 'a', 'app_only', { caller: 'app' })).body.error?.code).toBe(
      'tool-not-visible',
    );
  });

  verifies('HOST-023', 'an app reaches only the tools of its own server', async () => {
    const gateway = await start({
      servers: [stdio('a', ['--name=first', '--pages=1']), stdio('b', ['--name=second'])],
    });
    for (const name of ['app_only', 'b__app_only', 'b/app_only', '../b/app_only']) {
      const { body } = await callTool(gateway, 'a', name, { caller: 'app' });
      expect({ name, code: body.error?.code }).toEqual({ name, code: 'tool-not-found' });
    }
    expect(readText(await callTool(gateway, 'b', 'seen'))).toMatchObject({ calls: ['seen'] });
    expect(readText(await callTool(gateway, 'b', 'app_only', { caller: 'app' }))).toBe('app tool of second');
  });

  test('names are looked up, not trusted', async () => {
    const gateway = await start({ servers: [stdio('a')] });
    for (const name of ['__proto__', 'constructor', 'toString', 'unlisted', 'echo\u202E', 'Echo']) {
      for (const caller of ['app', 'user', 'model']) {
        expect((await callTool(gateway, 'a', name, { caller })).body.error?.code).toBe('tool-not-found');
      }
    }
    // Two tools share the name "echo"; the first one, open to all, is meant.
    expect((await callTool(gateway, 'a', 'echo', { caller: 'app' })).status).toBe(200);
  });
});
