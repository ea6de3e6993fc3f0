import { expect, test } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import { detectUIType, getUIResourceUri, isUIResource, type UIType } from './ui-type.js';

const nested = { ui: { resourceUri: 'ui://apps/nested' } };
const flat = { 'ui/resourceUri': 'ui://apps/flat' };
const openai = { 'openai/outputTemplate': 'ui://openai/page' };
const block = {
  type: 'resource',
  resource: { uri: 'ui://mcp-ui/page', mimeType: 'text/html', text: '<p>' },
};
const embedded = { content: [{ type: 'text', text: 'x' }, block] };

verifies(
  ['S1-16', 'S1-17'],
  'the family is told from metadata and result, and there are three or none',
  () => {
    // A record over the type: a fourth family, or one less, does not compile.
    const families: Record<Exclude<UIType, null>, [unknown, unknown]> = {
      'mcp-apps': [nested, undefined],
      'openai-sdk': [openai, { content: [] }],
      'mcp-ui': [undefined, embedded],
    };
    for (const [family, [meta, result]] of Object.entries(families)) {
      expect(detectUIType(meta, result)).toBe(family);
    }
    expect(detectUIType(flat, undefined)).toBe('mcp-apps');
    expect(detectUIType(undefined, undefined)).toBeNull();
  },
);

verifies('S1-18', 'MCP Apps wins over OpenAI, OpenAI over MCP-UI, and otherwise there is none', () => {
  expect(detectUIType({ ...openai, ...flat }, embedded)).toBe('mcp-apps');
  expect(detectUIType(openai, embedded)).toBe('openai-sdk');
  expect(detectUIType({ other: 1 }, embedded)).toBe('mcp-ui');
  expect(detectUIType({ other: 1 }, { content: [{ type: 'text', text: 'ui://x' }] })).toBeNull();
});

verifies(
  ['S1-19', 'S1-20'],
  'an embedded block that wraps a ui:// address is a UI resource, nothing else is',
  () => {
    expect(isUIResource(block)).toBe(true);
    expect(isUIResource({ type: 'resource', resource: { uri: 'ui://bare' } })).toBe(true);
    expect(detectUIType(undefined, { content: [{ type: 'resource', resource: { uri: 'ui://bare' } }] })).toBe(
      'mcp-ui',
    );
    for (const other of [
      undefined,
      null,
      'ui://x',
      { type: 'resource' },
      { type: 'resource', resource: { uri: 'https://x.example' } },
      { type: 'resource', resource: { uri: 'ui://' } },
      { type: 'resource', resource: { uri: 7 } },
      { type: 'resource_link', uri: 'ui://x' },
      { type: 'text', resource: { uri: 'ui://x' } },
      Object.create({ type: 'resource', resource: { uri: 'ui://inherited' } }),
    ]) {
      expect(isUIResource(other)).toBe(false);
    }
  },
);

verifies('S1-21', 'the address is that of MCP Apps and OpenAI tools, and null for the rest', () => {
  expect(getUIResourceUri('mcp-apps', nested)).toBe('ui://apps/nested');
  expect(getUIResourceUri('mcp-apps', { ...flat, ...nested })).toBe('ui://apps/nested');
  expect(getUIResourceUri('mcp-apps', flat)).toBe('ui://apps/flat');
  expect(getUIResourceUri('openai-sdk', { ...openai, ...nested })).toBe('ui://openai/page');
  expect(getUIResourceUri('mcp-apps', openai)).toBeNull();
  expect(getUIResourceUri('openai-sdk', nested)).toBeNull();
  expect(getUIResourceUri('mcp-ui', nested)).toBeNull();
  expect(getUIResourceUri(null, nested)).toBeNull();
  expect(getUIResourceUri('mcp-apps', { ui: { resourceUri: 'javascript:alert(1)' } })).toBeNull();
});

test('metadata that is garbage has no family and no address', () => {
  for (const meta of [null, 5, 'x', [], { ui: 'ui://x' }, { ui: { resourceUri: 5 } }]) {
    expect(detectUIType(meta, { content: 'x' })).toBeNull();
    expect(getUIResourceUri('mcp-apps', meta)).toBeNull();
    expect(getUIResourceUri('openai-sdk', meta)).toBeNull();
  }
});
