import { existsSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { api, createFolder, isAlive, openEvents, start, stdio, waitFor } from '../gateway.test-support.js';
import type { EntryProblem, EntryView, RunningGateway, ServerSummary } from '../index.js';

const fixture = stdio('x').args[0] ?? '';

const run = (...flags: string[]) => ({ command: process.execPath, args: [fixture, ...flags] });

const write = (path: string, mcpServers: unknown): void =>
  writeFileSync(path, JSON.stringify({ mcpServers }));

const places = () => {
  const folder = createFolder();
  return {
    file: join(folder, 'mcp.json'),
    log: join(folder, 'log'),
    dirs: { configDir: join(folder, 'config'), stateDir: join(folder, 'state') },
  };
};

const list = async (gateway: RunningGateway): Promise<EntryView[]> =>
  (await api(gateway, '/entries')).body['entries'] as EntryView[];

const statuses = (gateway: RunningGateway): Record<string, ServerSummary['status']> =>
  Object.fromEntries(gateway.servers().map(({ name, status }) => [name, status]));

const readPids = (log: string): number[] =>
  existsSync(log)
    ? [...readFileSync(log, 'utf8').matchAll(/start (\d+)/g)].map(([, pid]) => Number(pid))
    : [];

describe('a server of a config file', () => {
  test('C17 C18 starts after a yes, which holds for the next launch and not for a changed entry', async () => {
    const { file, log, dirs } = places();
    write(file, { a: run(`--log=${log}`), b: run() });
    const gateway = await start({ ...dirs, configFile: file });
    expect(statuses(gateway)).toEqual({ a: 'unconfirmed', b: 'unconfirmed' });
    expect(existsSync(log)).toBe(false);
    const [entry] = await list(gateway);
    expect(entry).toMatchObject({ source: 'file', file, confirmed: false, cwd: process.cwd() });
    await api(gateway, '/entries/a/confirm', { hash: entry?.hash });
    await waitFor(() => statuses(gateway)['a'] === 'ready');
    await gateway.close();
    const next = await start({ ...dirs, configFile: file });
    expect(statuses(next)).toEqual({ a: 'ready', b: 'unconfirmed' });
    const [, pid = 0] = readPids(log);
    expect(isAlive(pid)).toBe(true);
    // Saved with another argument while it runs: ended, and asked about again.
    write(file, { a: run(`--log=${log}`, '--more'), b: run() });
    await waitFor(() => statuses(next)['a'] === 'unconfirmed');
    await waitFor(() => !isAlive(pid));
    expect(readPids(log)).toHaveLength(2);
    expect((await list(next)).map(({ changed }) => changed)).toEqual([true, undefined]);
    await next.close();
    const last = await start({ ...dirs, configFile: file });
    expect(statuses(last)['a']).toBe('unconfirmed');
  });

  test('C18 that the user vouched for starts unasked, and only as it was then', async () => {
    const { file, log, dirs } = places();
    write(file, { a: run(`--log=${log}`) });
    const gateway = await start({ ...dirs, configFile: file, trustConfig: true });
    expect(statuses(gateway)).toEqual({ a: 'ready' });
    expect(existsSync(join(dirs.configDir, 'confirmations.json'))).toBe(false);
    write(file, { a: run(`--log=${log}`, '--more'), b: run(`--log=${log}`) });
    await waitFor(() => statuses(gateway)['b'] === 'unconfirmed');
    expect(statuses(gateway)).toEqual({ a: 'unconfirmed', b: 'unconfirmed' });
    await waitFor(() => readPids(log).every((pid) => !isAlive(pid)));
    expect(readPids(log)).toHaveLength(1);
  });

  test('cannot be changed or removed here, but switched off, and that is remembered', async () => {
    const { file, dirs } = places();
    write(file, { a: run(), b: run() });
    const gateway = await start({ ...dirs, configFile: file, trustConfig: true, servers: [stdio('typed')] });
    const entry = { name: 'a', kind: 'stdio', command: 'x', args: [] };
    for (const name of ['a', 'typed']) {
      expect((await api(gateway, `/entries/${name}/change`, { entry })).body.error?.code).toBe(
        'entry-read-only',
      );
      expect((await api(gateway, `/entries/${name}/remove`, {})).body.error?.code).toBe('entry-read-only');
    }
    expect((await api(gateway, '/entries/typed/enable', { enabled: false })).status).toBe(403);
    await api(gateway, '/entries/a/enable', { enabled: false });
    await api(gateway, '/entries/order', { names: ['b', 'a'] });
    await gateway.close();
    const next = await start({ ...dirs, configFile: file, trustConfig: true });
    expect(next.servers().map(({ name, status }) => [name, status])).toEqual([
      ['b', 'ready'],
      ['a', 'disabled'],
    ]);
  });

  test('keeps its name beside one that was typed or is kept', async () => {
    const { file, dirs } = places();
    write(file, { a: run() });
    const typed = { ...stdio('a'), isNameDerived: true };
    const gateway = await start({ ...dirs, configFile: file, servers: [typed] });
    expect(gateway.servers().map(({ name, source }) => [name, source])).toEqual([
      ['a-2', 'typed'],
      ['a', 'file'],
    ]);
  });
});

describe('a config file that is followed', () => {
  test('brings, changes and takes servers; those that are the same go on', async () => {
    const { file, log, dirs } = places();
    write(file, { a: run(`--log=${log}`), b: run() });
    const gateway = await start({ ...dirs, configFile: file, trustConfig: true });
    const events = await openEvents(gateway);
    // As editors do it: written beside, then put in its place.
    write(`${file}.new`, { a: run(`--log=${log}`), c: run() });
    renameSync(`${file}.new`, file);
    await events.until((event) => event.type === 'server-removed' && event.server === 'b');
    await waitFor(() => statuses(gateway)['c'] === 'unconfirmed');
    expect(statuses(gateway)).toEqual({ a: 'ready', c: 'unconfirmed' });
    expect(readPids(log)).toHaveLength(1);
  });

  test('that breaks keeps its servers and says where, and says so no more when it is whole', async () => {
    const { file, dirs } = places();
    write(file, { a: run() });
    const told: EntryProblem[] = [];
    const gateway = await start({
      ...dirs,
      configFile: file,
      trustConfig: true,
      onProblem: (problem) => told.push(problem),
    });
    const problems = async () => (await api(gateway, '/entries')).body['problems'] as EntryProblem[];
    const events = await openEvents(gateway);
    writeFileSync(file, '{\n  "mcpServers": {\n    "a": }\n}');
    await events.until((event) => event.type === 'entries-changed');
    expect(await problems()).toMatchObject([{ file, line: 3, column: 10 }]);
    expect(told).toMatchObject([{ file, line: 3, column: 10 }]);
    expect(statuses(gateway)).toEqual({ a: 'ready' });
    rmSync(file);
    await waitFor(() => told.at(-1)?.message.includes('no such file'));
    expect(statuses(gateway)).toEqual({ a: 'ready' });
    write(file, { a: run(), b: run() });
    await waitFor(() => statuses(gateway)['b'] === 'unconfirmed');
    expect(await problems()).toEqual([]);
    expect(statuses(gateway)['a']).toBe('ready');
  });

  test('is followed through a link', async () => {
    const { file, dirs } = places();
    const real = join(createFolder(), 'real.json');
    write(real, { a: run() });
    symlinkSync(real, file);
    const gateway = await start({ ...dirs, configFile: file });
    write(real, { b: run() });
    await waitFor(() => statuses(gateway)['b'] === 'unconfirmed');
  });

  test('a thousand savings cost a few readings, and the last one counts', async () => {
    const { file, dirs } = places();
    write(file, { a: run() });
    const gateway = await start({ ...dirs, configFile: file, trustConfig: true });
    const events = await openEvents(gateway);
    for (let count = 0; count < 1000; count += 1) {
      write(file, { a: run(), [`b${count}`]: run() });
      if (count % 50 === 0) expect((await api(gateway, '/status')).status).toBe(200);
    }
    await waitFor(() => statuses(gateway)['b999'] === 'unconfirmed');
    expect(statuses(gateway)).toEqual({ a: 'ready', b999: 'unconfirmed' });
    const readings = events.events.filter(({ type }) => type === 'entries-changed').length;
    expect(readings).toBeLessThan(200);
  });
});

test('a config file that is broken at the start is refused with its place', async () => {
  const { file, dirs } = places();
  const begin = () => start({ ...dirs, configFile: file });
  writeFileSync(file, '{\n "mcpServers": { "a": { "command": "x", } \n');
  await expect(begin()).rejects.toMatchObject({
    code: 'config-invalid',
    message: expect.stringMatching(/mcp\.json" is not JSON: .* \(line 3, column 1\)$/) as string,
  });
  writeFileSync(file, '{\n "mcpServers": { "a": { "command": "" } } }');
  await expect(begin()).rejects.toMatchObject({
    code: 'config-invalid',
    message: expect.stringMatching(
      /^The server "a" has an empty command, in ".*mcp\.json" \(line 2, column 18\)$/,
    ) as string,
  });
  rmSync(file);
  await expect(begin()).rejects.toMatchObject({ code: 'config-unreadable' });
});
