import { readdirSync, readFileSync } from 'node:fs';
import type { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
// @ts-expect-error -- scripts are plain JavaScript without types
import { toPlainBuiltins as untyped } from '../scripts/lib/plain-builtins.mjs';
// @ts-expect-error -- scripts are plain JavaScript without types
import { readClockMs as untypedClock } from '../scripts/lib/plain-clock.mjs';

const readClockMs = untypedClock as () => number;
const toPlainBuiltins = untyped as (text: string) => string;

test('imports of Node are made calls in front of all else, whatever they take', () => {
  const text = [
    '#!/usr/bin/env node',
    'import{createServer,request as ask}from"node:http";import*as path from"path";a();import process from"node:process";',
    'let a=1;import{x}from"./own.js";import{y}from"other";import{ join }from"node:path";import open,{z}from"node:os";',
    'const text=`import{no}from"nothing"`;',
  ].join('\n');
  const get = 'globalThis.process.getBuiltinModule';
  expect(toPlainBuiltins(text)).toBe(
    [
      '#!/usr/bin/env node',
      [
        `const {createServer,request:ask}=${get}("node:http");const path=${get}("path");`,
        `const process=${get}("node:process");const { join }=${get}("node:path");a();`,
      ].join(''),
      'let a=1;import{x}from"./own.js";import{y}from"other";import open,{z}from"node:os";',
      'const text=`import{no}from"nothing"`;',
    ].join('\n'),
  );
});

test('files are read and written by a module that comes with the first call', async () => {
  const text = toPlainBuiltins(
    'import{readFile,stat as look}from"node:fs/promises";export const read=[readFile,look];',
  );
  expect(text).not.toContain('import{');
  const { read } = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as {
    read: [typeof readFile, typeof stat];
  };
  const [readText, look] = read;
  expect(await readText(import.meta.filename, 'utf8')).toContain('a module that comes with the first call');
  expect((await look(import.meta.dirname)).isDirectory()).toBe(true);
  expect(() => toPlainBuiltins('import{constants}from"node:fs/promises";')).toThrow('no function');
});

test('the clock is the one that is there, and the scripts of pages keep theirs', () => {
  expect(Math.abs(readClockMs() - performance.now())).toBeLessThan(1000);
  const chunks = join(import.meta.dirname, '../packages/casement/dist/chunks');
  const textOf = (name: string): string =>
    readFileSync(join(chunks, readdirSync(chunks).find((file) => file.startsWith(name)) ?? name), 'utf8');
  expect(textOf('live-connection-')).not.toContain('performance.now(');
  // The pages of the sandbox are texts in it.
  expect(textOf('sandbox-handler-')).toContain('performance.now(');
  expect(textOf('sandbox-handler-')).not.toMatch(/readClockMs|process\.uptime/);
});

test('the command imports nothing of Node before it serves', () => {
  const dist = join(import.meta.dirname, '../packages/casement/dist');
  const files = ['cli.js', ...readdirSync(join(dist, 'chunks')).map((name) => `chunks/${name}`)];
  const started = files.filter((file) =>
    /^(?:cli|chunks\/(?:basics|serve|live-connection)-.*)\.js$/.test(file),
  );
  expect(started.length).toBeGreaterThanOrEqual(4);
  for (const file of started)
    expect(
      readFileSync(join(dist, file), 'utf8').match(/\bimport\b[^;"'()]*from\s*"node:\w+"/g),
      file,
    ).toBeNull();
});

test('every file of the command can be loaded', async () => {
  const chunks = join(import.meta.dirname, '../packages/casement/dist/chunks');
  const files = readdirSync(chunks).filter((name) => name.endsWith('.js'));
  expect(files.length).toBeGreaterThan(8);
  for (const file of files) await expect(import(join(chunks, file)), file).resolves.toBeTypeOf('object');
});
