import { hc } from 'hono/client';
import { expect, expectTypeOf, test } from 'vitest';
import { portOf, start, stdio } from '../gateway.test-support.js';
import type { GatewayApi, ServerSummary } from '../index.js';

test('the typed client of Hono speaks to the API', async () => {
  const gateway = await start({ servers: [stdio('a')] });
  const { api } = hc<GatewayApi>(`http://127.0.0.1:${portOf(gateway)}`, {
    headers: { authorization: `Bearer ${gateway.token}` },
  });
  const status = await (await api.status.$get()).json();
  expect(status.sandbox).toEqual({
    base: `http://casement.localhost:${portOf(gateway) + 1}`,
    otherSiteBase: `http://localhost:${portOf(gateway) + 1}`,
    opaqueBase: `http://127.0.0.1:${portOf(gateway) + 1}`,
  });
  const { servers } = await (await api.servers.$get()).json();
  expectTypeOf(servers[0]?.status).toEqualTypeOf<ServerSummary['status'] | undefined>();
  expect(servers[0]?.status).toBe('ready');

  const server = api.servers[':name'];
  const { tools } = await (await server.tools.$get({ param: { name: 'a' } })).json();
  expect(tools.map(({ name }) => name)).toContain('echo');
  const called = await server.tools.call.$post({
    param: { name: 'a' },
    json: { name: 'echo', arguments: { a: 1 }, caller: 'user', callId: 'typed' },
  });
  const { result } = await called.json();
  expect(result.content).toEqual([{ type: 'text', text: '{"a":1}' }]);
  expect((await server.restart.$post({ param: { name: 'a' }, json: {} })).status).toBe(200);
});
