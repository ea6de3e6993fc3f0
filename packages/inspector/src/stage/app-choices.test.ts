import type { AppResources } from '@casement/host';
import type { ServerPort } from '@casement/protocol/ports';
import { expect, test } from 'vitest';
import { createAppChoices } from './app-choices.js';
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
  const choices = createAppChoices();
  expect(choices.of(toCall({})).family).toBeUndefined();
  expect(choices.of(toCall(app)).family).toBeUndefined();
  expect(choices.of(toCall(widget)).family).toBeUndefined();
  expect(choices.of(toCall({ ...app, 'openai/outputTemplate': 'https://one/' })).family).toBeUndefined();
  expect(choices.of(toCall({ ...app, ...widget })).family).toBe('mcp-apps');
});

test('a choice holds for that tool of that server alone', () => {
  const choices = createAppChoices();
  const both = { ...app, ...widget };
  choices.chooseFamily(toCall(both), 'openai');
  expect(choices.of(toCall(both)).family).toBe('openai');
  expect(choices.of(toCall(both, 'other')).family).toBe('mcp-apps');
  expect(choices.of(toCall(both, 'show', 'b')).family).toBe('mcp-apps');
  choices.chooseFamily(toCall(both), 'mcp-apps');
  expect(choices.of(toCall(both)).family).toBe('mcp-apps');
});
