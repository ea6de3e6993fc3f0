import type { CallToolResult, Tool } from '@casement/protocol';
import { describe, expect, test, vi } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import type { SessionOptions } from './session-options.js';
import { appContents, createPlainServer, uiTool, uiUri } from './plain-server.test-support.js';
import { createStage, settle, until } from './stage.test-support.js';
import type { Stage } from './stage.test-support.js';

const widgetMime = 'text/html+skybridge';
const widgetTool: Tool = {
  name: 'pizza',
  inputSchema: { type: 'object' },
  _meta: { 'openai/outputTemplate': uiUri },
};

const createWidget = (options: Partial<SessionOptions> = {}, mimeType = widgetMime): Stage => {
  const server = createPlainServer();
  server.onRead = () => appContents({ mimeType });
  server.tools = [widgetTool];
  return createStage({ server, tool: widgetTool, ...options });
};

const familyOf = (stage: Stage) => stage.session.getSnapshot().policy?.effective.family;
const contextOf = (stage: Stage): Record<string, unknown> =>
  // The answer to the handshake, read loosely.
  stage.received.findLast(({ result }) => result?.['hostContext'])?.result?.['hostContext'] as Record<
    string,
    unknown
  >;

const fails = async (stage: Stage) => {
  stage.session.start();
  return until(() => {
    const { failure } = stage.session.getSnapshot();
    if (!failure) throw new Error('It has not failed yet.');
    return failure;
  });
};

const embed = (resource: Record<string, unknown>) => ({
  type: 'resource',
  resource: { uri: 'ui://inline/1', mimeType: 'text/html', text: '<p>hello</p>', ...resource },
});

describe('which family an app is run as', () => {
  const both: Tool = {
    name: 'both',
    inputSchema: { type: 'object' },
    _meta: { ui: { resourceUri: uiUri }, 'openai/outputTemplate': 'ui://weather/template' },
  };

  test.each([
    ['a template of its type', {}, widgetMime, 'openai'],
    ["a template of today's type", {}, 'text/html;profile=mcp-app', 'openai'],
    ['both keys', { tool: both }, 'text/html;profile=mcp-app', 'mcp-apps'],
    ['both keys, but a document of the other type', { tool: both }, widgetMime, 'openai'],
    ['both keys, switched', { tool: both, family: 'openai' as const }, 'text/html;profile=mcp-app', 'openai'],
    ['a template, switched back', { family: 'mcp-apps' as const }, widgetMime, 'mcp-apps'],
    ["the embedder's address", { tool: undefined, resourceUri: uiUri }, widgetMime, 'openai'],
    [
      "a template's address, given by the embedder too",
      { resourceUri: uiUri },
      'text/html;profile=mcp-app',
      'openai',
    ],
  ])('%s', async (_name, options, mimeType, family) => {
    // exactOptionalPropertyTypes: `tool: undefined` stands for an app without a tool.
    const stage = createWidget(options as Partial<SessionOptions>, mimeType);
    await stage.handOver();
    expect(familyOf(stage)).toBe(family);
    expect(stage.session.getSnapshot().resource?.family).toBe(family);
    const handed = stage.received.find(({ method }) => method?.endsWith('sandbox-resource-ready'))?.params;
    expect(handed?.['family']).toBe(family === 'mcp-apps' ? undefined : family);
    expect(handed?.['shim']).toBeUndefined();
  });

  test('the switch reads the template it names, and nothing else', async () => {
    const stage = createWidget({ tool: both, family: 'openai' });
    await stage.handOver();
    expect(stage.server.reads).toEqual(['ui://weather/template']);
  });
});

describe('what a widget is offered beyond MCP Apps', () => {
  test('its state is kept, told, and there again after a reload', async () => {
    const kept: unknown[] = [];
    const stage = createWidget({ onWidgetState: (state) => kept.push(state), widgetState: { page: 1 } });
    await stage.ready();
    expect(contextOf(stage)).toMatchObject({ 'casement/widgetState': { page: 1 } });
    expect(stage.session.getSnapshot().hostCapabilities?.experimental).toEqual({
      'casement/widget-state': {},
    });
    expect((await stage.ask(7, 'casement/widget-state', { state: { page: 2 } })).result).toEqual({});
    expect(kept).toEqual([{ page: 2 }]);
    expect(stage.session.getSnapshot().widgetState).toEqual({ page: 2 });
    // Not told back: the widget may have gone on meanwhile.
    stage.session.sendHostContextChanged({ theme: 'light' });
    await settle();
    expect(stage.received.at(-1)?.params).toEqual({ theme: 'light' });
    stage.session.reload();
    await until(() => expect(stage.surface.frames).toHaveLength(2));
    await stage.handOver();
    await stage.ask('again', 'ui/initialize', {
      protocolVersion: '2026-01-26',
      appInfo: { name: 'w', version: '1' },
      appCapabilities: {},
    });
    expect(contextOf(stage)).toMatchObject({ 'casement/widgetState': { page: 2 } });
  });

  test('a state over 256 KiB is refused by name, and the one before it holds', async () => {
    const stage = createWidget({ onWidgetState: () => expect.unreachable() });
    await stage.ready();
    const { error } = await stage.ask(1, 'casement/widget-state', { state: 'ä'.repeat(129 * 1024) });
    expect(error).toMatchObject({ code: -32000, data: { code: 'widget-state-refused' } });
    expect(stage.session.getSnapshot().widgetState).toBeUndefined();
    expect((await stage.ask(2, 'ping')).result).toEqual({});
  });

  test('a dialog is passed on with its address; a wrong one, or many, are refused', async () => {
    const asked: unknown[] = [];
    const stage = createWidget({ onModal: (request) => void asked.push(request) });
    await stage.ready();
    expect(stage.session.getSnapshot().hostCapabilities?.experimental).toHaveProperty(['casement/modal']);
    await stage.ask(1, 'casement/modal', { title: 'More', params: { a: 1 } });
    await stage.ask(2, 'casement/modal', { template: 'ui://weather/other' });
    expect(asked).toMatchObject([
      { title: 'More', params: { a: 1 }, resourceUri: uiUri, app: { server: 'weather-server' } },
      { resourceUri: 'ui://weather/other' },
    ]);
    const wrong = await stage.ask(3, 'casement/modal', { template: 'https://example.com/' });
    expect(wrong.error?.data?.code).toBe('resource-refused');
    expect((await stage.ask(4, 'casement/modal', {})).error?.data?.code).toBe('rate-limited');
    expect(asked).toHaveLength(2);
  });

  test('sec-W6 a dialog is refused when the user did nothing in the widget, with a reason and a next step', async () => {
    const stage = createWidget({ onModal: () => expect.unreachable() });
    await stage.ready();
    stage.surface.isActive = false;
    const { error } = await stage.ask(1, 'casement/modal', { title: 'Sign in again' });
    expect(error?.data).toMatchObject({ code: 'display-mode-refused', hint: expect.stringMatching(/click/) });
    expect(stage.kinds('decision')).toContainEqual(
      expect.objectContaining({ method: 'casement/modal', allow: false }),
    );
  });

  verifies('S1-11', 'an MCP App is offered none of it, whatever the embedder has', async () => {
    const stage = createStage({
      onModal: () => undefined,
      widgetState: { a: 1 },
      widgetView: { mode: 'modal' },
    });
    await stage.ready();
    expect(stage.session.getSnapshot().hostCapabilities).not.toHaveProperty('experimental');
    expect(Object.keys(contextOf(stage)).filter((key) => key.startsWith('casement/'))).toEqual([]);
    for (const method of ['casement/widget-state', 'casement/modal']) {
      expect((await stage.ask(method, method, { state: 1 })).error?.code).toBe(-32601);
    }
  });

  test('silence of a tool means no to a widget and yes to an MCP App', async () => {
    const tools: Tool[] = [
      { name: 'silent', inputSchema: { type: 'object' } },
      { name: 'open', inputSchema: { type: 'object' }, _meta: { 'openai/widgetAccessible': true } },
      { name: 'listed', inputSchema: { type: 'object' }, _meta: { ui: { visibility: ['app'] } } },
      { name: 'closed', inputSchema: { type: 'object' }, _meta: { 'openai/widgetAccessible': false } },
    ];
    const callAll = async (stage: Stage) => {
      stage.server.tools = tools;
      await stage.ready();
      const listed = await stage.ask('list', 'tools/list', {});
      const answers = await Promise.all(
        tools.map(({ name }) => stage.ask(name, 'tools/call', { name, arguments: {} })),
      );
      const named = listed.result?.['tools'] as Tool[]; // of our own handler
      expect(named.map(({ name }) => name)).toEqual(stage.server.calls.map(({ name }) => name));
      return answers.map(({ error }) => error?.data?.code ?? 'called');
    };
    const no = 'tool-not-visible';
    expect(await callAll(createWidget())).toEqual([no, 'called', 'called', no]);
    expect(await callAll(createStage())).toEqual(['called', 'called', 'called', no]);
  });
});

describe('a UI inside a result', () => {
  verifies('S1-04', 'is shown without a read, with the call it came from', async () => {
    const stage = createStage({
      tool: { ...uiTool, _meta: {} },
      embedded: embed({ _meta: { 'mcpui.dev/ui-initial-render-data': { page: 3 } } }),
      toolInput: { a: 1 },
    });
    const result: CallToolResult = { content: [], structuredContent: { b: 2 } };
    stage.session.sendToolResult(result);
    await stage.ready();
    expect(stage.server.reads).toEqual([]);
    expect(familyOf(stage)).toBe('mcp-ui');
    expect(stage.received.find(({ method }) => method?.endsWith('resource-ready'))?.params).toMatchObject({
      html: '<p>hello</p>',
      family: 'mcp-ui',
    });
    expect(contextOf(stage)).toMatchObject({ 'casement/renderData': { page: 3 } });
    expect(stage.methods()).toContain('ui/notifications/tool-result');
  });

  test('of another family is run as that one', async () => {
    const app = createStage({ embedded: embed({ mimeType: 'text/html;profile=mcp-app' }) });
    await app.handOver();
    expect(familyOf(app)).toBe('mcp-apps');
    const widget = createStage({ embedded: embed({ mimeType: widgetMime }) });
    await widget.handOver();
    expect(familyOf(widget)).toBe('openai');
    expect([...app.server.reads, ...widget.server.reads]).toEqual([]);
  });

  test.each([
    [
      'Remote DOM',
      embed({ mimeType: 'application/vnd.mcp-ui.remote-dom+javascript; framework=react' }),
      'family-unsupported',
    ],
    [
      'a javascript: address',
      embed({ mimeType: 'text/uri-list', text: 'javascript:alert(1)' }),
      'external-refused',
    ],
    [
      'a file: address',
      embed({ mimeType: 'text/uri-list', text: '# mine\nfile:///etc/passwd' }),
      'external-refused',
    ],
    ['nothing', embed({ text: ' ' }), 'resource-empty'],
    ['another type', embed({ mimeType: 'image/png' }), 'resource-mime'],
    ['an address that is not one', embed({ uri: 'https://example.com' }), 'resource-uri'],
    ['no block at all', 5, 'resource-uri'],
  ])('%s is refused by name', async (_name, embedded, code) => {
    expect(await fails(createStage({ embedded }))).toMatchObject({ code, step: 'resource' });
  });

  test('Remote DOM that a tool names is refused by the same name', async () => {
    const stage = createWidget({}, 'application/vnd.mcp-ui.remote-dom+javascript');
    expect(await fails(stage)).toMatchObject({ code: 'family-unsupported' });
  });
});

describe('a UI that is a page elsewhere', () => {
  const page = embed({ mimeType: 'text/uri-list', text: '# one\r\nhttps://maps.example/view?x=1\r\n' });

  test('is framed at exactly its origin once the user agreed, and asked about once', async () => {
    const onExternalUrl = vi.fn(async () => true as const);
    const stage = createStage({ embedded: page, onExternalUrl });
    await stage.handOver();
    expect(onExternalUrl).toHaveBeenCalledExactlyOnceWith(
      {
        url: 'https://maps.example/view?x=1',
        origin: 'https://maps.example',
        host: 'maps.example',
        server: 'weather-server',
        warnings: [],
      },
      { signal: expect.any(AbortSignal) },
    );
    expect(stage.session.getSnapshot().policy?.effective.frame).toEqual(['https://maps.example']);
    expect(stage.received.find(({ method }) => method?.endsWith('resource-ready'))?.params).toMatchObject({
      html: '',
      url: 'https://maps.example/view?x=1',
    });
    stage.session.reload();
    await until(() => expect(stage.surface.frames).toHaveLength(2));
    expect(onExternalUrl).toHaveBeenCalledTimes(1);
  });

  const yes = vi.fn(() => Promise.resolve(true));
  const no = (): Promise<boolean> => Promise.resolve(false);

  test.each<[string, Partial<SessionOptions>]>([
    ['nobody is asked', {}],
    ['the user says no', { onExternalUrl: no }],
    [
      'it is the host itself',
      { onExternalUrl: yes, embedded: embed({ text: 'http://casement.localhost:6270/' }) },
    ],
    ['it is on a private network', { onExternalUrl: yes, embedded: embed({ text: 'http://10.0.0.1/' }) }],
    [
      'there is no origin per app',
      {
        onExternalUrl: yes,
        sandbox: { opaqueBase: 'http://127.0.0.1:6271', reason: 'no names' },
      },
    ],
  ])('is refused by name when %s', async (_name, options) => {
    const stage = createStage({ embedded: page, ...options });
    expect(await fails(stage)).toMatchObject({ code: 'external-refused', step: 'resource' });
    expect(yes).not.toHaveBeenCalled();
    expect(stage.surface.frames).toHaveLength(0);
  });
});
