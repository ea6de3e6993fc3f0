import { describe, expect, test } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import { readToolUi } from '../resource.js';
import { isToolCallableBy, isToolVisibleTo } from '../tools.js';

const uri = 'ui://weather/dashboard';
const codes = (tool: unknown) => readToolUi(tool).findings.map((finding) => finding.code);

describe('the link to the UI', () => {
  test('in today’s spelling has nothing to remark', () => {
    expect(readToolUi({ name: 't', _meta: { ui: { resourceUri: uri } } })).toEqual({
      resourceUri: uri,
      family: 'mcp-apps',
      source: 'nested',
      visibility: { model: true, app: true },
      findings: [],
    });
  });

  verifies(
    ['HOST-019', 'S1-01', 'S2-41'],
    'the flat key is accepted and the nested one takes priority',
    () => {
      expect(readToolUi({ _meta: { 'ui/resourceUri': uri } })).toMatchObject({
        resourceUri: uri,
        family: 'mcp-apps',
        source: 'flat',
      });
      const both = { _meta: { 'ui/resourceUri': 'ui://old', ui: { resourceUri: uri } } };
      expect(readToolUi(both)).toMatchObject({ resourceUri: uri, source: 'nested' });
      expect(codes(both)).toEqual(['resource-uri-conflict']);
      expect(codes({ _meta: { 'ui/resourceUri': uri, ui: { resourceUri: uri } } })).toEqual([]);
    },
  );

  test.each([
    ['dotted', { _meta: { 'ui.resourceUri': uri } }],
    ['annotations', { annotations: { 'ui/resourceUri': uri } }],
    ['annotations', { annotations: { 'ui.resourceUri': uri } }],
    ['annotations', { annotations: { ui: { resourceUri: uri } } }],
    ['flat', { meta: { 'ui/resourceUri': uri } }],
  ])('spelled %s is read with a finding that names the right key', (source, tool) => {
    const read = readToolUi(tool);
    expect(read).toMatchObject({ resourceUri: uri, family: 'mcp-apps', source });
    expect(read.findings).toEqual([
      expect.objectContaining({ code: `spelling-${source}`, fix: 'Set _meta.ui.resourceUri.' }),
    ]);
  });

  test('under meta instead of _meta is read with a finding; _meta comes first', () => {
    const tool = { meta: { ui: { resourceUri: uri } } };
    expect(readToolUi(tool)).toMatchObject({ resourceUri: uri, source: 'nested' });
    expect(codes(tool)).toEqual(['meta-key']);
    expect(readToolUi({ ...tool, _meta: { ui: { resourceUri: 'ui://first' } } }).resourceUri).toBe(
      'ui://first',
    );
  });

  test('of the OpenAI family is told apart, and MCP Apps keys come before it', () => {
    const openai = { 'openai/outputTemplate': 'ui://widget/x.html' };
    expect(readToolUi({ _meta: openai })).toMatchObject({
      resourceUri: 'ui://widget/x.html',
      family: 'openai',
      source: 'openai',
    });
    expect(readToolUi({ _meta: { ...openai, ui: { resourceUri: uri } } })).toMatchObject({
      resourceUri: uri,
      family: 'mcp-apps',
    });
  });

  test('may be absent', () => {
    for (const tool of [{ name: 't' }, {}, null, undefined, 'x', [], { _meta: {} }, { _meta: { ui: {} } }]) {
      expect(readToolUi(tool)).toMatchObject({ family: null, source: null, findings: [] });
      expect(readToolUi(tool)).not.toHaveProperty('resourceUri');
    }
  });
});

describe('D13 a URI that is not a clean ui:// address is refused with a reason', () => {
  test.each([
    ['https', 'https://evil.example/x'],
    ['javascript', 'javascript:alert(1)'],
    ['file', 'file:///etc/passwd'],
    ['other case', 'UI://x'],
    ['nothing behind', 'ui://'],
    ['empty', ''],
    ['null', null],
    ['number', 5],
    ['object', { toString: 'ui://x' }],
    ['dot segments', 'ui://a/../b'],
    ['dot segment at the end', 'ui://a/..'],
    ['dot segment first', 'ui://../a'],
    ['encoded dot segments', 'ui://a/%2e%2E/b'],
    ['NUL', 'ui://a\0b'],
    ['newline', 'ui://a\nb'],
    ['space', 'ui://a b'],
    ['bidi', 'ui://a\u202Eb'],
    ['backslash', 'ui://a\\..\\b'],
    ['1 MB', `ui://${'x'.repeat(1_000_000)}`],
  ])('%s', (_name, resourceUri) => {
    const read = readToolUi({ _meta: { ui: { resourceUri } } });
    expect(read).not.toHaveProperty('resourceUri');
    expect(read).toMatchObject({ family: null, source: null });
    expect(read.findings).toEqual([
      expect.objectContaining({ code: 'resource-uri', path: '_meta.ui.resourceUri' }),
    ]);
    expect(read.findings[0]?.message.length).toBeLessThan(400);
    expect(read.findings[0]?.message).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(read.broken).toBe('mcp-apps');
    expect(read.findings[0]?.fix.length).toBeLessThan(400);
    expect(read.findings[0]?.fix).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  test.each([
    ['ui:/x', 'Write "ui://x", and register the resource under the same address.'],
    ['ui:x', 'Write "ui://x", and register the resource under the same address.'],
    ['ui//x', 'Write "ui://x", and register the resource under the same address.'],
    [' UI://x/a.html ', 'Write "ui://x/a.html", and register the resource under the same address.'],
    ['app.html', 'Write "ui://app.html", and register the resource under the same address.'],
    ['ui://a\\b', 'Write "ui://a/b", and register the resource under the same address.'],
    [
      'https://example.com/app.html',
      'A page is not read from such an address. Register its HTML as a resource of the server, for example under "ui://my-server/app.html", and write that address.',
    ],
    ...['', 5, null, 'ui://a/../b', 'ui://a\u202Eb', 'ui:/a\nb', `ui:/${'x'.repeat(1_000_000)}`].map(
      (value) => [
        value,
        'Write the address of a resource that the server registers, for example "ui://my-server/app.html".',
      ],
    ),
  ])('%j comes with what to write instead', (resourceUri, fix) => {
    expect(readToolUi({ _meta: { ui: { resourceUri } } }).findings[0]?.fix).toBe(fix);
  });

  test.each([
    [5, '_meta.ui.resourceUri is refused because it is not a string: 5'],
    ['', '_meta.ui.resourceUri is refused because it is empty: ""'],
    ['ui:/x', '_meta.ui.resourceUri is refused because it does not start with ui://: "ui:/x"'],
    [['ui://x'], '_meta.ui.resourceUri is refused because it is not a string: (array)'],
  ])('%j is shown as it is written', (resourceUri, message) => {
    expect(readToolUi({ _meta: { ui: { resourceUri } } }).findings[0]?.message).toBe(message);
  });

  test('leaves nothing broken where another spelling can be read', () => {
    const tool = { _meta: { ui: { resourceUri: 'ui:/x' }, 'ui/resourceUri': 'ui://x' } };
    expect(readToolUi(tool)).toMatchObject({ resourceUri: 'ui://x', family: 'mcp-apps' });
    expect(readToolUi(tool)).not.toHaveProperty('broken');
    expect(readToolUi({ _meta: { 'openai/outputTemplate': 'https://x' } }).broken).toBe('openai');
    expect(readToolUi({ _meta: {} })).not.toHaveProperty('broken');
  });

  test.each([
    'ui://a/b.html?x=1',
    'ui://a/.well-known/x',
    'ui://a/..b/c',
    'ui://ä/ö',
    'ui://widget/v1.2.html',
  ])('%s is fine', (resourceUri) => {
    expect(readToolUi({ _meta: { ui: { resourceUri } } }).resourceUri).toBe(resourceUri);
  });

  test('and the next spelling is tried', () => {
    const tool = { _meta: { ui: { resourceUri: 'https://x' }, 'ui/resourceUri': uri } };
    expect(readToolUi(tool)).toMatchObject({ resourceUri: uri, source: 'flat' });
  });
});

describe('D14 metadata of wrong types is ignored with a finding', () => {
  test.each([
    ['_meta', { _meta: 'x' }],
    ['_meta', { _meta: [1] }],
    ['_meta', { _meta: null }],
    ['_meta.ui', { _meta: { ui: 'x' } }],
    ['_meta.ui', { _meta: { ui: null } }],
    ['_meta.ui', { _meta: { ui: [] } }],
    ['annotations.ui', { annotations: { ui: 5 } }],
  ])('%s', (path, tool) => {
    expect(readToolUi(tool)).toMatchObject({
      family: null,
      visibility: { model: true, app: true },
      findings: [{ code: 'metadata-type', path }],
    });
  });

  test('inherited and prototype members do not count', () => {
    expect(readToolUi(Object.create({ _meta: { ui: { resourceUri: uri } } })).family).toBeNull();
    const tool: unknown = JSON.parse(`{"__proto__":{"_meta":{"ui":{"resourceUri":"${uri}"}}}}`);
    expect(readToolUi(tool).family).toBeNull();
    expect('_meta' in {}).toBe(false);
  });

  test('a tool whose members throw is hidden', () => {
    const tool = {
      get _meta(): unknown {
        throw new Error('trap');
      },
    };
    expect(readToolUi(tool)).toMatchObject({ family: null, visibility: { model: false, app: false } });
  });
});

describe('visibility', () => {
  const withVisibility = (visibility: unknown) => ({ _meta: { ui: { resourceUri: uri, visibility } } });
  const read = (tool: unknown) => [isToolVisibleTo(tool, 'model'), isToolVisibleTo(tool, 'app')];

  verifies('HOST-020', 'a missing list means model and app', () => {
    expect(read({ name: 't' })).toEqual([true, true]);
    expect(read({ _meta: { ui: { resourceUri: uri } } })).toEqual([true, true]);
    expect(read({ _meta: { 'ui/resourceUri': uri } })).toEqual([true, true]);
    expect(read(withVisibility(undefined))).toEqual([true, true]);
  });

  test.each([
    [['model', 'app'], true, true],
    [['model'], true, false],
    [['app'], false, true],
    [['app', 'x'], false, true],
    [['app', 'app'], false, true],
  ])('%j', (list, model, app) => {
    expect(read(withVisibility(list))).toEqual([model, app]);
  });

  test.each([[[]], ['model'], ['app'], [null], [['APP']], [['x']], [{ 0: 'app' }], [true], [[['app']]]])(
    'B09 %j hides the tool from apps',
    (list) => {
      expect(isToolVisibleTo(withVisibility(list), 'app')).toBe(false);
    },
  );

  test('a helper tool may have visibility without a UI', () => {
    expect(read({ _meta: { ui: { visibility: ['app'] } } })).toEqual([false, true]);
    expect(read({ meta: { ui: { visibility: ['app'] } } })).toEqual([false, true]);
    expect(read({ annotations: { ui: { visibility: ['model'] } } })).toEqual([true, false]);
  });

  test('in the OpenAI family an app may call only what says so', () => {
    const openai = (keys: Record<string, unknown>) => ({ _meta: { 'openai/outputTemplate': uri, ...keys } });
    expect(read(openai({}))).toEqual([true, false]);
    expect(read(openai({ 'openai/widgetAccessible': true }))).toEqual([true, true]);
    expect(read(openai({ 'openai/widgetAccessible': 'true' }))).toEqual([true, false]);
    expect(read(openai({ 'openai/visibility': 'private', 'openai/widgetAccessible': true }))).toEqual([
      false,
      true,
    ]);
    expect(read(openai({ ui: { resourceUri: uri } }))).toEqual([true, true]);
    expect(read(openai({ ui: { visibility: ['model', 'app'] } }))).toEqual([true, true]);
    // HOST-020 holds for a tool that also has the MCP Apps link.
    expect(read(openai({ ui: { resourceUri: uri }, 'openai/widgetAccessible': false }))).toEqual([
      true,
      true,
    ]);
  });

  test('the calling app’s family decides what silence means', () => {
    const openai = (keys: Record<string, unknown>) => ({ _meta: keys });
    const mayCall = (tool: unknown) => [isToolCallableBy(tool, 'mcp-apps'), isToolCallableBy(tool, 'openai')];
    expect(mayCall({ name: 't' })).toEqual([true, false]);
    expect(mayCall(openai({ 'openai/widgetAccessible': true }))).toEqual([true, true]);
    expect(mayCall(openai({ 'openai/widgetAccessible': false }))).toEqual([false, false]);
    expect(mayCall(openai({ ui: { visibility: ['app'] } }))).toEqual([true, true]);
    expect(mayCall(openai({ ui: { visibility: ['model'] }, 'openai/widgetAccessible': true }))).toEqual([
      false,
      false,
    ]);
    const trap = {
      get _meta(): unknown {
        throw new Error('trap');
      },
    };
    expect(mayCall(trap)).toEqual([false, false]);
    // What is said of visibility counts for nothing beside a link that cannot be read.
    const half = {
      _meta: {
        ui: {
          visibility: ['app'],
          get resourceUri(): unknown {
            throw new Error('trap');
          },
        },
      },
    };
    expect(mayCall(half)).toEqual([false, false]);
  });
});

describe('a tool with a UI of two families', () => {
  const other = 'ui://widget/template';
  const both = { _meta: { ui: { resourceUri: uri }, 'openai/outputTemplate': other } };

  test('is an MCP App, or what is preferred, and the other address is a finding', () => {
    expect(readToolUi(both)).toMatchObject({ family: 'mcp-apps', resourceUri: uri, source: 'nested' });
    const preferred = readToolUi(both, 'openai');
    expect(preferred).toMatchObject({ family: 'openai', resourceUri: other, source: 'openai' });
    expect(preferred.findings.map(({ code }) => code)).toEqual(['two-families']);
  });

  test('that has none of the preferred family is what it is', () => {
    expect(readToolUi({ _meta: { ui: { resourceUri: uri } } }, 'openai').family).toBe('mcp-apps');
    expect(readToolUi({ _meta: { 'openai/outputTemplate': uri } }).findings).toMatchObject([
      { code: 'spelling-openai' },
    ]);
  });
});
