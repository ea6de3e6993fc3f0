import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findFetcher, toStartLimitMs } from './slow-start.js';
import { api, createFolder, isAlive, openEvents, start, stdio, waitFor } from '../gateway.test-support.js';
import { open, python, settle, stepOf, toStates, until } from './doctor.test-support.js';

const run = (name: string, script: string) => stdio(name, [], { args: ['-e', script] });

test('the steps of a server in Python come from its real start, and its lists are the last one', async () => {
  const gateway = await start({ servers: [python('py')] });
  const [before] = gateway.servers();
  if (before === undefined) throw new Error('There is no server.');
  expect(toStates(before)).toEqual([
    'found ok',
    'started ok',
    'first-line ok',
    'initialize ok',
    'lists waiting',
  ]);
  expect(stepOf(before, 'found').verdict).toMatch(/^It is \/.*python3/);
  expect(stepOf(before, 'initialize').verdict).toBe('"python-server" answered and speaks 2025-06-18.');
  const pid = Number(/process (\d+)/.exec(stepOf(before, 'started').verdict ?? '')?.[1]);
  expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).toContain('python-server.py');
  const { body } = await api(gateway, '/servers/py/diagnose', {});
  expect(body.server).toMatchObject({ status: 'ready' });
  const [after] = gateway.servers();
  expect(after && stepOf(after, 'lists')).toMatchObject({
    state: 'ok',
    verdict: '1 tool, 1 resource, 0 templates, 0 prompts.',
  });
});

test('the recording has the steps as one entry of the start, and one more after a diagnosis', async () => {
  const gateway = await start({ servers: [python('py')] });
  const { until: untilEvent, events } = await openEvents(gateway, 'stream-of-steps', 0);
  const isStart = (event: (typeof events)[number]): boolean =>
    event.type === 'recording' && JSON.stringify(event.entry.raw).includes('"server-start"');
  expect(await untilEvent(isStart)).toMatchObject({
    entry: { kind: 'lifecycle', raw: { type: 'server-start', server: 'py' } },
  });
  expect(events.filter(isStart)).toHaveLength(1);
});

test('a program that is not there fails at the first step, with the next thing to do', async () => {
  const server = await settle(await open([stdio('a', [], { command: 'pythn3' })]));
  expect(server.error?.code).toBe('command-invalid');
  expect(toStates(server)).toEqual([
    'found failed',
    'started skipped',
    'first-line skipped',
    'initialize skipped',
    'lists skipped',
  ]);
  expect(stepOf(server, 'found').fix).toBeDefined();
});

test('a program that exits fails at its first line, one that prints garbage at the handshake', async () => {
  const exits = await settle(await open([run('a', 'process.exit(3)')]));
  expect(exits.error?.code).toBe('server-exited');
  expect(stepOf(exits, 'first-line')).toMatchObject({
    state: 'failed',
    verdict: expect.stringContaining('code 3'),
  });
  const garbage = await settle(
    await open([run('a', 'console.log("hello there"); setTimeout(() => process.exit(4), 50)')]),
  );
  expect(stepOf(garbage, 'first-line')).toMatchObject({
    state: 'warning',
    verdict: expect.stringContaining('hello there'),
  });
  expect(stepOf(garbage, 'initialize')).toMatchObject({
    state: 'failed',
    verdict: expect.stringContaining('hello there'),
  });
});

test('a program that hangs is told while it hangs, and Cancel ends its whole process group', async () => {
  const script = [
    "const { spawn } = require('node:child_process')",
    "const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])",
    "console.error('waiting with ' + child.pid)",
    "process.on('SIGTERM', () => {})",
    'setInterval(() => {}, 1000)',
  ].join('; ');
  const gateway = await open([run('a', script)]);
  const hanging = await until(gateway, ({ stderrTail = [] }) => stderrTail.length > 0);
  expect(toStates(hanging).slice(0, 4)).toEqual([
    'found ok',
    'started ok',
    'first-line running',
    'initialize running',
  ]);
  const child = Number(/with (\d+)/.exec(hanging.stderrTail?.join() ?? '')?.[1]);
  expect(isAlive(child)).toBe(true);
  const { status, body } = await api(gateway, '/servers/a/cancel', {});
  expect(status).toBe(200);
  expect(body.server).toMatchObject({ status: 'failed', error: { code: 'start-cancelled' } });
  expect(isAlive(child)).toBe(false);
  await gateway.settled();
  // What was cancelled can be started anew, and a second Cancel of what does not start is harmless.
  expect((await api(gateway, '/servers/a/cancel', {})).status).toBe(200);
});

test('a start is cancelled while the one before it still ends, and a restart then works', async () => {
  // It takes its time to end, so that the start after it is surely still waiting.
  const gateway = await start({ servers: [stdio('a', ['--ignore-term'])] });
  const restarted = api(gateway, '/servers/a/restart', {});
  await waitFor(() => gateway.servers()[0]?.status === 'connecting');
  await api(gateway, '/servers/a/cancel', {});
  expect((await restarted).body.server).toMatchObject({ error: { code: 'start-cancelled' } });
  expect((await api(gateway, '/servers/a/restart', {})).body.server).toMatchObject({ status: 'ready' });
});

test('a program that fetches what it runs is said to be installing, with what it wrote', async () => {
  // The name alone makes it one: nobody can see into another program.
  const npx = join(createFolder(), 'npx');
  symlinkSync(process.execPath, npx);
  const waits = "console.error('npm http fetch GET 200'); setInterval(() => {}, 1000)";
  const gateway = await open([stdio('a', [], { command: npx, args: ['-e', waits] })]);
  const { events } = await openEvents(gateway);
  const told = await waitFor(() =>
    events.find((event) => event.type === 'server' && event.server.start?.note !== undefined),
  );
  expect(told).toMatchObject({
    server: {
      status: 'connecting',
      stderrTail: ['npm http fetch GET 200'],
      start: {
        note: 'npx is probably still installing: the server itself has written nothing yet.',
        elapsedMs: expect.any(Number),
      },
    },
  });
});

test.each([
  [['npx', '-y', 'server'], 'npx'],
  [['/usr/bin/uvx', 'server'], 'uvx'],
  [['npm', '--silent', 'exec', 'server'], 'npm'],
  [['npx.cmd', 'server'], 'npx'],
  [['npm', 'start'], undefined],
  [['node', 'npx'], undefined],
])('%j is known as a program that fetches: %s', ([command = '', ...args], fetcher) => {
  expect(findFetcher({ command, args })).toBe(fetcher);
  const config = stdio('a', [], { command, args });
  expect(toStartLimitMs(config, 1000)).toBe(fetcher === undefined ? 1000 : 5000);
});
