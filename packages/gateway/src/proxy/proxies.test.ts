import { createServer, request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { api } from '../gateway.test-support.js';
import { answerMcp, findDeadPort, open, serveHttp, settle, stepOf } from '../doctor/doctor.test-support.js';

/** A proxy that brings every name to one local port, and remembers what it was asked for. */
const startProxy = async (target: number, refusal?: number) => {
  const asked: string[] = [];
  const logins: (string | undefined)[] = [];
  const note = ({ method = '', url = '', headers }: IncomingMessage): void => {
    asked.push(`${method} ${url}`);
    logins.push(headers['proxy-authorization']);
  };
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    note(request);
    if (refusal !== undefined) {
      response.writeHead(refusal).end();
      return;
    }
    const { pathname } = new URL(request.url ?? '');
    const options = { port: target, path: pathname, method: request.method, headers: request.headers };
    request.pipe(
      sendRequest(options, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      }),
    );
  });
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    note(request);
    if (refusal !== undefined) {
      socket.end(`HTTP/1.1 ${refusal} No\r\n\r\n`);
      return;
    }
    const there = connect(target, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      there.pipe(socket).pipe(there);
    });
    for (const one of [there, socket]) one.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, asked, logins };
};

const withVariable = (name: string, value: string): void => {
  vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
};

const http = (url: string) => ({ name: 'a', kind: 'http' as const, url });

test('a server behind a proxy is reached, with the user name of the variable, and nobody else looks up its name', async () => {
  const proxy = await startProxy(await serveHttp(answerMcp));
  withVariable('HTTP_PROXY', `http://me:hunter2@127.0.0.1:${proxy.port}`);
  const gateway = await open([http('http://mcp.invalid/mcp')]);
  const server = await settle(gateway);
  expect(server.status).toBe('ready');
  expect(stepOf(server, 'tcp').verdict).toContain(`127.0.0.1:${proxy.port}`);
  expect(proxy.asked[0]).toBe('POST http://mcp.invalid/mcp');
  expect(proxy.logins[0]).toBe(`Basic ${Buffer.from('me:hunter2').toString('base64')}`);
  await api(gateway, '/servers/a/diagnose', {});
  expect(stepOf(gateway.servers()[0] ?? server, 'name').verdict).toContain('looks the name up');
  expect(JSON.stringify(gateway.servers())).not.toContain('hunter2');
});

test('https goes through a tunnel, and a proxy that refuses it is told by name', async () => {
  const proxy = await startProxy(await findDeadPort(), 403);
  withVariable('HTTPS_PROXY', `http://127.0.0.1:${proxy.port}`);
  const server = await settle(await open([http('https://mcp.invalid/mcp')]));
  expect(proxy.asked[0]).toBe('CONNECT mcp.invalid:443');
  expect(server.error).toMatchObject({ code: 'proxy-refused', message: expect.stringContaining('HTTP 403') });
  expect(stepOf(server, 'tcp').state).toBe('failed');
});

test.each(['HTTP_PROXY', 'HTTPS_PROXY'])('a proxy of %s that wants a password is told so', async (name) => {
  const proxy = await startProxy(await findDeadPort(), 407);
  withVariable(name, `http://127.0.0.1:${proxy.port}`);
  const scheme = name === 'HTTP_PROXY' ? 'http' : 'https';
  const server = await settle(await open([http(`${scheme}://mcp.invalid/mcp`)]));
  expect(server.error).toMatchObject({
    code: 'proxy-refused',
    message: expect.stringContaining('a user name and a password'),
  });
});

test('a proxy that is not there is told as the proxy, and a variable that names none as itself', async () => {
  const port = await findDeadPort();
  withVariable('HTTP_PROXY', `http://127.0.0.1:${port}`);
  const dead = await settle(await open([http('http://mcp.invalid/mcp')]));
  expect(dead.error).toMatchObject({ code: 'proxy-refused', message: expect.stringContaining(`${port}`) });
  withVariable('HTTP_PROXY', 'socks5://me:hunter2@127.0.0.1:1');
  const wrong = await settle(await open([http('http://mcp.invalid/mcp')]));
  expect(wrong.error).toMatchObject({
    code: 'proxy-refused',
    message: expect.stringContaining('HTTP_PROXY'),
  });
  expect(JSON.stringify(wrong)).not.toContain('hunter2');
});

test('NO_PROXY and this machine itself are reached straight', async () => {
  const proxy = await startProxy(await findDeadPort());
  withVariable('HTTP_PROXY', `http://127.0.0.1:${proxy.port}`);
  const port = await serveHttp(answerMcp);
  expect((await settle(await open([http(`http://localhost:${port}/mcp`)]))).status).toBe('ready');
  withVariable('NO_PROXY', '.invalid');
  const straight = await settle(await open([http('http://mcp.invalid/mcp')]));
  expect([straight.error?.code, stepOf(straight, 'name').state]).toEqual(['server-unreachable', 'failed']);
  expect(proxy.asked).toEqual([]);
});
