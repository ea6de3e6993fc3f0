import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
// @ts-expect-error -- scripts are plain JavaScript without types
import { toPlainBuiltins as untyped } from '../scripts/lib/plain-builtins.mjs';

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
