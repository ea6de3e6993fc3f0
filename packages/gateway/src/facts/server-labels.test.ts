import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { api, createFolder, start, stdio } from '../gateway.test-support.js';
import type { HttpServerConfig, ServerConfig } from './server-config.js';
import { createServerLabels } from './server-labels.js';

const fixtureServer = pathToFileURL(join(import.meta.dirname, '../../test-fixtures/fixture-server.mjs')).href;

const typed = (name: string): HttpServerConfig => ({
  name,
  isNameDerived: true,
  kind: 'http',
  url: `http://${name}.example/mcp`,
});
const chosen = (name: string): HttpServerConfig => ({ name, kind: 'http', url: 'http://127.0.0.1/mcp' });

const give = (configs: readonly ServerConfig[], ...infos: { name: string; title?: string }[]) => {
  const labels = createServerLabels();
  configs.forEach(labels.add);
  return configs.map((config, index) => labels.labelOf(config, infos[index]));
};

describe('the name a server is shown by', () => {
  test('is its title, else its name, where the configured one was made from a command or address', () => {
    expect(give([typed('tsx'), typed('esm')], { name: 'a', title: 'Bank' }, { name: 'b' })).toEqual([
      'Bank',
      'b',
    ]);
  });

  test('is the one the user chose, and nobody else gets it, in no spelling', () => {
    const own = ['Bank', 'bank', 'B a n k.', 'Ｂａｎｋ'];
    for (const title of own) {
      const [mine, other] = give([chosen('Bank'), typed('tsx')], { name: 'x' }, { name: 'y', title });
      expect([mine, other]).toEqual([undefined, `${title} (2)`]);
    }
  });

  test('is not what looks like the name of another in other letters', () => {
    // In one word, Cyrillic or Greek among Latin: no name at all.
    for (const title of ['Вank', 'Bаnk', 'Βank', 'My Bаnk (2)'])
      expect(give([typed('tsx')], { name: 'y', title })).toEqual([undefined]);
    const paired = [
      ['Mail', 'Mai1'],
      ['Mail', 'MaiI'],
      ['Google', 'G00gle'],
      ['Bank', 'ʙank'],
      ['Bank', 'Bánk'],
      ['cop', 'сор'],
      ['Modern', 'Modem'],
    ] as const;
    for (const [mine, title] of paired)
      expect(give([chosen(mine), typed('tsx')], { name: 'x' }, { name: 'y', title })[1]).toBe(`${title} (2)`);
    // One alphabet is anybody's own.
    expect(give([typed('a'), typed('b')], { name: 'Погода' }, { name: '天気 Weather' })).toEqual([
      'Погода',
      '天気 Weather',
    ]);
  });

  test('is told apart from all names that look the same, not from the last of them alone', () => {
    const configs = [chosen('my-files'), typed('myfiles')];
    expect(give(configs, { name: 'x' }, { name: 'my-files' })[1]).toBe('my-files (2)');
  });

  test('is not the name of the product, which asks the questions', () => {
    expect(give([typed('tsx')], { name: 'casement' })).toEqual(['casement (2)']);
  });

  test('is told apart by a suffix from another of the same title, and from one that plays the suffix', () => {
    const titles = ['Bank', 'Bank (2)', 'Bank', 'Bank'].map((title) => ({ name: 'x', title }));
    expect(give(['a', 'b', 'c', 'd'].map(typed), ...titles)).toEqual([
      'Bank',
      'Bank (2)',
      'Bank (3)',
      'Bank (4)',
    ]);
  });

  test('is not that by which another is addressed, which it has until it is connected', () => {
    expect(give([typed('weather'), typed('tsx')], { name: 'x' }, { name: 'Weather' })[1]).toBe('Weather (2)');
    expect(give([typed('weather')], { name: 'Weather' })).toEqual(['Weather']);
  });

  test('is printable and short, whatever the server sends', () => {
    const [long, turned, empty] = give(
      [typed('a'), typed('b'), typed('c')],
      { name: 'x'.repeat(1_000_000) },
      { name: '\u001b[31mred\u001b[0m\u202egnp\u0000' },
      { name: ' \u200b\u0007 ' },
    );
    expect(long?.length).toBeLessThan(70);
    expect(turned).not.toMatch(/\p{C}/u);
    expect(turned).toContain('red');
    expect(empty).toBeUndefined();
  });
});

test('the API goes on addressing a server by its configured name, and identity does not follow its words', async () => {
  const server = (name: string) => stdio('launcher', [`--name=${name}`], { isNameDerived: true });
  const gateway = await start({ servers: [server('Weather')] });
  const [summary] = gateway.servers();
  expect(summary).toMatchObject({ name: 'launcher', label: 'Weather', status: 'ready' });
  expect((await api(gateway, '/servers/launcher/tools')).status).toBe(200);
  expect((await api(gateway, '/servers/Weather/tools')).body.error?.code).toBe('server-unknown');
});

test.each([
  ['Weather', 'Bank'],
  ['Bank (of others)', 'Bank'],
])(
  'a server that calls itself otherwise after a restart keeps the name it was first shown by, and that is said (%s, %s)',
  async (first, then) => {
    const log = join(createFolder(), 'name');
    writeFileSync(log, first);
    // The same program, which reads who it is from a file.
    const script = `process.argv.push('--name=' + require('fs').readFileSync(${JSON.stringify(log)}, 'utf8')); import(${JSON.stringify(fixtureServer)})`;
    const gateway = await start({
      servers: [stdio('launcher', [], { isNameDerived: true, args: ['-e', script] })],
    });
    const [before] = gateway.servers();
    writeFileSync(log, then);
    const { body } = await api(gateway, '/servers/launcher/restart', {});
    expect(body['server']).toMatchObject({
      name: 'launcher',
      label: first,
      identity: before?.identity,
      serverInfo: { name: then },
      findings: [
        {
          code: 'server-renamed',
          message: `The server calls itself "${then}" now; it is shown as "${first}", as it was first connected.`,
          fix: 'Start casement anew to see it under its new name.',
        },
      ],
    });
  },
);
