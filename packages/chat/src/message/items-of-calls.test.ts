import type { CallToolResult, Tool } from '@casement/protocol';
import { describe, expect, test } from 'vitest';
import type { DynamicToolPart } from './message.js';
import { toCallItem } from '../index.js';
import { verifies } from '../../../../test/verifies.js';
import { toTool } from '../conversation/conversation.test-support.js';
import { toCallEmbedded } from './items-of-calls.js';

const toPart = (tool: Tool | undefined, content?: readonly unknown[], isError = false): DynamicToolPart => ({
  type: 'dynamic-tool',
  toolName: 'show',
  toolCallId: 'call-1',
  source: { kind: 'server', server: 'maps', tool: 'show' },
  ...(tool ? { tool } : {}),
  state: content ? 'output-available' : 'input-available',
  // What a server may send, which the types would not all allow.
  ...(content ? { output: { content, ...(isError ? { isError } : {}) } as unknown as CallToolResult } : {}),
});

const html = (uri: string, more: object) => ({
  type: 'resource',
  resource: { uri, mimeType: 'text/html;profile=mcp-app', ...more },
});

const named = toTool('show', { title: 'Show', _meta: { ui: { resourceUri: 'ui://maps/map' } } });
const plain = toTool('show');

describe('the app of a call', () => {
  test('is what the tool names, whatever is in the result', () => {
    const item = {
      response_type: 'mcp_app',
      title: 'Show',
      mcp_app_id: 'call-1',
      tool_name: 'show',
      tool_call_id: 'call-1',
      resource_uri: 'ui://maps/map',
      server: 'maps',
    };
    expect(toCallItem(toPart(named))).toEqual(item);
    expect(toCallItem(toPart(named, [html('ui://maps/other', { text: '<p>' })]))).toEqual(item);
  });

  test('is otherwise the first document in the result, as text or blob', () => {
    const text = toPart(plain, [{ type: 'text', text: 'hi' }, html('ui://a', { text: '<p>a' })]);
    expect(toCallItem(text)).toMatchObject({ title: 'show', resource_uri: 'ui://a', resource_html: '<p>a' });
    expect(toCallItem(text)).toBe(toCallItem(text));
    const blob = toPart(plain, [
      html('ui://list', { mimeType: 'text/uri-list', text: 'https://example.com' }),
      html('ui://b', { blob: 'PHA+w6Q=' }),
    ]);
    expect(toCallItem(blob)).toMatchObject({ resource_uri: 'ui://b', resource_html: '<p>ä' });
  });

  verifies(
    'S1-04',
    'is, without an MCP App, the one of MCP-UI in the result, which is mounted as it is',
    () => {
      const block = html('ui://poll', { mimeType: 'text/html', text: '<p>' });
      const part = toPart(plain, [{ type: 'text', text: 'hi' }, block]);
      expect(toCallItem(part)).toMatchObject({ resource_uri: 'ui://poll' });
      expect(toCallItem(part)).not.toHaveProperty('resource_html');
      expect(toCallEmbedded(part)).toEqual(block);
      expect(toCallEmbedded(toPart(plain, [block, html('ui://a', { text: '<p>a' })]))).toBeUndefined();
      expect(toCallEmbedded(toPart(plain, [block], true))).toBeUndefined();
    },
  );

  test.each([
    ['no tool of that name', toPart(undefined, [html('ui://a', { text: '<p>' })])],
    ['no result yet', toPart(plain)],
    ['nothing but text', toPart(plain, [{ type: 'text', text: '<p>' }])],
    ['a document that is not ui://', toPart(plain, [html('https://a.example', { text: '<p>' })])],
    [
      'a document of a type no app has',
      toPart(plain, [html('ui://a', { mimeType: 'image/svg+xml', text: '<p>' })]),
    ],
    ['an empty document', toPart(plain, [html('ui://a', { text: ' ' })])],
    ['a document that cannot be decoded', toPart(plain, [html('ui://a', { blob: '%%' })])],
    ['a result that is an error', toPart(plain, [html('ui://a', { text: '<p>' })], true)],
  ])('is none with %s', (_, part) => expect(toCallItem(part)).toBeUndefined());
});
