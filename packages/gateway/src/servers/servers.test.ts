import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import {
  api,
  callTool,
  createFolder,
  holdTime,
  isAlive,
  readText,
  start,
  stdio,
  waitFor,
} from '../gateway.test-support.js';

const uiExtension = {
  'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app', 'text/html+mcp'] },
};

describe('version negotiation', () => {
  for (const era of ['2025-03-26', '2025-06-18', '2025-11-25']) {
    verifies(
      ['HOST-075', 'S1-07', 'S1-117'],
      `a server of ${era} sees the UI extension in initialize`,
      async () => {
        const gateway = await start({ servers: [stdio('a', [`--era=${era}`])] });
        expect(gateway.servers()).toMatchObject([
          {
            name: 'a',
            status: 'ready',
            protocolVersion: era,
            serverInfo: { name: 'fixture', version: '1.2.3' },
          },
        ]);
        expect(readText(await callTool(gateway, 'a', 'seen'))).toMatchObject({
          initialize: { capabilities: { extensions: uiExtension }, clientInfo: { name: 'casement' } },
        });
      },
    );
  }

  verifies(
    ['HOST-075', 'S1-07', 'S1-117'],
    'a server of 2026-07-28 sees the UI extension with every request',
    async () => {
      const gateway = await start({ servers: [stdio('a', ['--modern'])] });
      expect(gateway.servers()).toMatchObject([{ status: 'ready', protocolVersion: '2026-07-28' }]);
      const capabilities = { 'io.modelcontextprotocol/clientCapabilities': { extensions: uiExtension } };
      expect(readText(await callTool(gateway, 'a', 'seen'))).toMatchObject({
        initialize: null,
        discover: { _meta: capabilities },
        callMeta: capabilities,
      });
    },
  );

  test('a server that exits on the unknown probe is started again and asked the old way', async () => {
    const log = join(createFolder(), 'log');
    const gateway = await start({ servers: [stdio('a', ['--die-on-probe', `--log=${log}`])] });
    expect(gateway.servers()).toMatchObject([{ status: 'ready', protocolVersion: '2025-11-25' }]);
    const [first, second] = [...readFileSync(log, 'utf8').matchAll(/start (\d+)/g)].map(([, pid]) =>
      Number(pid),
    );
    expect(isAlive(first ?? 0)).toBe(false);
    expect(isAlive(second ?? 0)).toBe(true);
  });

  test('a server that ignores the probe is asked the old way after a while', async () => {
    const log = join(createFolder(), 'log');
    holdTime();
    const starting = start({ servers: [stdio('a', ['--silent-probe', `--log=${log}`])] });
    await waitFor(() => existsSync(log) && vi.getTimerCount() > 0);
    await vi.advanceTimersByTimeAsync(5_000);
    const gateway = await starting;
    expect(gateway.servers()).toMatchObject([{ status: 'ready', protocolVersion: '2025-11-25' }]);
  });
});

describe('servers that cannot be connected', () => {
  test('a command that ends at once is reported with its code and the end of its stderr', async () => {
    const gateway = await start({ servers: [stdio('a', ['--exit-at-start=4'])] });
    expect(gateway.servers()).toMatchObject([
      {
        status: 'exited',
        error: { code: 'server-exited', message: 'The server "a" exited (code 4).' },
        stderrTail: ['cannot find my database \ufffdtxt'],
      },
    ]);
    expect((await api(gateway, '/servers/a/tools')).body.error?.code).toBe('server-not-ready');
  });

  test('a program that does not exist is named', async () => {
    const gateway = await start({ servers: [stdio('a', [], { command: 'no-such-program-anywhere' })] });
    expect(gateway.servers()).toMatchObject([
      {
        status: 'failed',
        error: { code: 'command-invalid', message: expect.stringContaining('no-such-program') },
      },
    ]);
  });

  test('a server that never answers initialize fails in time and is ended', async () => {
    const log = join(createFolder(), 'log');
    holdTime();
    let isSettled = false;
    const starting = start({
      servers: [stdio('a', ['--never-initialize', `--log=${log}`])],
      requestTimeoutMs: 400,
    }).finally(() => (isSettled = true));
    await waitFor(() => existsSync(log) && readFileSync(log, 'utf8').includes('start'));
    expect(isSettled).toBe(false);
    await waitFor(() => {
      vi.advanceTimersByTime(100);
      return isSettled;
    });
    const gateway = await starting;
    expect(gateway.servers()).toMatchObject([{ status: 'failed', error: { code: 'server-timeout' } }]);
    const pid = Number(/start (\d+)/.exec(readFileSync(log, 'utf8'))?.[1]);
    expect(isAlive(pid)).toBe(false);
  });

  test('one bad server does not keep the others from working', async () => {
    const gateway = await start({ servers: [stdio('bad', ['--exit-at-start=1']), stdio('good')] });
    expect(readText(await callTool(gateway, 'good', 'echo', { arguments: { a: 1 } }))).toEqual({ a: 1 });
  });
});

describe('life and death of a process', () => {
  const readFamily = async (gateway: Parameters<typeof callTool>[0]): Promise<number[]> => {
    // The fixture answers with its own id and its child's; the grandchild is found by its parent.
    const { self, child } = readText(await callTool(gateway, 'a', 'family')) as {
      self: number;
      child: number;
    };
    const readGrandchildren = (): number[] =>
      (readFileSync(`/proc/${child}/task/${child}/children`, 'utf8').match(/\d+/g) ?? []).map(Number);
    // The child may still be starting its own.
    await waitFor(() => readGrandchildren().length > 0);
    return [self, child, ...readGrandchildren()];
  };

  test('closing the gateway ends server, child and grandchild, even those that ignore SIGTERM', async () => {
    const gateway = await start({ servers: [stdio('a', ['--ignore-term'])] });
    const family = await readFamily(gateway);
    expect(family).toHaveLength(3);
    expect(family.map(isAlive)).toEqual([true, true, true]);
    await gateway.close();
    await waitFor(() => family.every((pid) => !isAlive(pid)));
  });

  test('a server that crashes leaves no child behind', async () => {
    const gateway = await start({ servers: [stdio('a')] });
    const family = await readFamily(gateway);
    await callTool(gateway, 'a', 'crash');
    await waitFor(() => family.every((pid) => !isAlive(pid)));
  });

  test('restart after a crash makes it ready again; many restarts at once leave one process', async () => {
    const log = join(createFolder(), 'log');
    const gateway = await start({ servers: [stdio('a', [`--log=${log}`])] });
    await callTool(gateway, 'a', 'crash');
    expect(gateway.servers()).toMatchObject([{ status: 'exited', stderrTail: ['about to crash'] }]);
    const answers = await Promise.all([1, 2, 3, 4].map(() => api(gateway, '/servers/a/restart', {})));
    for (const { body } of answers) expect(body).toMatchObject({ server: { status: 'ready' } });
    const pids = [...readFileSync(log, 'utf8').matchAll(/start (\d+)/g)].map(([, pid]) => Number(pid));
    expect(pids.filter(isAlive)).toHaveLength(1);
    expect(readText(await callTool(gateway, 'a', 'echo', { arguments: { back: true } }))).toEqual({
      back: true,
    });
  });

  test('closing while servers are still connecting leaves nothing running', async () => {
    const log = join(createFolder(), 'log');
    const gateway = await start({
      servers: [stdio('a', ['--silent-probe', `--log=${log}`])],
      requestTimeoutMs: 300,
    });
    const restarting = api(gateway, '/servers/a/restart', {}).catch(() => undefined);
    await waitFor(() => readFileSync(log, 'utf8').split('start').length > 2);
    await gateway.close();
    await restarting;
    const pids = [...readFileSync(log, 'utf8').matchAll(/start (\d+)/g)].map(([, pid]) => Number(pid));
    expect(pids.filter(isAlive)).toEqual([]);
  });
});

describe('the environment of a process', () => {
  test('a server from a file sees a safe list and its own entries, not the secrets of the shell', async () => {
    process.env.CASEMENT_TEST_SECRET = 'planted';
    try {
      const gateway = await start({
        servers: [stdio('file', [], { env: { OWN: 'yes' } }), stdio('typed', [], { inheritEnv: true })],
      });
      const file = readText(await callTool(gateway, 'file', 'environment'));
      expect(file).toMatchObject({ OWN: 'yes', PATH: process.env.PATH });
      expect(file).not.toHaveProperty('CASEMENT_TEST_SECRET');
      expect(readText(await callTool(gateway, 'typed', 'environment'))).toMatchObject({
        CASEMENT_TEST_SECRET: 'planted',
      });
    } finally {
      delete process.env.CASEMENT_TEST_SECRET;
    }
  });

  test('arguments reach the program as they are, whatever a shell would make of them', async () => {
    const odd = ['--name=$(touch /tmp/pwned); `x` && echo "y" | z *'];
    const gateway = await start({ servers: [stdio('a', odd)] });
    expect(gateway.servers()).toMatchObject([{ serverInfo: { name: odd[0]?.slice('--name='.length) } }]);
  });
});
