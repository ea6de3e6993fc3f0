import { expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.js';
import { page, useHostPage } from '../fixture.js';
import { quietApp } from '../../support/guest.js';
import { eventually } from '../../support/eventually.js';
import { inApp, logged, showFamily, snapshotOf } from './show-family.js';

useHostPage();

const uri = 'ui://family/app';
const today = 'text/html;profile=mcp-app';
const both = { ui: { resourceUri: uri }, 'openai/outputTemplate': 'ui://family/template' };
const seen = `return {
  openai: typeof window.openai, mcpApp: typeof window.mcpApp, origin: location.origin,
  parent: window.parent === top.frames[0] || [...Array(top.length).keys()].some((at) => top.frames[at] === window.parent),
}`;

test('a tool with both keys is an MCP App, and a widget when the embedder wants it', async () => {
  await showFamily({ html: quietApp, mimeType: today, toolMeta: both });
  expect(await snapshotOf()).toMatchObject({ policy: { effective: { family: 'mcp-apps' } } });
  const widget = await showFamily({
    html: '<p>widget</p>',
    mimeType: today,
    toolMeta: both,
    toolInput: {},
    options: { family: 'openai' },
  });
  expect(await snapshotOf(widget)).toMatchObject({ policy: { effective: { family: 'openai' } } });
  expect(await logged('readResource')).toEqual([uri, 'ui://family/template']);
  expect((await snapshotOf())?.findings.map(({ code }) => code)).toEqual(['two-families']);
});

verifies(
  ['S1-11', 'S1-10'],
  'three families side by side: each has its own global, its own frame and its own origin',
  async () => {
    const legacy = `${quietApp}<script>window.addEventListener('mcp:tool-input', () => undefined);</script>`;
    const app = await showFamily({ html: legacy, mimeType: today, toolMeta: { ui: { resourceUri: uri } } });
    const widget = await showFamily({ html: '<p>widget</p>', toolInput: {} });
    const inline = await showFamily({
      toolMeta: {},
      options: {
        embedded: { type: 'resource', resource: { uri, mimeType: 'text/html', text: '<p>ui</p>' } },
      },
    });
    // What the types cannot know: the scripts above return exactly this.
    const [a, b, c] = (await Promise.all([app, widget, inline].map((index) => inApp(seen, index)))) as {
      openai: string;
      mcpApp: string;
      origin: string;
      parent: boolean;
    }[];
    expect([a?.openai, b?.openai, c?.openai]).toEqual(['undefined', 'object', 'undefined']);
    expect([a?.mcpApp, b?.mcpApp, c?.mcpApp]).toEqual(['object', 'undefined', 'undefined']);
    // Only MCP-UI's parent is a translator.
    expect([a?.parent, b?.parent, c?.parent]).toEqual([true, true, false]);
    expect(new Set([a?.origin, b?.origin, c?.origin]).size).toBe(3);
    expect(await page.locator('iframe').count()).toBe(3);
  },
);

verifies('S1-12', 'what goes wrong is named and shown in the same way in all families', async () => {
  const broken = [
    { mimeType: today, html: ' ', toolMeta: { ui: { resourceUri: uri } } },
    { html: ' ' },
    {
      toolMeta: {},
      options: { embedded: { type: 'resource', resource: { uri, mimeType: 'text/html', text: ' ' } } },
    },
  ];
  for (const plan of broken) {
    const index = await showFamily(plan, 'failed');
    expect((await snapshotOf(index))?.failure).toMatchObject({ step: 'resource', code: 'resource-empty' });
  }
  expect(await page.getByRole('alert').count()).toBe(3);
  expect(await page.getByRole('button', { name: /reload/i }).count()).toBe(3);
  const throwing = '<script>throw new Error("broken")</script>';
  const running = [
    { html: throwing, toolInput: {} },
    {
      toolMeta: {},
      options: { embedded: { type: 'resource', resource: { uri, mimeType: 'text/html', text: throwing } } },
    },
  ];
  for (const plan of running) {
    const index = await showFamily(plan);
    await eventually(async () => (await snapshotOf(index))?.scriptErrors).toMatchObject([
      { message: expect.stringContaining('broken') },
    ]);
  }
});

test('a template that points nowhere is named, whoever points', async () => {
  for (const toolMeta of [{ 'openai/outputTemplate': 'https://cdn.example/widget.html' }, {}]) {
    const index = await showFamily({ toolMeta }, 'failed');
    const code = 'openai/outputTemplate' in toolMeta ? 'resource-uri' : 'resource-missing';
    expect((await snapshotOf(index))?.failure).toMatchObject({ code, step: 'resource' });
  }
});
