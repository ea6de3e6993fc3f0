import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { api, callTool, createFolder, openEvents, start, stdio, waitFor } from '../gateway.test-support.js';
import { measureRound, startClient } from '../connection/answer-times.test-support.js';
import { readApp, startWatched, toProgram, uri, versionOf } from './watch.test-support.js';

describe('a watched server', () => {
  test('is started anew when its program is saved, and the change is one entry with the name of the file', async () => {
    const { gateway, save, untilDealt, events, changes } = await startWatched();
    save('server.mjs', toProgram('two'));
    expect(await untilDealt(0)).toMatchObject({
      files: ['server.mjs'],
      step: 'restarted',
      ms: expect.any(Number),
    });
    expect(versionOf(gateway)).toBe('two');
    const entries = events.flatMap((event) => (event.type === 'recording' ? [event.entry] : []));
    const isWatch = ({ raw }: { raw: unknown }): boolean => (raw as { type?: string }).type === 'watch'; // every entry here is an object
    expect(entries.filter(isWatch).map(({ raw }) => raw)).toEqual([
      expect.objectContaining({ type: 'watch', files: ['server.mjs'], step: 'restarted' }),
    ]);
    expect(changes().map(({ step }) => step)).toEqual(['seen', 'restarted']);
  });

  test('goes on when it reads its page from the file that was saved: the page is told of the new hash', async () => {
    const { gateway, save, untilDealt, until } = await startWatched();
    await readApp(gateway);
    save('app.html', '<p>two</p>');
    expect(await untilDealt(0)).toMatchObject({ files: ['app.html'], step: 'read', resources: [uri] });
    expect(await until(({ type }) => type === 'app-changed')).toMatchObject({
      server: 'a',
      uri,
      // echo -n '<p>two</p>' | sha256sum
      hash: '95482e1757145624cdab7d9446ad00bd9714f0d1531dad96215cf1491369285a',
      by: 'save',
    });
  });

  test('is started anew for a page that it read when it started', async () => {
    const { gateway, save, untilDealt } = await startWatched(['--early']);
    await readApp(gateway);
    save('app.html', '<p>two</p>');
    expect(await untilDealt(0)).toMatchObject({ files: ['app.html'], step: 'restarted' });
    expect(await readApp(gateway)).toContain('<p>two</p>');
  });

  test('that does not start is said to, and the next save tries again', async () => {
    const { gateway, save, untilDealt } = await startWatched();
    save('server.mjs', 'this is no program');
    expect(await untilDealt(0)).toMatchObject({ step: 'failed', error: { code: 'server-exited' } });
    save('server.mjs', toProgram('three'));
    expect(await untilDealt(1)).toMatchObject({ step: 'restarted' });
    expect(versionOf(gateway)).toBe('three');
  });

  test('that hangs while it starts is given up for the next save', async () => {
    const { gateway, save, changes } = await startWatched();
    save('server.mjs', 'process.stderr.write("hanging"); setInterval(() => undefined, 1000);');
    await waitFor(() => gateway.servers()[0]?.stderrTail?.includes('hanging'));
    // A start is waited for a few seconds; the time limit of a request is a minute.
    await waitFor(() => {
      save('server.mjs', toProgram('four'));
      return changes().some(({ step }) => step === 'failed');
    });
    await waitFor(() => versionOf(gateway) === 'four');
  });

  test('is followed through a rename over the file, a file that is deleted and comes back, and a new folder', async () => {
    const { folder, gateway, save, untilDealt, changes } = await startWatched();
    save('server.mjs.new', toProgram('renamed'));
    renameSync(join(folder, 'server.mjs.new'), join(folder, 'server.mjs'));
    expect((await untilDealt(0)).files).toContain('server.mjs');
    await waitFor(() => versionOf(gateway) === 'renamed');
    rmSync(join(folder, 'server.mjs'));
    await waitFor(() => gateway.servers()[0]?.status === 'exited');
    save('server.mjs', toProgram('back'));
    await waitFor(() => versionOf(gateway) === 'back');
    mkdirSync(join(folder, 'lib/deep'), { recursive: true });
    save('lib/deep/part.mjs', 'export {};');
    await waitFor(() => changes().some(({ files }) => files.includes('lib/deep/part.mjs')));
    rmSync(join(folder, 'lib'), { recursive: true });
    mkdirSync(join(folder, 'lib'));
    save('lib/other.mjs', 'export {};');
    await waitFor(() => changes().some(({ files }) => files.includes('lib/other.mjs')));
  });

  test('is not started anew for what no server is made of, nor when it is not watched any more', async () => {
    const { folder, save, gateway, changes, untilDealt } = await startWatched();
    mkdirSync(join(folder, 'node_modules/x'), { recursive: true });
    mkdirSync(join(folder, '.git'));
    for (const name of [
      'node_modules/x/i.js',
      '.git/HEAD',
      'notes.log',
      '.server.mjs.swp',
      'server.mjs~',
      'data.db',
    ])
      save(name, 'x');
    save('server.mjs', toProgram('two'));
    expect(await untilDealt(0)).toMatchObject({ files: ['server.mjs'] });
    expect(changes().flatMap(({ files }) => files)).toEqual(['server.mjs', 'server.mjs']);
    expect((await api(gateway, '/servers/a/watch', { on: false })).body).not.toHaveProperty('server.watch');
    save('server.mjs', toProgram('three'));
    await callTool(gateway, 'a', 'show');
    expect(versionOf(gateway)).toBe('two');
  });

  test('has links that lead in a circle, and names that nobody may see as they are', async () => {
    const { folder, save, untilDealt } = await startWatched();
    symlinkSync(folder, join(folder, 'loop'));
    const { files } = await untilDealt(0);
    expect(files).toEqual(['loop']);
    save('part\u202egnp.mjs', 'export {};');
    expect((await untilDealt(1)).files.join()).not.toContain('\u202e');
  });
});

describe('a storm', () => {
  test('of 1,000 saves in some seconds is a few starts, the last state wins, and the gateway answers meanwhile', async () => {
    const { gateway, save, events, changes } = await startWatched();
    const client = startClient(gateway);
    await client.endRound();
    const { worst, failures } = await measureRound(client, async () => {
      for (let count = 0; count < 1_000; count += 1) {
        save('server.mjs', toProgram(`v${count}`));
        // Others have their turn, as they would between the saves of an editor.
        if (count % 10 === 0) await pause(20);
      }
      await waitFor(() => versionOf(gateway) === 'v999', 30_000);
    });
    expect(failures).toBe(0);
    // The limit only catches a loop that stands still; the processes that start take most of a small machine.
    expect(worst).toBeLessThan(2_000);
    const starts = changes().filter(({ step }) => step !== 'seen');
    expect(starts.length).toBeLessThan(20);
    expect(
      events.some(
        (event) => event.type === 'recording' && JSON.stringify(event.entry).includes('watch-storm'),
      ),
    ).toBe(true);
  });

  test('of more folders and files than are watched is said by name, and what is near is watched all the same', async () => {
    const folder = createFolder();
    for (let count = 0; count < 2_100; count += 1) mkdirSync(join(folder, `g${count}`));
    const gateway = await start({ servers: [stdio('a')], watch: { paths: [folder] } });
    const { until } = await openEvents(gateway);
    await until((event) => event.type === 'server' && event.server.watch?.problems !== undefined);
    expect(gateway.servers()[0]?.watch?.problems).toMatchObject([{ code: 'watch-limited' }]);
    writeFileSync(join(folder, 'near.js'), 'x');
    await until((event) => event.type === 'watch-change' && event.change.files.includes('near.js'));
  });
});

test('a command that names no file of its own says that nothing is watched', async () => {
  const gateway = await start({
    servers: [
      { name: 'a', kind: 'stdio', command: 'env', args: ['node', '--version'], cwd: '/', inheritEnv: false },
    ],
  });
  const { body } = await api(gateway, '/servers/a/watch', { on: true });
  expect(body).toMatchObject({ server: { watch: { folders: [], problems: [{ code: 'watch-nothing' }] } } });
});

test('a look leaves nothing in the recording but a change, and looks at nothing that no page was given', async () => {
  const { gateway, save, events, until } = await startWatched();
  await api(gateway, '/servers/a/watch', { on: false });
  const reads = (): number =>
    events.filter(
      (event) => event.type === 'recording' && JSON.stringify(event.entry).includes('resources/read'),
    ).length;
  expect((await api(gateway, '/servers/a/watch/look', { uri })).body).toEqual({ changed: [] });
  expect(reads()).toBe(0);
  await readApp(gateway);
  const known = reads();
  for (let count = 0; count < 3; count += 1)
    expect((await api(gateway, '/servers/a/watch/look', { uri })).body).toEqual({ changed: [] });
  save('app.html', '<p>two</p>');
  expect((await api(gateway, '/servers/a/watch/look', { uri })).body).toMatchObject({
    changed: [{ uri, hash: expect.any(String) }],
  });
  await until((event) => event.type === 'app-changed' && event.by === 'look');
  expect(reads()).toBe(known);
});
