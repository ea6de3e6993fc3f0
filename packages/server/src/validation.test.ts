import { McpServer as McpServer1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.js';
import { appServerErrorCodes, type AppServerErrorCode } from './app-server-error.js';
import { AppServerError, registerAppResource, registerAppTool } from './index.js';
import { html, says } from './wire.test-support.js';

const info = { name: 'test', version: '1' };
const servers = () => [
  new McpServer(info),
  // The same calls; types.test.ts has the types of both.
  new McpServer1(info) as unknown as McpServer,
];

/** What registering says, on both servers alike. */
const failure = (register: (server: McpServer) => unknown): AppServerError => {
  const errors = servers().map((server) => {
    try {
      register(server);
    } catch (error) {
      return error;
    }
    return undefined;
  });
  const [first] = errors;
  expect(errors[1]).toEqual(first);
  if (!(first instanceof AppServerError)) throw new Error(`Not refused, or otherwise: ${String(first)}`);
  expect(first.message.endsWith(first.fix), 'the message ends with what to do').toBe(true);
  return first;
};

const toolWith = (ui: object) => (server: McpServer) =>
  // Wrong on purpose.
  registerAppTool(server, 'show', { ui: ui as never }, () => says('x'));
const toolMeta = (_meta: Record<string, unknown>) => (server: McpServer) =>
  registerAppTool(server, 'show', { _meta }, () => says('x'));
const resourceWith = (config: object, template: unknown = html, uri = 'ui://a/b') => {
  // Wrong on purpose.
  return (server: McpServer) => registerAppResource(server, 'App', uri, config as never, template as never);
};
const cspWith = (entry: unknown) => toolWith({ template: html, csp: { connectDomains: [entry] } });

const cases: [AppServerErrorCode, string, (server: McpServer) => unknown, RegExp][] = [
  [
    'tool-name',
    'no name',
    (server) => registerAppTool(server, '', { ui: { template: html } }, () => says('x')),
    /Give it one/,
  ],
  [
    'tool-name',
    'a name that no address can hold',
    (server) => registerAppTool(server, 'a\ud800', { ui: { template: html } }, () => says('x')),
    /Give it one/,
  ],
  [
    'ui-missing',
    'no app at all',
    (server) => registerAppTool(server, 'show', {}, () => says('x')),
    /Give ui: \{ template \}/,
  ],
  ['ui-missing', 'an empty ui setting', toolWith({}), /Give ui\.template/],
  ['ui-unknown-key', 'a misspelt key', toolWith({ tempalte: html }), /Known keys are template/],
  ['ui-unknown-key', 'a setting that is no object', toolWith([]), /Give an object/],
  [
    'ui-conflict',
    'ui beside _meta.ui',
    (server) => registerAppTool(server, 's', { ui: { template: html }, _meta: { ui: {} } }, () => says('x')),
    /Keep one/,
  ],
  [
    'ui-conflict',
    'two apps',
    toolMeta({ ui: { resourceUri: 'ui://a/b' }, 'ui/resourceUri': 'ui://c/d' }),
    /Leave ui\/resourceUri out/,
  ],
  ['ui-conflict', 'both forms on a resource', resourceWith({ ui: {}, _meta: { ui: {} } }), /Keep one/],
  [
    'resource-uri',
    'another scheme',
    toolWith({ template: html, resourceUri: 'https://a.example/b' }),
    /ui:\/\/weather/,
  ],
  ['resource-uri', 'an empty address', toolMeta({ ui: { resourceUri: '' } }), /ui:\/\/weather/],
  ['resource-uri', 'a space', resourceWith({}, html, 'ui://a/my app'), /ui:\/\/weather/],
  ['resource-uri', 'dot segments', resourceWith({}, html, 'ui://a/../b'), /ui:\/\/weather/],
  [
    'resource-uri',
    'another spelling than is asked for',
    resourceWith({}, html, 'ui://a/bü'),
    /Write it as ui:\/\/a\/b%C3%BC/,
  ],
  ['resource-uri', 'what no URL parser takes', resourceWith({}, html, 'ui://a<b/c'), /Use letters/],
  [
    'resource-uri-taken',
    'a second template at an address',
    (server) => {
      toolWith({ template: html, resourceUri: 'ui://a/b' })(server);
      registerAppTool(server, 'two', { ui: { template: html, resourceUri: 'ui://a/b' } }, () => says('x'));
    },
    /leave the second template out/,
  ],
  [
    'resource-uri-taken',
    'a second resource at an address',
    (server) => {
      resourceWith({})(server);
      resourceWith({})(server);
    },
    /another address/,
  ],
  ['resource-uri', 'an unknown form', toolWith({ template: html, uriForm: 'file' }), /"widget" or "tool"/],
  [
    'resource-mime',
    'a media type that is none of an app',
    resourceWith({ mimeType: 'text/html' }),
    /Leave mimeType out/,
  ],
  ['template-missing', 'no template', resourceWith({}, null), /file: 'app.html'/],
  ['template-missing', 'a number', toolWith({ template: 7 }), /a function/],
  [
    'template-unreadable',
    'a file that is not there',
    toolWith({ template: { file: '/nowhere/app.html' } }),
    /Build the app/,
  ],
  [
    'template-unreadable',
    'an address that is no file',
    toolWith({ template: new URL('https://a.example') }),
    /import\.meta\.url/,
  ],
  ['template-not-html', 'nothing', toolWith({ template: ' ' }), /<!doctype html>/],
  ['template-not-html', 'a fragment', toolWith({ template: '<div>Hi</div>' }), /<!doctype html>/],
  [
    'template-not-html',
    'a path in place of the text',
    toolWith({ template: './dist/app.html' }),
    /file: '\.\/dist\/app\.html'/,
  ],
  [
    'csp-on-tool',
    'policy on a tool',
    toolMeta({ ui: { resourceUri: 'ui://a/b', csp: {} } }),
    /Move it to _meta\.ui of the resource/,
  ],
  [
    'csp-on-tool',
    'policy without a template',
    toolWith({ resourceUri: 'ui://a/b', permissions: [] }),
    /registerAppResource/,
  ],
  ['csp-invalid', 'a misspelt list', toolWith({ template: html, csp: { connect: [] } }), /connectDomains/],
  [
    'csp-invalid',
    'a text for a list',
    toolWith({ template: html, csp: { connectDomains: 'https://a.example' } }),
    /Give a list/,
  ],
  [
    'csp-invalid',
    'policy on a resource as it goes over the wire',
    resourceWith({ _meta: { ui: { csp: { frameDomains: ['*'] } } } }),
    /Name each origin/,
  ],
  [
    'permissions-invalid',
    'an unknown permission',
    toolWith({ template: html, permissions: ['usb'] }),
    /camera, microphone/,
  ],
  [
    'permissions-invalid',
    'true for an object',
    toolWith({ template: html, permissions: { camera: true } }),
    /Write camera: \{\}/,
  ],
  ['permissions-invalid', 'a text', toolWith({ template: html, permissions: 'camera' }), /Give a list/],
  [
    'permissions-invalid',
    'a list where hosts expect an object',
    resourceWith({ _meta: { ui: { permissions: ['camera'] } } }),
    /camera: \{\}/,
  ],
  [
    'domain-invalid',
    'a URL for a domain',
    toolWith({ template: html, domain: 'https://a.example' }),
    /bare host name/,
  ],
  [
    'domain-invalid',
    'a host of Claude’s that Claude would not give',
    toolWith({ template: html, domain: 'weather.claudemcpcontent.com' }),
    /toClaudeDomain/,
  ],
  [
    'border-invalid',
    'a text for a boolean',
    toolWith({ template: html, prefersBorder: 'yes' }),
    /true or false/,
  ],
  ['visibility-invalid', 'nobody', toolWith({ template: html, visibility: [] }), /"model", "app"/],
  ['visibility-invalid', 'a stranger', toolWith({ template: html, visibility: ['user'] }), /"model", "app"/],
  [
    'visibility-invalid',
    'a text',
    toolMeta({ ui: { resourceUri: 'ui://a/b', visibility: 'model' } }),
    /"model", "app"/,
  ],
  [
    'capabilities-invalid',
    'a misspelt capability',
    toolWith({ template: html, widgetCapabilities: { partial: true } }),
    /supportsPartialInput/,
  ],
  [
    'capabilities-invalid',
    'a text for a boolean',
    toolWith({ template: html, widgetCapabilities: { toolListChanged: 'no' } }),
    /true or false/,
  ],
  [
    'openai-invalid',
    'a status that is too long',
    toolWith({ template: html, openai: { invoking: 'x'.repeat(65) } }),
    /Shorten/,
  ],
  ['openai-invalid', 'an unknown key', toolWith({ template: html, openai: { widgetCSP: {} } }), /Known keys/],
  [
    'openai-invalid',
    'a host name where ChatGPT takes an origin',
    toolWith({ template: html, openai: { domain: 'app.example.com' } }),
    /https:\/\/app\.example\.com/,
  ],
  [
    'resource-uri',
    'a second document that is nowhere',
    toolWith({ template: html, openai: { outputTemplate: 'https://a.example' } }),
    /ui:\/\/weather/,
  ],
  [
    'resource-mime',
    'the media type of another family that was not asked for',
    resourceWith({ mimeType: 'text/html+skybridge' }),
    /Leave mimeType out/,
  ],
  [
    'reserved-label',
    'the extension’s label for something else, on a tool',
    toolMeta({ ui: { resourceUri: 'ui://a/b' }, 'io.modelcontextprotocol/ui': { mine: true } }),
    /prefix of your own/,
  ],
  [
    'reserved-label',
    'the extension’s label for something else, on a resource',
    resourceWith({ _meta: { 'io.modelcontextprotocol/ui/mine': 1 } }),
    /prefix of your own/,
  ],
];

describe('what registering refuses', () => {
  test.each(cases)('%s: %s', (code, _what, register, fix) => {
    const error = failure(register);
    expect(error.code).toBe(code);
    expect(error.fix).toMatch(fix);
  });

  test('every code is really raised', () => {
    expect([...new Set(cases.map(([code]) => code))].toSorted()).toEqual(appServerErrorCodes.toSorted());
  });

  test('nothing is registered of what was refused', () => {
    const server = new McpServer(info);
    expect(() => cspWith('*')(server)).toThrow(AppServerError);
    // The same tool at the same address would be refused a second time if anything had stayed.
    registerAppTool(server, 'show', { ui: { template: html } }, () => says('x'));
  });
});

verifies('SERVER-012', 'declared domains are origins, or the error says which to write', () => {
  for (const origin of [
    'https://api.example.com',
    'https://*.example.com',
    'wss://live.example.com:8443',
    'http://localhost:3000',
    'ws://127.0.0.1:9000',
    'https://xn--bcher-kva.example',
  ]) {
    for (const server of servers()) expect(() => cspWith(origin)(server), origin).not.toThrow();
  }
  for (const [entry, fix] of [
    ['api.example.com', 'Write https://api.example.com.'],
    ['*.example.com', 'Write https://*.example.com.'],
    ['https://a.example/path', 'Write https://a.example.'],
    ['https://a.example?q=1', 'Write https://a.example.'],
    ['https://A.Example', 'Write https://a.example.'],
    ['http://a.example', 'Use https.'],
    ['ws://a.example', 'Use wss.'],
    ['*', 'Name each origin'],
    ["'self'", 'Write an origin'],
    ['https:', 'Write an origin'],
    ['data:', 'Write an origin'],
    ['https://a.example; script-src *', 'its own entry'],
    ['https://*', 'https://*.example.com'],
    ['https://*.com', 'https://*.example.com'],
    ['https://a.*.example', 'https://*.example.com'],
    ['ftp://a.example', 'Write an origin'],
    ['', 'Write an origin'],
    [7, 'Write an origin'],
  ] as const) {
    const error = failure(cspWith(entry));
    expect(error.code).toBe('csp-invalid');
    expect(error.fix, String(entry)).toContain(fix);
  }
});
