import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readToolUi } from '@casement/protocol/resource';
import { readAppHtml, readResourceUi } from '@casement/protocol/resource';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { verifies } from '../../../test/verifies.js';
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

const connect = async (
  extensions: Partial<typeof ui>,
  mode: 'auto' | 'legacy',
  file = 'server.mjs',
): Promise<Client> => {
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: { extensions }, versionNegotiation: { mode } },
  );
  const args = [join(folder, file)];
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

    test('has a second document for hosts that know the other family alone; hosts that know both take the app', async () => {
      const client = await connect(ui, mode, 'openai-only.mjs');
      const [tool] = (await client.listTools()).tools;
      const uri = 'ui://widget/list_notes.html';
      const widgetUri = 'ui://widget/list_notes.skybridge.html';
      const both = readToolUi(tool);
      expect(both).toMatchObject({ resourceUri: uri, family: 'mcp-apps' });
      expect(both.findings.map(({ code }) => code)).toEqual(['two-families']);
      const alone = { ...tool, _meta: { 'openai/outputTemplate': tool?._meta?.['openai/outputTemplate'] } };
      expect(readToolUi(alone)).toMatchObject({ resourceUri: widgetUri, family: 'openai' });
      for (const [address, family] of [
        [uri, 'mcp-apps'],
        [widgetUri, 'openai'],
      ] as const) {
        const { contents } = await client.readResource({ uri: address });
        expect(readAppHtml({ contents }, address)).toMatchObject({ family });
      }
    });
  },
);

verifies(
  'SERVER-017',
  'a client gets the variant of a tool that it can show',
  async () => {
    const names = async (extensions: Partial<typeof ui>, mode: 'auto' | 'legacy') =>
      (await (await connect(extensions, mode, 'variants.mjs')).listTools()).tools.map(({ name }) => name);
    // The notification after which the choice is made may be on its way still.
    await expect.poll(() => names(ui, 'legacy'), { timeout: 20_000 }).toEqual(['show_notes']);
    await expect.poll(() => names({}, 'legacy'), { timeout: 20_000 }).toEqual(['read_notes']);
    expect(await names(ui, 'auto')).toEqual(['show_notes']);
  },
  60_000,
);

test('every block of the guide is run', () => {
  expect(blocks.map(({ file }) => file)).toEqual(['server.mjs', 'openai-only.mjs', 'variants.mjs']);
});
