import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway, type RunningGateway } from '@casement/gateway';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCodes, readPage, readRows, readSection } from './doc-tables.js';
import { readTypes } from './read-types.js';

const page = readPage('docs/reference/gateway-api.md');

interface Route {
  readonly method: string;
  readonly path: string;
  readonly body: readonly string[];
  readonly answer: readonly string[];
}

const routes = readRows(readSection(page, 'Routes')).map(
  ([method = '', path = '', body = '', answer = '']): Route => ({
    method,
    path: readCodes(path).join(),
    body: readCodes(body),
    answer: readCodes(answer),
  }),
);

const schema = `
  import type { ChatEvent, GatewayApi, GatewayEvent } from '@casement/gateway';
  import type { ExtractSchema } from 'hono/types';
  type Api = ExtractSchema<GatewayApi>;
`;
const named = readTypes(`
  ${schema}
  export type Paths = Api;
  export type Events = GatewayEvent['type'];
  export type Chat = ChatEvent['type'];
`);

/** What the type of the real API says of every route: Hono gathers it from the handlers themselves. */
const readRealRoutes = (): readonly Route[] => {
  const paths = (named.get('Paths')?.members ?? [])
    .map(({ name }) => name)
    // The last resort of either server, which is no route.
    .filter((path) => !path.endsWith('*'));
  const types = readTypes(
    [
      schema,
      `type Body<R> = R extends { $post: { input: { json: infer B } } } ? B : {};
       type Output<R> = R extends { output: infer A } ? A : {};
       type Answer<R, M extends string> = M extends keyof R
         ? Output<R[M]> extends ReadableStream ? {} : Output<R[M]>
         : {};`,
      ...paths.flatMap((path, index) => [
        `export type Methods${index} = Api['${path}'];`,
        `export type Body${index} = Body<Api['${path}']>;`,
        ...['$get', '$post'].map(
          (method) => `export type Answer${index}${method} = Answer<Api['${path}'], '${method}'>;`,
        ),
      ]),
    ].join('\n'),
  );
  const membersOf = (type: string) => types.get(type)?.members ?? [];
  return paths.flatMap((path, index) =>
    membersOf(`Methods${index}`).map(({ name }) => ({
      method: name.slice(1).toUpperCase(),
      path,
      // A path may be read and sent to; only what is sent has a body.
      body: membersOf(name === '$post' ? `Body${index}` : '').map(
        (member) => `${member.name}${member.isRequired ? '' : '?'}`,
      ),
      answer: membersOf(`Answer${index}${name}`).map((member) => member.name),
    })),
  );
};

test('the page has one row for every route, with its body and its answer', () => {
  const sort = (list: readonly Route[]): Route[] =>
    list
      .map((route) => ({ ...route, body: route.body.toSorted(), answer: route.answer.toSorted() }))
      .toSorted((one, other) => `${one.path} ${one.method}`.localeCompare(`${other.path} ${other.method}`));
  const real = readRealRoutes();
  expect(real.length).toBeGreaterThan(15);
  expect(sort(routes)).toEqual(sort(real));
}, 120_000);

test('the page has one row for every event of the stream and of the chat', () => {
  const said = (heading: string): string[] =>
    readRows(readSection(page, heading))
      .map(([name = '']) => readCodes(name).join())
      .toSorted();
  expect(said('Events')).toEqual(named.get('Events')?.literals.toSorted());
  expect(said('Chat')).toEqual(named.get('Chat')?.literals.toSorted());
});

describe('the guards of every route', () => {
  let gateway: RunningGateway;
  let pageDir = '';
  beforeAll(async () => {
    pageDir = mkdtempSync(join(tmpdir(), 'gateway-page-'));
    writeFileSync(join(pageDir, 'index.html'), '<!doctype html><title>Page</title>');
    gateway = await startGateway({ port: 0, servers: [], pageDir, stateDir: join(pageDir, 'state') });
  });
  afterAll(async () => {
    await gateway.close();
    rmSync(pageDir, { recursive: true, force: true });
  });

  /** Sends a request past `fetch`, which would not let a test choose Host and Origin. */
  const send = (
    { method, path }: Route,
    headers: Record<string, string>,
  ): Promise<{ readonly status: number; readonly code: string }> =>
    new Promise((resolve, reject) => {
      const { port } = new URL(gateway.url);
      const asked = request(
        { host: '127.0.0.1', port, method, path: path.replaceAll(/:\w+/g, 'none'), headers },
        (response) => {
          const { statusCode: status = 0 } = response;
          // A stream does not end by itself; that it began is the answer.
          if (status === 200) {
            response.destroy();
            return resolve({ status, code: '' });
          }
          let text = '';
          response.setEncoding('utf8').on('data', (part: string) => (text += part));
          response.on('end', () => {
            resolve({ status, code: /"code":"([\w-]+)"/.exec(text)?.[1] ?? '' });
          });
        },
      );
      asked.on('error', reject);
      asked.end(method === 'POST' ? '{}' : undefined);
    });
  const json = { 'content-type': 'application/json' };
  const token = () => ({ authorization: `Bearer ${gateway.token}` });

  test.each(routes)('$method $path refuses strangers as the page says', async (route) => {
    expect(await send(route, { ...json, ...token(), host: 'evil.example' })).toEqual({
      status: 403,
      code: 'forbidden-host',
    });
    expect(await send(route, { ...json, ...token(), origin: 'https://evil.example' })).toEqual({
      status: 403,
      code: 'forbidden-origin',
    });
    expect(await send(route, { ...json, ...token(), 'sec-fetch-site': 'same-site' })).toEqual({
      status: 403,
      code: 'forbidden-origin',
    });
    if (route.method === 'POST') {
      expect(await send(route, { ...token(), 'content-type': 'text/plain' })).toEqual({
        status: 403,
        code: 'bad-content-type',
      });
    }
    const isOpen = route.path === '/api/access';
    expect(await send(route, json)).toEqual(
      isOpen ? { status: 400, code: 'bad-request' } : { status: 401, code: 'unauthorized' },
    );
    // With the token the route is there: it answers, or says what is wrong with the body or the server.
    const { status, code } = await send(route, { ...json, ...token() });
    if (status !== 200) expect(['bad-request', 'server-unknown', 'entry-unknown']).toContain(code);
  });
});
