import { describe, expect, test } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import { methodTable, type Method, type Sender } from './methods.js';
import { parseCallToolResult, parseReadResourceResult, parseTool } from '../index.js';
import { styleVariableNames } from './style-variables.js';
import { parseHostContext } from './parse-values.js';
import { resourceListingSchema } from './content-schemas.js';

const read = (from: Sender, method: Method, params: unknown): unknown => {
  const row = methodTable.find((candidate) => candidate.method === method && candidate.from === from);
  if (!row) throw new Error(`${from} has no ${method}`);
  return row.params(params);
};
const refuses = (from: Sender, method: Method, params: unknown): void => {
  expect(() => read(from, method, params)).toThrow();
};

test('no message stands twice for one sender, and exactly the requests have results', () => {
  const keys = methodTable.map((row) => `${row.from} ${row.method}`);
  expect(new Set(keys).size).toBe(keys.length);
  for (const row of methodTable) expect('result' in row, row.method).toBe(row.kind === 'request');
});

verifies(['S2-06', 'S3-22'], 'the table holds every message of the stable text', () => {
  const stable = methodTable
    .filter((row) => row.since === '2026-01-26')
    .map((row) => `${row.from} ${row.method}`);
  expect(stable.sort()).toEqual(
    [
      'app notifications/message',
      'app ping',
      'app resources/read',
      'app tools/call',
      'app ui/initialize',
      'app ui/message',
      'app ui/notifications/initialized',
      'app ui/notifications/size-changed',
      'app ui/open-link',
      'app ui/request-display-mode',
      'app ui/update-model-context',
      'host notifications/resources/list_changed',
      'host ping',
      'host ui/notifications/host-context-changed',
      'host ui/notifications/sandbox-resource-ready',
      'host ui/notifications/tool-cancelled',
      'host ui/notifications/tool-input',
      'host ui/notifications/tool-input-partial',
      'host ui/notifications/tool-result',
      'host ui/resource-teardown',
      'proxy ui/notifications/sandbox-proxy-ready',
    ].sort(),
  );
});

describe('what apps send is read with tolerance', () => {
  const block = { type: 'text', text: 'Hi' };

  verifies('S2-13', 'a message may be one block or several, and the role may be missing', () => {
    expect(read('app', 'ui/message', { content: block })).toEqual({ role: 'user', content: [block] });
    expect(read('app', 'ui/message', { role: 'user', content: [block, block] })).toEqual({
      role: 'user',
      content: [block, block],
    });
    refuses('app', 'ui/message', { role: 'assistant', content: [block] });
    refuses('app', 'ui/message', { role: 'user', content: 'Hi' });
    refuses('app', 'ui/message', { role: 'user' });
  });

  test('unknown keys survive, at the top and inside', () => {
    const params = {
      appInfo: { name: 'a', version: '1', mood: 'good' },
      appCapabilities: { future: {} },
      protocolVersion: '2025-11-21',
      extra: [1],
    };
    expect(read('app', 'ui/initialize', params)).toEqual(params);
  });

  verifies('S1-115', 'display modes nobody knows are left out of the declaration', () => {
    expect(
      read('app', 'ui/initialize', {
        appInfo: { name: 'a', version: '1' },
        appCapabilities: { availableDisplayModes: ['carousel', 'fullscreen', 'inline'] },
        protocolVersion: 'x',
      }),
    ).toMatchObject({ appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] } });
  });

  verifies('S2-09', 'initialize without version, name or capabilities is refused', () => {
    const good = { appInfo: { name: 'a', version: '1' }, appCapabilities: {}, protocolVersion: 'x' };
    for (const key of Object.keys(good)) refuses('app', 'ui/initialize', { ...good, [key]: undefined });
    refuses('app', 'ui/initialize', { ...good, appCapabilities: { tools: true } });
    refuses('app', 'ui/initialize', { ...good, appCapabilities: [] });
  });

  test('sizes are finite numbers', () => {
    expect(read('app', 'ui/notifications/size-changed', { width: 1.5, height: -1 })).toEqual({
      width: 1.5,
      height: -1,
    });
    for (const height of [NaN, Infinity, '100vw;', null, {}]) {
      refuses('app', 'ui/notifications/size-changed', { height });
    }
  });

  test('the log level warn is read as warning', () => {
    expect(read('app', 'notifications/message', { level: 'warn', data: 'x' })).toEqual({
      level: 'warning',
      data: 'x',
    });
    refuses('app', 'notifications/message', { level: 'loud', data: 'x' });
  });

  test('arguments keep every key, also those that name prototype members', () => {
    const args: unknown = JSON.parse('{"constructor":"McLaren","__proto__":{"polluted":1},"prototype":2}');
    const params = read('app', 'tools/call', { name: 'race', arguments: args });
    expect(params).toHaveProperty('arguments', args);
    expect(JSON.stringify(params)).toContain('"__proto__":{"polluted":1}');
    expect('polluted' in {}).toBe(false);
    for (const bad of [[], 'x', null, 5, new Map()])
      refuses('app', 'tools/call', { name: 'race', arguments: bad });
  });
});

describe('what the host sends is as strict as official apps are', () => {
  const tool = { name: 't', inputSchema: { type: 'object' } };

  test.each([
    ['theme system', { theme: 'system' }],
    ['theme null', { theme: null }],
    ['an unknown style variable', { styles: { variables: { '--my-color': 'red' } } }],
    ['a style variable that is no string', { styles: { variables: { '--font-sans': 1 } } }],
    ['a prototype name as style variable', { styles: { variables: { constructor: 'x' } } }],
    ['a tool without inputSchema', { toolInfo: { tool: { name: 't' } } }],
    ['a tool whose schema is no object schema', { toolInfo: { tool: { ...tool, inputSchema: {} } } }],
    [
      'a tool with a hint that is no boolean',
      { toolInfo: { tool: { ...tool, annotations: { readOnlyHint: 'y' } } } },
    ],
    ['null as maximum', { containerDimensions: { maxHeight: null } }],
    ['dimensions as a list', { containerDimensions: [] }],
    ['display mode carousel', { displayMode: 'carousel' }],
    ['a mode nobody knows', { availableDisplayModes: ['inline', 'carousel'] }],
    ['an unknown platform', { platform: 'tv' }],
    ['insets with a gap', { safeAreaInsets: { top: 1, left: 1, right: 1 } }],
  ])('%s is refused', (_name, context) => {
    refuses('host', 'ui/notifications/host-context-changed', context);
    expect(() => parseHostContext(context)).toThrow(expect.objectContaining({ code: 'invalid-params' }));
  });

  verifies(['S1-115', 'S1-116'], 'a full context passes unchanged', () => {
    const context = {
      toolInfo: { id: 3, tool },
      theme: 'dark',
      styles: {
        variables: Object.fromEntries(styleVariableNames.map((name) => [name, 'x'])),
        css: { fonts: '' },
      },
      displayMode: 'inline',
      availableDisplayModes: ['inline', 'pip'],
      containerDimensions: { width: 300, maxHeight: 400 },
      locale: 'de-CH',
      timeZone: 'Europe/Zurich',
      userAgent: 'casement',
      platform: 'web',
      deviceCapabilities: { touch: false, hover: true },
      safeAreaInsets: { top: 0, right: 0, bottom: 0, left: 0 },
      viewport: { width: 1 },
    };
    expect(parseHostContext(context)).toEqual(context);
  });

  test('there are 76 standard variables', () => {
    expect(new Set(styleVariableNames).size).toBe(76);
    expect(styleVariableNames).toContain('--font-heading-3xl-line-height');
  });

  test('capabilities are objects, never booleans, and all four parts of the answer are there', () => {
    const row = methodTable.find((candidate) => candidate.method === 'ui/initialize');
    if (!row || !('result' in row)) throw new Error('no ui/initialize');
    const good = {
      protocolVersion: '2026-01-26',
      hostInfo: { name: 'h', version: '1' },
      hostCapabilities: {
        openLinks: {},
        sandbox: { csp: { connectDomains: [] }, permissions: { camera: {} } },
      },
      hostContext: {},
    };
    const { result } = row;
    expect(result(good)).toEqual(good);
    for (const key of Object.keys(good)) {
      expect(() => result({ ...good, [key]: undefined }), key).toThrow();
    }
    for (const openLinks of [true, [], null]) {
      expect(() => result({ ...good, hostCapabilities: { openLinks } })).toThrow();
    }
  });
});

describe('what servers answer', () => {
  test('a result may lack content; structured content that is no object is left out', () => {
    expect(parseCallToolResult({ structuredContent: { a: 1 } })).toEqual({
      content: [],
      structuredContent: { a: 1 },
    });
    expect(parseCallToolResult({ content: [], structuredContent: [1], _meta: { x: 1 } })).toEqual({
      content: [],
      _meta: { x: 1 },
    });
  });

  test.each([
    [
      'tool result',
      parseCallToolResult,
      [null, 'x', [], { content: 'x' }, { content: [{ type: 'hologram' }] }],
    ],
    ['tool', parseTool, [null, {}, { name: 'x' }, { name: 5, inputSchema: { type: 'object' } }]],
    ['resource', parseReadResourceResult, [null, {}, { contents: {} }, { contents: [{ uri: 'x' }] }]],
  ] as const)('garbage instead of a %s is named', (_name, parse, values) => {
    for (const value of values) {
      expect(() => parse(value)).toThrow(expect.objectContaining({ code: 'server-garbage' }));
    }
  });

  verifies('S2-35', 'a resource may have a description, and its page comes as text or as a blob', () => {
    const listing = { uri: 'ui://a', name: 'a' };
    for (const listed of [listing, { ...listing, description: 'A page.' }]) {
      expect(resourceListingSchema(listed)).toEqual(listed);
    }
    expect(() => resourceListingSchema({ ...listing, description: 7 })).toThrow();
    const contents = [
      { uri: 'ui://a', text: '<p>' },
      { uri: 'ui://a', blob: 'PHA+' },
    ];
    expect(parseReadResourceResult({ contents })).toEqual({ contents });
  });

  test('D23 __proto__ in a result pollutes nothing', () => {
    const value: unknown = JSON.parse(
      '{"content":[{"type":"text","text":"x","__proto__":{"polluted":1}}],"__proto__":{"polluted":1},"structuredContent":{"__proto__":{"polluted":1}}}',
    );
    const result = parseCallToolResult(value);
    expect('polluted' in {}).toBe(false);
    expect('polluted' in result).toBe(false);
    expect('polluted' in (result.content[0] ?? {})).toBe(false);
    expect(result.structuredContent).not.toHaveProperty('polluted');
  });

  test('a fault is named by its place', () => {
    expect(() => parseCallToolResult({ content: [{ type: 'image', data: 1 }] })).toThrow(/content\.0\.data/);
  });
});
