import { readToolUi } from '@casement/protocol/resource';
import { readAppHtml, readResourceUi } from '@casement/protocol/resource';
import { describe, expect, test } from 'vitest';
import { OPENAI_MIME_TYPE } from './app-mime.js';
import { registerAppResource, registerAppTool } from './index.js';
import { generations, html, metaOf, says } from './wire.test-support.js';

const csp = { connectDomains: ['https://a.example'] };
const uri = 'ui://widget/show.html';
const widgetUri = 'ui://widget/show.skybridge.html';

describe.each(generations)('on $generation', ({ open }) => {
  test('a second document with the keys of its family alone stands beside the app, which stays as it was', async () => {
    const ui = { template: html, csp, prefersBorder: true };
    const openai = { description: 'Shows it', outputTemplate: true as const };
    const asked = await open((server) => {
      registerAppTool(server, 'show', { title: 'Show', ui: { ...ui, openai } }, () => says('x'));
    });
    const plain = await open((server) => {
      registerAppTool(
        server,
        'show',
        { title: 'Show', ui: { ...ui, openai: { description: 'Shows it' } } },
        () => says('x'),
      );
    });

    const [tool] = await asked.listTools();
    const [before] = await plain.listTools();
    expect(tool).toEqual({
      ...before,
      _meta: { ...metaOf(before), 'openai/outputTemplate': widgetUri },
    });
    expect(metaOf(before)['openai/outputTemplate']).toBe(uri);

    const [app, widget] = await asked.listResources();
    expect([app]).toEqual(await plain.listResources());
    expect(await asked.readResource(uri)).toEqual(await plain.readResource(uri));
    const contents = await asked.readResource(widgetUri);
    expect(readAppHtml({ contents }, widgetUri)).toMatchObject({ html, family: 'openai' });
    for (const owner of [widget, contents[0]]) {
      expect(owner).toMatchObject({ uri: widgetUri, mimeType: OPENAI_MIME_TYPE });
      expect(metaOf(owner)).toMatchObject({
        'openai/widgetCSP': { connect_domains: ['https://a.example'], resource_domains: [] },
        'openai/widgetPrefersBorder': true,
        'openai/widgetDescription': 'Shows it',
      });
      expect(metaOf(owner)).not.toHaveProperty('ui');
    }
    expect(readResourceUi({ content: contents[0], listing: widget, tool })).toMatchObject({
      csp,
      prefersBorder: true,
    });
  });

  test('its address may be given, and tools may share both documents', async () => {
    const openai = { outputTemplate: 'ui://chatgpt/notes' };
    const wire = await open((server) => {
      const ui = { prefersBorder: true, openai };
      registerAppTool(server, 'first', { ui: { ...ui, template: html } }, () => says('x'));
      registerAppTool(server, 'second', { ui: { resourceUri: 'ui://widget/first.html', openai } }, () =>
        says('x'),
      );
      registerAppResource(server, 'Alone', 'ui://alone', { mimeType: OPENAI_MIME_TYPE, ui }, html);
    });
    for (const tool of await wire.listTools()) {
      expect(metaOf(tool)['openai/outputTemplate']).toBe('ui://chatgpt/notes');
      expect(readToolUi(tool)).toMatchObject({
        resourceUri: 'ui://widget/first.html',
        family: 'mcp-apps',
        findings: [{ code: 'two-families' }],
      });
    }
    expect((await wire.listResources()).map(({ mimeType }) => mimeType)).toEqual([
      'text/html;profile=mcp-app',
      OPENAI_MIME_TYPE,
      OPENAI_MIME_TYPE,
    ]);
  });

  test('a tool that cannot have both has neither', async () => {
    const wire = await open((server) => {
      registerAppResource(server, 'Taken', widgetUri, {}, html);
      const show = () =>
        registerAppTool(server, 'show', { ui: { template: html, openai: { outputTemplate: true } } }, () =>
          says('x'),
        );
      expect(show).toThrow('already an app');
      registerAppTool(server, 'other', { ui: { template: html } }, () => says('x'));
      const again = () =>
        registerAppTool(
          server,
          'other',
          { ui: { template: html, resourceUri: 'ui://b/c.htm', openai: { outputTemplate: true } } },
          () => says('x'),
        );
      expect(again).toThrow(/already registered/);
    });
    expect((await wire.listResources()).map((resource) => resource['uri'])).toEqual([
      widgetUri,
      'ui://widget/other.html',
    ]);
  });
});
