import type { Tool } from '@casement/protocol';
import { describe, expect, test } from 'vitest';
import { filterTools, toListedTools } from './tool-order.js';

const make = (name: string, ui?: Record<string, unknown>, description?: string): Tool => ({
  name,
  inputSchema: { type: 'object' },
  ...(description ? { description } : {}),
  ...(ui ? { _meta: { ui } } : {}),
});

const tools = [
  make('plain', undefined, 'Counts the rows of a table'),
  make('inner', { visibility: ['app'] }),
  make('shown', { resourceUri: 'ui://a/b' }),
  make('broken', { resourceUri: 'https://a/b' }),
];

describe('the list of tools', () => {
  test('begins with those that have an app and ends with those only apps may call', () => {
    const listed = toListedTools(tools);
    expect(
      listed.map(({ tool, family, isBroken, appOnly }) => [tool.name, family, isBroken, appOnly]),
    ).toEqual([
      ['shown', 'mcp-apps', false, false],
      ['broken', 'mcp-apps', true, false],
      ['plain', null, false, false],
      ['inner', null, false, true],
    ]);
  });

  test('finds by every word, wherever it stands', () => {
    const find = (query: string) => filterTools(toListedTools(tools), query).map(({ tool }) => tool.name);
    expect(find('ROWS table')).toEqual(['plain']);
    expect(find('rows chair')).toEqual([]);
    expect(find(' ')).toHaveLength(4);
  });
});
