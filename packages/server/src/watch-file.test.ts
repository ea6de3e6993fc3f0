import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { McpServer as OldServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { toFixedTemplate } from './app-template.js';
import { registerAppResource } from './register-app-resource.js';
import { watchFile } from './watch-file.js';

const createFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'casement-watch-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** How often somebody looked whether a listener is still there, since this was called. */
const countLooks = (): (() => number) => {
  const { prototype } = WeakRef;
  const look = Object.getOwnPropertyDescriptor(prototype, 'deref');
  let count = 0;
  Object.defineProperty(prototype, 'deref', {
    ...look,
    value(this: WeakRef<object>) {
      count += 1;
      return look?.value.call(this);
    },
  });
  onTestFinished(() => void Object.defineProperty(prototype, 'deref', look ?? {}));
  return () => count;
};

describe('a file that is watched', () => {
  // vitest fails a run in which a timer or a watcher throws: that would end an author's server.
  test('may end up behind links in a circle, and is told of when it is back', async () => {
    const folder = createFolder();
    const parent = join(folder, 'build');
    mkdirSync(join(parent, 'dist'), { recursive: true });
    const file = join(parent, 'dist', 'app.html');
    writeFileSync(file, 'one');
    const onChange = vi.fn();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    watchFile(file, onChange);
    renameSync(parent, join(folder, 'moved'));
    symlinkSync('build', parent);
    writeFileSync(join(folder, 'moved', 'dist', 'app.html'), 'two');
    // The watcher has heard of it: from here on its own timers are all that happens.
    while (vi.getTimerCount() === 0) await nextTurn();
    await vi.advanceTimersByTimeAsync(5_000);
    onChange.mockClear();
    rmSync(parent);
    renameSync(join(folder, 'moved'), parent);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(onChange).toHaveBeenCalled();
  });

  test('may be watched by thousands of servers, each made for one request', async () => {
    const file = join(createFolder(), 'app.html');
    const held: (() => void)[] = [];
    let told = 0;
    const looks = countLooks();
    for (let count = 0; count < 10_000; count += 1) {
      held.push(() => (told += 1));
      watchFile(file, held.at(-1) ?? (() => {}));
      if (count % 100 === 0) await nextTurn();
    }
    // Walking through all of them for each new one would be fifty million.
    expect(looks()).toBeLessThan(4 * held.length);
    writeFileSync(file, 'new');
    await expect.poll(() => told, { timeout: 20_000 }).toBe(held.length);
  }, 30_000);
});

describe('a template', () => {
  // vitest fails a run with a rejection that nobody hears, which would end an author's server.
  test.each([
    ['1.x', () => new OldServer({ name: 'x', version: '1' })],
    ['2.x', () => new McpServer({ name: 'x', version: '1' })],
  ])(
    'that is saved while a client cannot be told of it ends nothing (%s)',
    async (_which, create) => {
      const file = join(createFolder(), 'app.html');
      writeFileSync(file, '<!doctype html>one');
      const server = create();
      registerAppResource(server, 'A', 'ui://a/app.html', { ui: { prefersBorder: true } }, { file });
      const send = vi.fn(() => Promise.reject(new Error('the client is gone')));
      await server.connect({ start: async () => {}, close: async () => {}, send });
      writeFileSync(file, '<!doctype html>other');
      await expect.poll(() => send, { timeout: 20_000 }).toHaveBeenCalled();
      // By now a rejection would have been told.
      await nextTurn();
    },
    30_000,
  );

  test.skipIf(process.platform === 'win32')('that is a pipe is refused, not waited for', () => {
    const pipe = join(createFolder(), 'app.html');
    execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
    // So that a server that does read it fails this test, and does not wait for ever.
    const writer = spawn('sh', ['-c', 'printf "<!doctype html>" > "$0"', pipe]);
    onTestFinished(() => void writer.kill());
    expect(() => toFixedTemplate({ file: pipe })).toThrow('cannot be read');
  });
});
