import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readToolUi } from '@casement/protocol';
import { readAppHtml, readResourceUi } from '@casement/protocol/resource';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readBlocks } from './guide-blocks.test-support.js';

const root = join(import.meta.dirname, '../../..');
const folder = join(root, '.cache/every-host');
const blocks = readBlocks(readFileSync(join(root, 'docs/guide/every-host.md'), 'utf8'));
const ui = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };

beforeAll(() => {
  mkdirSync(folder, { recursive: true });
  for (const { file = '', code } of blocks) writeFileSync(join(folder, file), code);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const connect = async (extensions: Partial<typeof ui>, mode: 'auto' | 'legacy'): Promise<Client> => {
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: { extensions }, versionNegotiation: { mode } },
  );
  const args = [join(folder, 'server.mjs')];
  await client.connect(new StdioClientTransport({ command: process.execPath, args }));
  onTestFinished(() => client.close());
  return client;
};

// Each test starts processes, which a busy machine can hold up for longer than the usual five seconds.
describe.each(['auto', 'legacy'] as const)(
  'the server of the guide, protocol %s',
  { timeout: 60_000 },
  (mode) => {
    test('is found by hosts of each family', async () => {
      const client = await connect(ui, mode);
      const { tools } = await client.listTools();
      const [notes, refresh] = tools;
      const uri = 'ui://widget/show_notes.html';
      expect(readToolUi(notes)).toMatchObject({ resourceUri: uri, family: 'mcp-apps', findings: [] });
      for (const [key, family] of [
        ['ui/resourceUri', 'mcp-apps'],
        ['openai/outputTemplate', 'openai'],
      ] as const) {
        const alone = { ...notes, _meta: { [key]: notes?._meta?.[key] } };
        expect(readToolUi(alone)).toMatchObject({ resourceUri: uri, family });
      }
      expect(readToolUi(refresh).visibility).toEqual({ model: false, app: true });
      const { resources } = await client.listResources();
      const { contents } = await client.readResource({ uri });
      expect(readAppHtml({ contents }, uri).findings).toEqual([]);
      expect(readResourceUi({ content: contents[0], listing: resources[0], tool: notes })).toMatchObject({
        csp: { connectDomains: ['https://api.example.com'] },
        permissions: ['clipboardWrite'],
        prefersBorder: true,
        findings: [],
      });
    });

    test('has words for clients without apps', async () => {
      const text = async (extensions: Partial<typeof ui>) =>
        (await (await connect(extensions, mode)).callTool({ name: 'show_notes' })).content;
      expect(await text(ui)).toEqual([{ type: 'text', text: '1 notes are on screen.' }]);
      expect(await text({})).toEqual([{ type: 'text', text: 'Buy bread' }]);
    });
  },
);

test('every block of the guide is run', () => {
  expect(blocks.map(({ file }) => file)).toEqual(['server.mjs']);
});
