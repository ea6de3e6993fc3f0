import { join } from 'node:path';
import { lintDocument, lintServer } from '@casement/checks/rules';
import { isRecord } from '@casement/protocol/start';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, test } from 'vitest';
import { pdfServer, publishedServers } from '../../e2e/support/server-commands.js';

const root = join(import.meta.dirname, '../..');
const example = (path: string): string[] => [process.execPath, join(root, 'examples', path)];

/** What the rules find in what a server declares and serves, as codes with what they are about. */
const lint = async ([command = '', ...args]: readonly string[]): Promise<string[]> => {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport({ command, args, stderr: 'ignore' }));
  try {
    const { tools } = await client.listTools();
    const { resources } = client.getServerCapabilities()?.resources
      ? await client.listResources()
      : { resources: [] };
    const apps = resources.filter(({ uri }) => uri.startsWith('ui://'));
    const contents = await Promise.all(apps.map(({ uri }) => client.readResource({ uri })));
    const documents = contents.flatMap((read) =>
      read.contents.flatMap((item) => {
        const { text, ...rest } = { text: undefined, ...item };
        return typeof text === 'string' && isRecord(rest) ? lintDocument({ html: text, item: rest }) : [];
      }),
    );
    return [...lintServer({ tools, resources }), ...documents].map(({ code, path }) =>
      `${code} ${path ?? ''}`.trim(),
    );
  } finally {
    await client.close();
  }
};

const unannotated = (...names: readonly string[]): string[] =>
  names.map((name) => `annotations-missing tool "${name}" annotations`);

/** Each finding was looked at and is true: tools that say nothing of the harm a call does, and a document of 4.3 MB. */
describe('what the rules find in servers whose apps are well', () => {
  test.each([
    ['weather example', example('weather-server/dist/main.js'), []],
    ['basic-react', publishedServers.basicReact, unannotated('get-time')],
    ['map', publishedServers.map, unannotated('show-map', 'geocode')],
    ['system-monitor', publishedServers.monitor, unannotated('get-system-info', 'poll-system-stats')],
    [
      'pdf',
      pdfServer(),
      [
        ...unannotated('list_pdfs', 'read_pdf_bytes', 'display_pdf', 'interact', 'submit_page_data'),
        ...unannotated('submit_save_data', 'submit_viewer_state', 'poll_pdf_commands', 'save_pdf'),
        'html-large html:7',
      ],
    ],
  ])('%s', async (_, command, expected) => {
    expect(await lint(command)).toEqual(expected);
  });
});
