import { describe, expect, test } from 'vitest';
import { api, openEvents, portOf, send, start, stdio, waitFor } from '../gateway.test-support.js';
import {
  chat,
  hello,
  key,
  serveProvider,
  toConfig,
  toKeylessConfig,
  weather,
} from './model-servers.test-support.js';

describe('the door to models', () => {
  test('lists them without key or address, and knows no others', async () => {
    const gateway = await start({
      models: [
        toConfig({ url: 'http://10.1.2.3:8080/private/v1' }),
        { id: 'claude', label: 'Claude', kind: 'anthropic', model: 'claude-x', apiKey: key },
      ],
    });
    const { body } = await api(gateway, '/models');
    expect(body).toEqual({
      models: [
        { id: 'm', label: 'Tiny', kind: 'openai-compatible' },
        { id: 'claude', label: 'Claude', kind: 'anthropic' },
      ],
    });
    const unknown = await api(gateway, '/chat', { model: 'x', request: hello });
    expect(unknown).toMatchObject({ status: 404, body: { error: { code: 'model-unknown' } } });
    expect((await api(await start(), '/models')).body).toEqual({ models: [] });
  });

  test('stands behind the guards of the API', async () => {
    const provider = await serveProvider((response) => void response.end());
    const gateway = await start({ models: [toConfig(provider)] });
    const authorization = `Bearer ${gateway.token}`;
    const type = { 'content-type': 'application/json' };
    const body = JSON.stringify({ model: 'm', request: hello });
    const ask = async (headers: Record<string, string>, text = body): Promise<number> =>
      (await send(portOf(gateway), '/api/chat', { method: 'POST', headers, body: text })).status;
    expect(await ask(type)).toBe(401);
    expect(await ask({ ...type, authorization, origin: 'https://evil.example' })).toBe(403);
    expect(await ask({ ...type, authorization, host: 'evil.example' })).toBe(403);
    expect(await ask({ authorization, 'content-type': 'text/plain' })).toBe(403);
    expect(await ask({ ...type, authorization }, `${body}${' '.repeat(33 * 1024 * 1024)}`)).toBe(413);
    expect((await send(portOf(gateway), '/api/models')).status).toBe(401);
    expect(provider.calls).toEqual([]);
  });

  test.each([
    ['no messages', { messages: [], tools: [] }],
    ['only the system', { messages: [{ role: 'system', text: 'x' }], tools: [] }],
    ['an unknown role', { messages: [{ role: 'owner', text: 'x' }], tools: [] }],
    ['a block without its text', { messages: [{ role: 'user', content: [{ type: 'text' }] }], tools: [] }],
    ['a tool twice', { ...hello, tools: [weather, weather] }],
    ['a tool without a schema', { ...hello, tools: [{ name: 'a' }] }],
    ['no tokens', { ...hello, maxTokens: 0 }],
  ])('refuses %s', async (_what, request) => {
    const provider = await serveProvider((response) => void response.end());
    const gateway = await start({ models: [toConfig(provider)] });
    expect(await api(gateway, '/chat', { model: 'm', request })).toMatchObject({
      status: 400,
      body: { error: { code: 'bad-request' } },
    });
    expect(provider.calls).toEqual([]);
  });

  test('shows the key nowhere, nor in the recording', async () => {
    const provider = await serveProvider((response) => {
      response.writeHead(500, { 'x-key': encodeURIComponent(key) });
      response.end(JSON.stringify({ error: { message: key } }));
    });
    const gateway = await start({ servers: [stdio('a')], models: [toConfig(provider)] });
    const { events } = await openEvents(gateway);
    const answers = [
      (await chat(gateway)).text,
      JSON.stringify(await api(gateway, '/models')),
      JSON.stringify(await api(gateway, '/status')),
      JSON.stringify(await api(gateway, '/servers')),
      JSON.stringify(await api(gateway, '/servers/a/tools')),
    ];
    expect(provider.calls).toHaveLength(1);
    await waitFor(() => events.some((event) => event.type === 'recording'));
    const inJson = JSON.stringify(key).slice(1, -1);
    for (const text of [...answers, JSON.stringify(events)]) {
      expect(text).not.toContain(key);
      expect(text).not.toContain(inJson);
      expect(text).not.toContain(encodeURIComponent(key));
    }
  });

  test.each([
    ['a user name in the address', { baseUrl: 'http://me:hunter2@127.0.0.1/v1' }],
    ['a query in the address', { baseUrl: 'http://127.0.0.1/v1?key=hunter2' }],
    ['half an address', { baseUrl: 'hunter2' }],
    ['another protocol', { baseUrl: 'file:///hunter2' }],
    ['a key with a line break', { apiKey: 'hunter2\nx' }],
    ['no name', { model: '' }],
    ['an odd id', { id: 'a b' }],
  ])('does not start with %s, and does not repeat it', async (_what, more) => {
    const starting = start({ models: [toConfig({ url: 'http://127.0.0.1/v1' }, more)] });
    await expect(starting).rejects.toMatchObject({
      code: 'bad-flag',
      message: expect.not.stringContaining('hunter2'),
    });
  });

  test('does not start with two models of one id, nor with Anthropic and no key', async () => {
    const one = toConfig({ url: 'http://127.0.0.1/v1' });
    await expect(start({ models: [one, one] })).rejects.toMatchObject({ code: 'bad-flag' });
    const keyless = toKeylessConfig({ url: 'http://127.0.0.1/v1' }, 'anthropic');
    await expect(start({ models: [keyless] })).rejects.toMatchObject({ code: 'bad-flag' });
  });
});
