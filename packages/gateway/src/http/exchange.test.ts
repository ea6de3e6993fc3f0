import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createListener, readBody, type Answer, type Answerer } from './exchange.js';
import { portOf, send, start } from '../gateway.test-support.js';

const serve = async (answerer: Answerer): Promise<number> => {
  const server = createServer(createListener(answerer));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A TCP server has this kind of address.
  return (server.address() as AddressInfo).port;
};

/** A connection on which the test writes every byte itself. */
const open = (port: number): { socket: Socket; ended: Promise<string>; text: () => string } => {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  return {
    socket,
    text: () => text,
    ended: new Promise((resolve) => socket.on('close', () => resolve(text))),
  };
};

const exchange = (port: number, bytes: string): Promise<string> => {
  const { socket, ended } = open(port);
  socket.write(bytes);
  return ended;
};

const close = 'Connection: close\r\n\r\n';

test('a target that is no plain path is no way to another one', async () => {
  const gateway = await start();
  const port = portOf(gateway);
  const ask = async (target: string): Promise<string> => {
    const answer = await exchange(port, `GET ${target} HTTP/1.1\r\nHost: localhost:${port}\r\n${close}`);
    return answer.slice(9, 12);
  };
  // The page itself is served under its own path, however that is written.
  for (const target of ['/', '/?a=b', '/a/../', '/%2e%2e/', '/%2f', '/#part'])
    expect([target, await ask(target)]).toEqual([target, '200']);
  for (const target of ['*', 'http://localhost/', `http://localhost:${port}/`])
    expect([target, await ask(target)]).toEqual([target, '403']);
  for (const target of ['localhost', '\\', '?']) expect([target, await ask(target)]).toEqual([target, '400']);
  for (const target of ['/\\', '/\\evil.test', '//evil.test/', '/%', '/%00'])
    expect([target, await ask(target)]).toEqual([target, '404']);
  // The API is found by the bytes of its path alone, and then it is guarded.
  for (const target of ['/api', '/api/', '/api/status', '/x/../api/status', '/api//status', '/api/%73tatus'])
    expect([target, await ask(target)]).toEqual([target, '401']);
  for (const target of ['/%61pi/status', '/API/status'])
    expect([target, await ask(target)]).toEqual([target, '404']);
});

test('a header that came twice counts as neither', async () => {
  const gateway = await start();
  const port = portOf(gateway);
  const ask = async (...headers: string[]): Promise<string> => {
    const lines = [`Host: localhost:${port}`, 'Content-Length: 2', ...headers].map((line) => `${line}\r\n`);
    const answer = await exchange(port, `POST /api/access/codes HTTP/1.1\r\n${lines.join('')}${close}{}`);
    return answer.slice(9, 12);
  };
  const token = `Authorization: Bearer ${gateway.token}`;
  const json = 'Content-Type: application/json';
  const origin = `Origin: http://localhost:${port}`;
  expect(await ask(token, json, origin)).toBe('200');
  expect(await ask(token, 'Authorization: Bearer wrong', json)).toBe('401');
  expect(await ask('Authorization: Bearer wrong', token, json)).toBe('401');
  expect(await ask(token, json, 'Content-Type: text/plain')).toBe('403');
  expect(await ask(token, json, origin, 'Origin: http://evil.test')).toBe('403');
  expect(await ask(token, json, 'Sec-Fetch-Site: same-origin', 'Sec-Fetch-Site: cross-site')).toBe('403');
});

test('a body that comes with GET is not read, and the next request on the connection is answered', async () => {
  const port = portOf(await start());
  const head = `GET / HTTP/1.1\r\nHost: localhost:${port}\r\n`;
  const answers = await exchange(port, `${head}Content-Length: 5\r\n\r\n12345${head}${close}`);
  expect(answers.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
});

test('HEAD is answered as GET without its body, and opens no stream', async () => {
  const gateway = await start();
  const port = portOf(gateway);
  const whole = await send(port, '/');
  const head = await send(port, '/', { method: 'HEAD' });
  expect(head).toMatchObject({ status: 200, body: '' });
  expect(head.headers['content-security-policy']).toBe(whole.headers['content-security-policy']);

  const headers = { authorization: `Bearer ${gateway.token}` };
  const path = '/api/events?stream=one-and-the-same';
  expect((await send(port, path, { method: 'HEAD', headers })).status).toBe(200);
  // A stream that were still open would keep its name.
  const { socket, text } = open(port);
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nAuthorization: ${headers.authorization}\r\n\r\n`,
  );
  await vi.waitFor(() => expect(text()).toContain('\r\n\r\n'));
  expect(text()).toMatch(/^HTTP\/1\.1 200 /);
});

test('a stream is read no faster than it is taken, and is cancelled when its reader goes', async () => {
  let pulled = 0;
  let isCancelled = false;
  const port = await serve(() => ({
    status: 200,
    headers: {},
    body: new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          pulled += 1;
          controller.enqueue(new Uint8Array(64 * 1024));
          // It ends, so that a stream that is read without measure fails here and does not hang.
          if (pulled > 5000) controller.close();
        },
        cancel: () => {
          isCancelled = true;
        },
      },
      { highWaterMark: 0 },
    ),
  }));
  const { socket } = open(port);
  socket.pause();
  socket.write(`GET / HTTP/1.1\r\nHost: a\r\n\r\n`);
  let before = -1;
  // What the system's buffers take is taken; then nothing more is asked for.
  await vi.waitFor(
    () => {
      const grown = pulled !== before;
      before = pulled;
      expect(pulled > 0 && !grown).toBe(true);
    },
    { interval: 200, timeout: 10_000 },
  );
  expect(pulled).toBeLessThan(1000);
  const stopped = pulled;
  socket.resume();
  await vi.waitFor(() => expect(pulled).toBeGreaterThan(stopped + 10));
  expect(isCancelled).toBe(false);
  socket.destroy();
  await vi.waitFor(() => expect(isCancelled).toBe(true));
});

test('a stream that nothing comes from is cancelled, too, when its reader goes', async () => {
  const cancelled = vi.fn();
  const port = await serve(() => ({
    status: 200,
    headers: {},
    body: new ReadableStream<Uint8Array>(
      { pull: () => new Promise(() => undefined), cancel: cancelled },
      { highWaterMark: 0 },
    ),
  }));
  const { socket, text } = open(port);
  socket.write(`GET / HTTP/1.1\r\nHost: a\r\n\r\n`);
  // The head comes at once: who opens a stream waits for it.
  await vi.waitFor(() => expect(text()).toContain('\r\n\r\n'));
  socket.destroy();
  await vi.waitFor(() => expect(cancelled).toHaveBeenCalledOnce());
});

test('an answer that fails in its middle is cut, never ended as if it were whole', async () => {
  let fail: (() => void) | undefined;
  const port = await serve(() => ({
    status: 200,
    headers: {},
    body: new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(Buffer.from('a part'));
        fail = () => controller.error(new Error('of this machine'));
      },
    }),
  }));
  const { socket, text, ended } = open(port);
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await vi.waitFor(() => expect(text()).toContain('a part'));
  fail?.();
  // The chunk of no length that ends a whole answer.
  expect(await ended).not.toContain('\r\n0\r\n');
  expect(text()).not.toContain('of this machine');
});

test('a handler that fails says nothing of itself, and the connection goes on', async () => {
  let asked = 0;
  const port = await serve((): Answer => {
    asked += 1;
    if (asked === 1) throw new Error('of this machine');
    if (asked === 2) return { status: 200, headers: { 'X-Bad': 'a\nb' }, body: 'never' };
    return { status: 200, headers: {}, body: 'served' };
  });
  const head = 'GET / HTTP/1.1\r\nHost: a\r\n';
  const text = await exchange(port, `${head}\r\n${head}\r\n${head}${close}`);
  expect(text.match(/HTTP\/1\.1 (\d+)/g)).toEqual(['HTTP/1.1 500', 'HTTP/1.1 500', 'HTTP/1.1 200']);
  expect(text).not.toContain('of this machine');
  expect(text).toMatch(/served$/);
});

test('a client that goes away ends the work for it, before its body came or after', async () => {
  const ends: string[] = [];
  let asked = 0;
  const port = await serve(async (request) => {
    asked += 1;
    await new Promise<void>((resolve) => {
      request.signal.addEventListener('abort', () => resolve());
      if (request.method === 'POST') readBody(request, 100).catch(() => ends.push('no body'));
    });
    ends.push('gone');
    return { status: 200, headers: {}, body: 'for nobody' };
  });
  for (const bytes of [
    'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n1234',
  ]) {
    const before = ends.length;
    const { socket } = open(port);
    socket.write(bytes);
    await vi.waitFor(() => expect(asked).toBeGreaterThan(0));
    asked = 0;
    socket.destroy();
    await vi.waitFor(() => expect(ends.length).toBeGreaterThan(before));
  }
  await vi.waitFor(() => expect(ends).toEqual(expect.arrayContaining(['gone', 'no body', 'gone'])));
});

test('a body over the limit is refused before it is read, and nobody sends on for long', async () => {
  const port = await serve(async (asked) => {
    if (asked.url.pathname !== '/unread') await readBody(asked, 1024).catch(() => undefined);
    return { status: 413, headers: {} };
  });
  const said = open(port);
  said.socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n');
  await vi.waitFor(() => expect(said.text()).toMatch(/^HTTP\/1\.1 413 /));
  await said.ended;

  const endless = open(port);
  endless.socket.write('POST /unread HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
  const timer = setInterval(() => endless.socket.write(`4000\r\n${'x'.repeat(0x4000)}\r\n`), 5);
  onTestFinished(() => clearInterval(timer));
  expect(await endless.ended).toMatch(/^HTTP\/1\.1 413 /);
}, 20_000);
