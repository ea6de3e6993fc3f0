import { createServer, type Server } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createPageFolder, createFolder, portOf, send, start } from '../gateway.test-support.js';
import { startGateway } from '../index.js';

const occupy = (port: number, host: string): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host }, () => {
      resolve(server);
    });
    onTestFinished(() => {
      server.close();
    });
  });

const hasIpv6 = await new Promise<boolean>((resolve) => {
  const server = createServer();
  server.once('error', () => {
    resolve(false);
  });
  server.listen(0, '::1', () => {
    server.close();
    resolve(true);
  });
});

const isFree = async (port: number): Promise<boolean> =>
  send(port, '/').then(
    () => false,
    () => true,
  );

test('the sandbox takes the port after the page, and both answer', async () => {
  const gateway = await start();
  const port = portOf(gateway);
  expect(gateway.sandboxOrigin).toBe(`http://sandbox.casement.localhost:${port + 1}`);
  expect((await send(port, '/')).status).toBe(200);
  expect((await send(port + 1, '/probe', { headers: { host: `127.0.0.1:${port + 1}` } })).status).toBe(204);
});

test('both loopback addresses are taken, where there are two', async () => {
  const port = portOf(await start());
  for (const taken of [port, port + 1]) {
    await expect(occupy(taken, '127.0.0.1')).rejects.toThrow(/EADDRINUSE/);
    if (hasIpv6) await expect(occupy(taken, '::1')).rejects.toThrow(/EADDRINUSE/);
  }
});

test('a port that is taken, on either address and for either server, is named and nothing stays open', async () => {
  const free = await start();
  const port = portOf(free);
  await free.close();
  for (const offset of [0, 1]) {
    for (const host of hasIpv6 ? ['127.0.0.1', '::1'] : ['127.0.0.1']) {
      const stranger = await occupy(port + offset, host);
      const starting = startGateway({
        port,
        pageDir: createPageFolder(),
        stateDir: createFolder(),
        servers: [],
      });
      await expect(starting).rejects.toMatchObject({
        code: 'port-taken',
        message: expect.stringContaining(String(port + offset)),
      });
      await new Promise((resolve) => stranger.close(resolve));
      expect(await isFree(port)).toBe(true);
      expect(await isFree(port + 1)).toBe(true);
    }
  }
});

test('a number that is no port is refused', async () => {
  for (const port of [-1, 65_535, 1.5, 70_000]) {
    const starting = startGateway({
      port,
      pageDir: createPageFolder(),
      stateDir: createFolder(),
      servers: [],
    });
    await expect(starting).rejects.toMatchObject({ code: 'bad-flag' });
  }
});

test('closing frees the ports, even with an event stream open, and may be done twice', async () => {
  const gateway = await start();
  const port = portOf(gateway);
  const stream = await fetch(`http://127.0.0.1:${port}/api/events`, {
    headers: { authorization: `Bearer ${gateway.token}` },
  });
  expect(stream.status).toBe(200);
  await Promise.all([gateway.close(), gateway.close()]);
  expect(await isFree(port)).toBe(true);
  await stream.body?.cancel().catch(() => undefined);
});
