import type { AppResources, ServerPort } from '@casement/host';
import { expect, test } from 'vitest';
import { createFamilies } from './families.js';
import type { StagedCall } from './stage-types.js';

// Nothing here is called or read: only whose tool it is counts.
const port = (identity: string) => ({ name: 'one', identity }) as ServerPort;
const toCall = (_meta: Record<string, unknown>, name = 'show', identity = 'a'): StagedCall => ({
  port: port(identity),
  resources: {} as AppResources,
  tool: { name, inputSchema: { type: 'object' }, _meta },
  args: {},
});

const app = { ui: { resourceUri: 'ui://one/app' } };
const widget = { 'openai/outputTemplate': 'ui://one/widget' };

test('there is a choice only where a tool names a UI for both families', () => {
  const families = createFamilies();
  expect(families.of(toCall({}))).toBeUndefined();
  expect(families.of(toCall(app))).toBeUndefined();
  expect(families.of(toCall(widget))).toBeUndefined();
  expect(families.of(toCall({ ...app, 'openai/outputTemplate': 'https://one/' }))).toBeUndefined();
  expect(families.of(toCall({ ...app, ...widget }))).toBe('mcp-apps');
});

test('a choice holds for that tool of that server alone', () => {
  const families = createFamilies();
  const both = { ...app, ...widget };
  families.choose(toCall(both), 'openai');
  expect(families.of(toCall(both))).toBe('openai');
  expect(families.of(toCall(both, 'other'))).toBe('mcp-apps');
  expect(families.of(toCall(both, 'show', 'b'))).toBe('mcp-apps');
  families.choose(toCall(both), 'mcp-apps');
  expect(families.of(toCall(both))).toBe('mcp-apps');
});
