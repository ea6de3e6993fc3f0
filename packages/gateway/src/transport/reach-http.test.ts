import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { brotliCompressSync, constants, createGzip, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { PlainHeaders } from './plain-response.js';
import { reachHttp } from './reach-http.js';

interface Running {
  url: string;
  sockets: Set<Socket>;
}

const serve = async (
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Running> => {
  const server = createServer(answer);
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A TCP server has this kind of address.
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, sockets };
};

test('method, headers and body arrive as given, and the answer as sent', async () => {
  const seen: unknown[] = [];
  const { url } = await serve((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      seen.push([
        request.method,
        request.url,
        request.headers.authorization,
        request.headers['content-length'],
        text,
      ]);
      response.writeHead(418, 'As it is', { 'X-One': 'a', 'Set-Cookie': ['b=1', 'c=2'] }).end('{"d":"é"}');
    });
  });
  const response = await reachHttp(`${url}path?q=1#part`, {
    method: 'POST',
    headers: new Headers({ Authorization: 'Bearer x' }),
    body: 'é',
  });
  expect(seen).toEqual([['POST', '/path?q=1', 'Bearer x', '2', 'é']]);
  expect(response).toMatchObject({ status: 418, statusText: 'As it is', ok: false, url: `${url}path?q=1` });
  expect(response.headers.get('x-ONE')).toBe('a');
  expect(response.headers.has('x-two')).toBe(false);
  expect(await response.json()).toEqual({ d: 'é' });
});

test('a redirect is an answer, and nobody goes where it leads', async () => {
  const asked: (string | undefined)[] = [];
  const { url } = await serve((request, response) => {
    asked.push(request.url);
    response.writeHead(307, { location: '/other' }).end();
  });
  const response = await reachHttp(url, { method: 'POST', body: '{}' });
  expect([response.status, response.headers.get('location'), await response.text()]).toEqual([
    307,
    '/other',
    '',
  ]);
  expect(asked).toEqual(['/']);
});

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
])('what was compressed by %s is read as it was', async (coding, compress) => {
  const { url } = await serve((request, response) => {
    expect(request.headers['accept-encoding']).toContain(coding);
    response.writeHead(200, { 'content-encoding': coding }).end(compress('plain'));
  });
  expect(await (await reachHttp(url)).text()).toBe('plain');
});

test('an event of a compressed stream arrives before the stream ends', async () => {
  const { url } = await serve((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    const zip = createGzip({ flush: constants.Z_SYNC_FLUSH });
    zip.pipe(response);
    zip.write('data: 1\n\n');
  });
  const reader = (await reachHttp(url)).body?.getReader();
  const part = await reader?.read();
  expect(Buffer.from(part?.value ?? []).toString()).toBe('data: 1\n\n');
  await reader?.cancel();
});

test('a compressed body that is broken, and one that is cut, fail and are not taken for whole', async () => {
  const { url } = await serve((request, response) => {
    if (request.url === '/broken')
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip at all');
    else response.writeHead(200, { 'content-length': '100' }).write('a part', () => response.destroy());
  });
  for (const path of ['broken', 'cut'])
    await expect(reachHttp(`${url}${path}`).then((response) => response.text())).rejects.toThrow(
      'terminated',
    );
});

test('nobody listening is told by its code, as fetch does', async () => {
  const { url } = await serve(() => undefined);
  await expect(reachHttp(url.replace(/\d+\/$/, '9/'))).rejects.toMatchObject({
    message: 'fetch failed',
    cause: { code: 'ECONNREFUSED' },
  });
});

test('an address with a password, and one that is not HTTP, are refused', async () => {
  await expect(reachHttp('http://user:secret@127.0.0.1:9/')).rejects.toThrow('password is refused');
  await expect(reachHttp('file:///etc/passwd')).rejects.toMatchObject({ cause: expect.any(TypeError) });
  await expect(reachHttp('http://127.0.0.1:9/', { headers: { 'X-Bad': 'a\r\nb: c' } })).rejects.toMatchObject(
    {
      cause: { code: 'ERR_INVALID_CHAR' },
    },
  );
});

test('a request that is given up ends with its reason and its connection, before the answer and within it', async () => {
  const asked = vi.fn();
  const { url, sockets } = await serve((request, response) => {
    asked();
    if (request.url === '/begun') response.writeHead(200).write('begun');
  });
  await expect(reachHttp(url, { signal: AbortSignal.abort('never') })).rejects.toBe('never');
  expect(asked).not.toHaveBeenCalled();

  const waiting = new AbortController();
  const answer = reachHttp(url, { signal: waiting.signal });
  await vi.waitFor(() => expect(asked).toHaveBeenCalledOnce());
  waiting.abort('enough');
  await expect(answer).rejects.toBe('enough');
  await vi.waitFor(() => expect(sockets.size).toBe(0));

  const reading = new AbortController();
  const { body } = await reachHttp(`${url}begun`, { signal: reading.signal });
  const reader = body?.getReader();
  await reader?.read();
  reading.abort();
  await expect(reader?.read()).rejects.toThrow('terminated');
  await vi.waitFor(() => expect(sockets.size).toBe(0));
});

test('a body that is cancelled ends its connection; one that was read leaves it for the next request', async () => {
  const { url, sockets } = await serve((request, response) => {
    if (request.url === '/endless') response.writeHead(200).write('x');
    else response.end('whole');
  });
  await (await reachHttp(`${url}endless`)).body?.cancel();
  await vi.waitFor(() => expect(sockets.size).toBe(0));
  for (let time = 0; time < 3; time += 1) expect(await (await reachHttp(url)).text()).toBe('whole');
  expect(sockets.size).toBe(1);
});

test('a body is read no faster than it is asked for', async () => {
  let sent = 0;
  const { url } = await serve((_request, response) => {
    const more = (): void => {
      while (response.write(Buffer.alloc(64 * 1024))) sent += 1;
      sent += 1;
      response.once('drain', more);
    };
    more();
  });
  const { body } = await reachHttp(url);
  let before = -1;
  await vi.waitFor(
    () => {
      const grown = sent !== before;
      before = sent;
      expect(sent > 0 && !grown).toBe(true);
    },
    { interval: 200, timeout: 10_000 },
  );
  // 64 MB would be all that a machine can buffer by itself, and more.
  expect(sent).toBeLessThan(1000);
  await body?.cancel();
});

test('plain headers are those of fetch, as far as they go', () => {
  for (const init of [
    undefined,
    { A: '1', b: '2' },
    [
      ['A', '1'],
      ['a', '2'],
    ] as [string, string][],
  ]) {
    const [plain, real] = [new PlainHeaders(init), new Headers(init)];
    for (const headers of [plain, real]) {
      headers.set('C', '3');
      headers.append('c', '4');
      headers.append('D', '5');
      headers.delete('B');
    }
    const sort = (pairs: Iterable<[string, string]>): string[] => [...pairs].map(String).toSorted();
    expect(sort(plain)).toEqual(sort(real));
    expect(sort(plain.entries())).toEqual(sort(new PlainHeaders(plain)));
    for (const name of ['a', 'A', 'b', 'C', 'none'])
      expect([plain.get(name), plain.has(name)]).toEqual([real.get(name), real.has(name)]);
  }
});
