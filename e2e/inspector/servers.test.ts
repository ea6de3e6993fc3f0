import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { reactOnceThereIs, servers } from './servers.js';
import { openInspector, readOptions, type InspectorPage } from './support.js';
import { browser, casement, useCasement } from '../support/use-casement.js';

let needed: string;
let inspector: InspectorPage;

useCasement((folder) => {
  needed = join(folder, 'needed.txt');
  return { ...servers, waiting: reactOnceThereIs(needed) };
});

beforeAll(async () => {
  inspector = await openInspector(browser, casement.url);
});

const toWords = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
const listed = async () => (await readOptions(inspector.servers)).map(toWords);
const offered = async () => (await readOptions(inspector.tools)).map(toWords);

describe('the list of servers', () => {
  test('says of each whether it runs and how many tools it offers', async () => {
    await eventually(listed).toEqual([
      'react 1 tool',
      'vue 1 tool',
      'debug 3 tools',
      'monitor 2 tools',
      expect.stringMatching(/^n8n \d+ tools$/),
      'waiting exited',
    ]);
  });

  test('a server that ended shows why, what it wrote, and that nothing can be run', async () => {
    await inspector.choose('waiting');
    const section = inspector.page.getByRole('region', { name: 'Servers' });
    await eventually(() => section.getByRole('alert').textContent()).toContain('server-exited');
    const output = section.getByLabel('Last error output of the server');
    expect(await output.textContent()).toBe(`cannot start without ${needed}`);
    const toolSection = inspector.page.getByRole('region', { name: 'Tools' });
    expect(await toolSection.textContent()).toContain('the server is not running');
    expect(await inspector.button('Run').isDisabled()).toBe(true);
  });

  test('a restart brings its tools and its app', async () => {
    writeFileSync(needed, '');
    await inspector.choose('waiting');
    await inspector.button('Restart server').click();
    await eventually(listed).toContain('waiting 1 tool');
    await eventually(offered).toEqual(['get-time MCP App']);
    await inspector.runApp();
    expect(await (await inspector.stage.app()).getByRole('button', { name: 'Get Server Time' }).count()).toBe(
      1,
    );
  });
});

describe('the list of tools', () => {
  test('marks the family of an app and the tools that only apps may call', async () => {
    await inspector.choose('debug');
    await eventually(offered).toEqual([
      'debug-tool MCP App',
      'debug-refresh app-only MCP App',
      'debug-log app-only MCP App',
    ]);
    await inspector.choose('monitor');
    await eventually(offered).toEqual(['get-system-info MCP App', 'poll-system-stats app-only']);
  });

  test('puts tools with an app first and finds tools by the words of their descriptions', async () => {
    await inspector.choose('n8n');
    await eventually(async () => (await offered()).slice(0, 2)).toEqual([
      'validate_node MCP App',
      'validate_workflow MCP App',
    ]);
    expect(await offered()).toContain('search_nodes');
    await inspector.toolSearch.fill('validate WORKFLOW');
    await eventually(offered).toContain('validate_workflow MCP App');
    expect(await offered()).not.toContain('search_nodes');
    await inspector.toolSearch.fill('nothing is called this');
    const section = inspector.page.getByRole('region', { name: 'Tools' });
    await eventually(() => section.textContent()).toContain('No tool matches');
    await inspector.toolSearch.fill('');
    await eventually(offered).toContain('search_nodes');
  });
});

describe('apps of different makers', () => {
  const appText = async () => (await inspector.stage.app()).locator('body').innerText();

  test('an app made with Vue shows the result of its tool', async () => {
    await inspector.choose('vue', 'get-time');
    await inspector.runApp();
    await eventually(appText).toMatch(/\d{4}-\d\d-\d\dT\d\d:\d\d/);
    await eventually(() => inspector.toolbar.textContent()).toContain('ready');
  });

  test('an app that polls a tool of its own goes on getting answers', async () => {
    await inspector.choose('monitor', 'get-system-info');
    await inspector.runApp();
    await eventually(appText).toContain('CPU');
    const polls = () => inspector.stage.count('app', 'in', 'tools/call');
    await eventually(polls).toBeGreaterThan(1);
  });

  test('a large third-party server shows its verdict on a node', async () => {
    await inspector.choose('n8n', 'validate_node');
    await inspector.button('JSON').click();
    await inspector.stage.toolArguments.fill(
      JSON.stringify({ nodeType: 'nodes-base.slack', config: { resource: 'channel', operation: 'create' } }),
    );
    await inspector.runApp();
    await eventually(appText).toContain('2 validation errors found');
  });
});
