import { readToolUi } from '@casement/protocol/resource';
import { readAppHtml, readResourceUi } from '@casement/protocol/resource';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { verifies } from '../../../test/verifies.js';
import {
  getExtAppsMimeType,
  isExtAppsMimeType,
  registerAppResource,
  registerAppTool,
  RESOURCE_MIME_TYPE,
  RESOURCE_URI_META_KEY,
} from './index.js';
import { toAppUri } from './app-uri.js';
import { generations, html, metaOf, says } from './wire.test-support.js';

const city = z.object({ city: z.string() });
const uri = 'ui://widget/get_weather.html';

describe.each(generations)('on $generation', ({ open }) => {
  verifies(
    ['S4-01', 'S4-02', 'S4-03', 'S3-56', 'S3-59', 'SERVER-001', 'SERVER-009'],
    'one call registers tool and app, linked in both spellings',
    async () => {
      const wire = await open((server) => {
        registerAppTool(
          server,
          'get_weather',
          { title: 'Weather', description: 'Shows it', inputSchema: city, ui: { template: html } },
          (args) => says(`Sun in ${args.city}`),
        );
      });
      const [tool] = await wire.listTools();
      expect(tool).toMatchObject({ name: 'get_weather', title: 'Weather', description: 'Shows it' });
      expect(metaOf(tool)).toEqual({ ui: { resourceUri: uri }, 'ui/resourceUri': uri });
      expect(RESOURCE_URI_META_KEY).toBe('ui/resourceUri');
      expect(readToolUi(tool)).toMatchObject({ family: 'mcp-apps', source: 'nested', findings: [] });
      expect(await wire.callTool('get_weather', { city: 'Rome' })).toMatchObject(says('Sun in Rome'));
      expect(await wire.listResources()).toMatchObject([{ uri, title: 'Weather' }]);
    },
  );

  verifies(
    ['S4-04', 'S4-05', 'S4-06', 'SERVER-002', 'SERVER-003', 'SERVER-004', 'SERVER-006', 'SERVER-007'],
    'what a tool points at can be read, is labelled as an app in listing and content, and holds the document',
    async () => {
      const wire = await open((server) => {
        registerAppTool(server, 'get_weather', { ui: { template: html } }, () => says('Sun'));
        registerAppResource(server, 'Other', 'ui://other/app.html', { description: 'Another' }, html);
      });
      const tools = await wire.listTools();
      expect(RESOURCE_MIME_TYPE).toBe('text/html;profile=mcp-app');
      const listed = await wire.listResources();
      expect(listed.map(({ mimeType }) => mimeType)).toEqual([RESOURCE_MIME_TYPE, RESOURCE_MIME_TYPE]);
      expect(listed[1]).toMatchObject({ name: 'Other', description: 'Another' });
      const linked = readToolUi(tools[0]).resourceUri ?? '';
      for (const asked of [linked, 'ui://other/app.html']) {
        const contents = await wire.readResource(asked);
        expect(contents).toHaveLength(1);
        expect(contents[0]).toMatchObject({ uri: asked, mimeType: RESOURCE_MIME_TYPE, text: html });
        expect(readAppHtml({ contents }, asked)).toMatchObject({ html, family: 'mcp-apps', findings: [] });
      }
    },
  );

  verifies(
    ['S3-57', 'S3-58', 'S3-60', 'SERVER-010', 'SERVER-020', 'SERVER-021'],
    'the ui setting becomes metadata: policy on the resource alone, in listing and content, the rest on the tool',
    async () => {
      const csp = { connectDomains: ['https://api.example.com'], resourceDomains: ['https://*.example.com'] };
      const wire = await open((server) => {
        registerAppTool(
          server,
          'get_weather',
          {
            ui: {
              template: html,
              resourceUri: 'ui://my-app/weather.html',
              widgetCapabilities: { toolListChanged: false, supportsPartialInput: true },
              csp,
              permissions: ['geolocation'],
              prefersBorder: true,
              domain: 'weather.example.com',
              visibility: ['model'],
            },
            _meta: { own: 1 },
          },
          () => says('Sun'),
        );
      });
      const [tool] = await wire.listTools();
      expect(metaOf(tool)).toEqual({
        own: 1,
        ui: { resourceUri: 'ui://my-app/weather.html', visibility: ['model'] },
        'ui/resourceUri': 'ui://my-app/weather.html',
        'ui/capabilities': { toolListChanged: false, supportsPartialInput: true },
      });
      const [listing] = await wire.listResources();
      const [content] = await wire.readResource('ui://my-app/weather.html');
      const ui = {
        csp,
        permissions: { geolocation: {} },
        prefersBorder: true,
        domain: 'weather.example.com',
      };
      expect(metaOf(listing)).toMatchObject({ ui });
      expect(metaOf(content)).toMatchObject({ ui });
      expect(readResourceUi({ content, listing, tool })).toMatchObject({
        csp,
        permissions: ['geolocation'],
        findings: [],
      });
    },
  );

  test('the keys of ChatGPT are written when asked for, and only then', async () => {
    const ui = { template: html, csp: { connectDomains: ['https://a.example'] }, prefersBorder: false };
    const wire = await open((server) => {
      registerAppTool(server, 'plain', { ui }, () => says('x'));
      const openai = {
        invoking: 'Looking',
        invoked: 'Found',
        description: 'Shows it',
        redirectDomains: ['https://b.example'],
      };
      registerAppTool(server, 'both', { ui: { ...ui, visibility: ['app'], openai } }, () => says('x'));
      registerAppTool(server, 'short', { ui: { template: html, openai: true } }, () => says('x'));
      const modelOnly = { template: html, visibility: ['model' as const], openai: true };
      registerAppTool(server, 'model', { ui: modelOnly }, () => says('x'));
    });
    const tools = await wire.listTools();
    const listings = await wire.listResources();
    expect(JSON.stringify([tools[0], listings[0]])).not.toContain('openai');
    expect(metaOf(tools[1])).toMatchObject({
      'openai/outputTemplate': 'ui://widget/both.html',
      'openai/widgetAccessible': true,
      'openai/visibility': 'private',
      'openai/toolInvocation/invoking': 'Looking',
      'openai/toolInvocation/invoked': 'Found',
    });
    const expected = {
      'openai/widgetCSP': {
        connect_domains: ['https://a.example'],
        resource_domains: [],
        redirect_domains: ['https://b.example'],
      },
      'openai/widgetPrefersBorder': false,
      'openai/widgetDescription': 'Shows it',
    };
    expect(metaOf(listings[1])).toMatchObject(expected);
    expect(metaOf((await wire.readResource('ui://widget/both.html'))[0])).toMatchObject(expected);
    expect(metaOf(tools[3])).toMatchObject({ 'openai/widgetAccessible': false });
    expect(metaOf(tools[3])).not.toHaveProperty(['openai/visibility']);
    expect(metaOf(tools[2])).toEqual({
      ui: { resourceUri: 'ui://widget/short.html' },
      'ui/resourceUri': 'ui://widget/short.html',
      'openai/outputTemplate': 'ui://widget/short.html',
      'openai/widgetAccessible': true,
    });
  });

  verifies(
    'S4-13',
    'one address serves link, registration and reading, in the form that is asked for',
    async () => {
      const names = ['get-time', 'a.b', 'Get_Time'];
      const wire = await open((server) => {
        for (const name of names) {
          registerAppTool(server, name, { ui: { template: html, uriForm: 'tool' } }, () => says('x'));
          registerAppTool(server, `${name}2`, { ui: { template: html } }, () => says('x'));
        }
      });
      const linked = (await wire.listTools()).map((tool) => readToolUi(tool).resourceUri);
      expect(linked.slice(0, 2)).toEqual(['ui://get-time/app.html', 'ui://widget/get-time2.html']);
      expect((await wire.listResources()).map((resource) => resource['uri'])).toEqual(linked);
      for (const address of linked) {
        expect(await wire.readResource(address ?? '')).toMatchObject([{ uri: address, text: html }]);
      }
      expect(toAppUri('get-time', 'tool', 'clock.html')).toBe('ui://get-time/clock.html');
      expect(toAppUri('Größe/x y')).toBe('ui://widget/Gr%C3%B6%C3%9Fe%2Fx%20y.html');
    },
  );

  test('two tools share one app, and a tool for apps alone needs none', async () => {
    const wire = await open((server) => {
      registerAppTool(server, 'show', { ui: { template: html } }, () => says('x'));
      registerAppTool(server, 'again', { ui: { resourceUri: 'ui://widget/show.html' } }, () => says('x'));
      registerAppTool(server, 'refresh', { ui: { visibility: ['app'] } }, () => says('x'));
    });
    const [, again, refresh] = await wire.listTools();
    expect(readToolUi(again).resourceUri).toBe('ui://widget/show.html');
    expect(metaOf(refresh)).toEqual({ ui: { visibility: ['app'] } });
    expect(readToolUi(refresh).visibility).toEqual({ model: false, app: true });
    expect(await wire.listResources()).toHaveLength(1);
  });

  test('a tool that the server refuses leaves no app behind', async () => {
    const wire = await open((server) => {
      registerAppTool(server, 'show', { ui: { template: html } }, () => says('x'));
      const again = () =>
        registerAppTool(server, 'show', { ui: { template: html, resourceUri: 'ui://b/c' } }, () => says('y'));
      expect(again).toThrow(/already registered/);
    });
    expect((await wire.listResources()).map((resource) => resource['uri'])).toEqual([
      'ui://widget/show.html',
    ]);
  });
});

verifies(['S3-61', 'S3-62'], 'both media types of apps are given and recognised', () => {
  expect(getExtAppsMimeType('standard')).toBe('text/html+mcp');
  expect(getExtAppsMimeType('profile')).toBe('text/html;profile=mcp-app');
  expect(getExtAppsMimeType()).toBe('text/html;profile=mcp-app');
  for (const mime of ['text/html+mcp', 'text/html;profile=mcp-app', 'TEXT/HTML; Profile="mcp-app"']) {
    expect(isExtAppsMimeType(mime), mime).toBe(true);
  }
  for (const mime of ['text/html', 'text/html;profile=other', 'text/html+skybridge', '', undefined, 7]) {
    expect(isExtAppsMimeType(mime), String(mime)).toBe(false);
  }
});
