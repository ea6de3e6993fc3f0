import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerPort } from '@casement/protocol/ports';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { readCodes, readPage, readRows, readSection } from './doc-tables.js';
import { readTypes } from './read-types.js';

const page = readPage('docs/reference/server-port.md');
const [, code = ''] = /^```ts\n(.*?)^```/ms.exec(page) ?? [];

// One program for both: the example must compile, or there are no types.
const types = readTypes(`
  ${code}
  import type { mountApp } from '@casement/host';
  export type Port = Parameters<typeof mountApp>[1]['server'];
  export type Event = Parameters<Parameters<Port['subscribe']>[0]>[0]['type'];
  export type Caller = Parameters<Port['callTool']>[1]['caller'];
`);
const sorted = (names: readonly string[]): string[] => names.toSorted();

test('the page has one row for every member of a port, and says which are needed', () => {
  expect(code).toContain('ServerPort');
  const said = readRows(readSection(page, 'Members')).map(([name = '', needed = '']) => ({
    name: readCodes(name).join(),
    isRequired: needed === 'yes',
  }));
  const byName = (one: { name: string }, other: { name: string }): number =>
    one.name.localeCompare(other.name);
  expect(said.toSorted(byName)).toEqual([...(types.get('Port')?.members ?? [])].toSorted(byName));
});

test('the page has one row for every event of a port and names every caller', () => {
  const events = readRows(readSection(page, 'Events')).map(([name = '']) => readCodes(name).join());
  expect(sorted(events)).toEqual(sorted(types.get('Event')?.literals ?? []));
  const callers = types.get('Caller')?.literals ?? [];
  expect(callers).toHaveLength(3);
  for (const caller of callers) expect(page).toContain(`'${caller}'`);
});

type Post = (body: unknown, signal?: AbortSignal) => Promise<unknown>;

/** The port that the page's own example makes. */
const createExamplePort = async (post: Post): Promise<ServerPort> => {
  const cache = join(import.meta.dirname, '../.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'port-'));
  try {
    writeFileSync(join(folder, 'endpoint-port.ts'), code);
    const outfile = join(folder, 'endpoint-port.mjs');
    await build({
      entryPoints: [join(folder, 'endpoint-port.ts')],
      outfile,
      format: 'esm',
      packages: 'external',
      bundle: true,
    });
    const { createEndpointPort } = (await import(outfile)) as {
      createEndpointPort: (name: string, post: Post) => Promise<ServerPort>;
    };
    return await createEndpointPort('notes', post);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

test('the example answers, says on whose behalf it asks, and keeps what fetch said to itself', async () => {
  const asked: unknown[] = [];
  const port = await createExamplePort((body) => {
    asked.push(body);
    return Promise.resolve({ content: [{ type: 'text', text: 'done' }] });
  });
  expect(port.identity).toMatch(/^[\w-]{43}$/);
  const result = await port.callTool({ name: 'save' }, { caller: 'app' });
  expect(result.content).toEqual([{ type: 'text', text: 'done' }]);
  expect(asked).toEqual([{ method: 'tools/call', params: { name: 'save', caller: 'app' } }]);

  const broken = await createExamplePort(() => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7')));
  await expect(broken.readResource({ uri: 'ui://a/b' }, { caller: 'user' })).rejects.toMatchObject({
    code: 'server-unreachable',
    message: 'The server "notes" did not answer.',
  });
});

test('the example refuses an answer that is no result', async () => {
  const port = await createExamplePort(() => Promise.resolve({ content: 'text' }));
  await expect(port.callTool({ name: 'save' }, { caller: 'app' })).rejects.toThrow();
});
