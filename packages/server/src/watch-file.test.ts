import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
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

describe('a file that is watched', () => {
  // vitest fails a run in which a timer or a watcher throws: that would end an author's server.
  test('may end up behind links in a circle, and is told of when it is back', async () => {
    const folder = createFolder();
    const parent = join(folder, 'build');
    mkdirSync(join(parent, 'dist'), { recursive: true });
    const file = join(parent, 'dist', 'app.html');
    writeFileSync(file, 'one');
    const onChange = vi.fn();
    watchFile(file, onChange);
    renameSync(parent, join(folder, 'moved'));
    symlinkSync('build', parent);
    writeFileSync(join(folder, 'moved', 'dist', 'app.html'), 'two');
    await wait(400);
    onChange.mockClear();
    rmSync(parent);
    renameSync(join(folder, 'moved'), parent);
    await vi.waitFor(() => expect(onChange).toHaveBeenCalled(), 5000);
  });

  test('may be watched by thousands of servers, each made for one request', async () => {
    const file = join(createFolder(), 'app.html');
    const held: (() => void)[] = [];
    let told = 0;
    const begun = performance.now();
    for (let count = 0; count < 10_000; count += 1) {
      held.push(() => (told += 1));
      watchFile(file, held.at(-1) ?? (() => {}));
      if (count % 100 === 0) await wait(0);
    }
    // Walking through all of them for each new one takes many times as long.
    expect(performance.now() - begun).toBeLessThan(2000);
    writeFileSync(file, 'new');
    await vi.waitFor(() => expect(told).toBe(held.length), 5000);
  });
});

describe('a template', () => {
  // vitest fails a run with a rejection that nobody hears, which would end an author's server.
  test.each([
    ['1.x', () => new OldServer({ name: 'x', version: '1' })],
    ['2.x', () => new McpServer({ name: 'x', version: '1' })],
  ])('that is saved while a client cannot be told of it ends nothing (%s)', async (_which, create) => {
    const file = join(createFolder(), 'app.html');
    writeFileSync(file, '<!doctype html>one');
    const server = create();
    registerAppResource(server, 'A', 'ui://a/app.html', { ui: { prefersBorder: true } }, { file });
    const send = vi.fn(() => Promise.reject(new Error('the client is gone')));
    await server.connect({ start: async () => {}, close: async () => {}, send });
    writeFileSync(file, '<!doctype html>other');
    await vi.waitFor(() => expect(send).toHaveBeenCalled(), 5000);
    await wait(50);
  });

  test.skipIf(process.platform === 'win32')('that is a pipe is refused, not waited for', () => {
    const pipe = join(createFolder(), 'app.html');
    execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
    // So that a server that does read it fails this test, and does not wait for ever.
    const writer = spawn('sh', ['-c', 'printf "<!doctype html>" > "$0"', pipe]);
    onTestFinished(() => void writer.kill());
    expect(() => toFixedTemplate({ file: pipe })).toThrow('cannot be read');
  });
});
