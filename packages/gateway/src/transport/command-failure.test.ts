import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findScriptFailure, findStartFailure } from './command-failure.js';
import { createFolder, start, stdio } from '../gateway.test-support.js';
import type { StdioServerConfig } from '../facts/server-config.js';

const command = (
  program: string,
  args: string[] = [],
  { name = 'tested', ...more }: Partial<StdioServerConfig> = {},
): StdioServerConfig => stdio(name, [], { command: program, args, ...more });
const missing = Object.assign(new Error('spawn ENOENT'), { code: 'ENOENT' });
const tooLong = 'x'.repeat(300);

describe('a command that cannot be run', () => {
  test.each([
    ['with a name no file can have', command(`./${tooLong}`)],
    ['in a folder no file can have', command('x', [], { cwd: `/${tooLong}` })],
  ])('is explained %s', (_what, config) => {
    expect(findStartFailure(config, missing)).toMatchObject({ code: 'command-invalid' });
  });

  test('is explained where links lead in a circle', () => {
    const folder = createFolder();
    symlinkSync('circle', join(folder, 'circle'));
    const cwd = join(folder, 'circle');
    expect(findStartFailure(command('x', [], { cwd }), missing)).toMatchObject({ code: 'command-invalid' });
    expect(findScriptFailure(command('node', ['circle/app.mjs'], { cwd: folder }))).toMatchObject({
      code: 'command-invalid',
    });
  });

  test('fails alone: the gateway goes on', async () => {
    const servers = [
      command(`./${tooLong}`, [], { name: 'program' }),
      command('node', [`${tooLong}.mjs`], { name: 'script' }),
    ];
    const gateway = await start({ servers });
    expect(gateway.servers()).toMatchObject([
      { name: 'program', status: 'failed', error: { code: 'command-invalid' } },
      { name: 'script', status: 'exited', error: { code: 'command-invalid' } },
    ]);
  });
});

describe('the file a runner did not find', () => {
  test.each([
    ['a line for a shell', command('bash', ['-lc', 'cd /nowhere && ./start.sh'])],
    ['a longer line for a shell', command('bash', ['-lc', tooLong])],
    ['a program as text', command('node', ['-pe', 'require("./x.js")+".js"'])],
    ['an address', command('deno', ['run', '-A', 'https://example.com/server.ts'])],
  ])('is not %s', (_what, config) => {
    expect(findScriptFailure(config)).toBeUndefined();
  });

  test('is named although its own options look like those of the runner', () => {
    const failure = findScriptFailure(command('node', ['no-such-server.mjs', '-p', '3000']));
    expect(failure?.message).toContain('no-such-server.mjs');
  });
});
