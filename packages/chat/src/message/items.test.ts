import { describe, expect, expectTypeOf, test } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import type { GenericItem, McpAppItem } from '../index.js';
import type { MessageResponseType } from './items.js';
import {
  MessageResponseTypes,
  parseGenericItem,
  parseMcpAppItem,
  toAccessibleName,
  toRequestedMode,
} from '../index.js';
import { isMcpAppItem, toItemText, toMessageParts } from './items.js';

const least = { response_type: 'mcp_app', title: 'Weather', mcp_app_id: 'w1', resource_uri: 'ui://w/app' };

const whole = {
  ...least,
  aria_label: 'Weather of Lisbon',
  fallback_text: 'Lisbon: 21 °C',
  resource_html: '<p>Lisbon',
  tool_name: 'get_weather',
  tool_call_id: 'call_1',
  display_mode: 'pip',
  server: 'weather',
};

const parsed = (value: unknown): McpAppItem => {
  const outcome = parseMcpAppItem(value);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  return outcome.item;
};

const problemsOf = (value: unknown) => {
  const outcome = parseMcpAppItem(value);
  return outcome.ok ? [] : outcome.problems.map(({ code, field }) => `${code} ${field}`);
};

describe('an app as an item', () => {
  verifies(['S5-09', 'S5-83'], 'is a response type of its own, in the list and in the union', () => {
    expect(MessageResponseTypes.MCP_APP).toBe('mcp_app');
    expectTypeOf<'mcp_app'>().toExtend<MessageResponseType>();
    expectTypeOf<McpAppItem>().toExtend<GenericItem>();
    expect(isMcpAppItem(parsed(least))).toBe(true);
    expect(isMcpAppItem({ response_type: 'text', text: 'mcp_app' })).toBe(false);
    expect(problemsOf({ ...least, response_type: 'iframe' })).toEqual(['unknown-type response_type']);
    expect(problemsOf({ title: 'Weather', mcp_app_id: 'w1' })).toEqual(['unknown-type response_type']);
  });

  test('must have a title that says something', () => {
    expect(problemsOf({ ...least, title: undefined })).toEqual(['missing title']);
    expect(problemsOf({ ...least, title: ' ' })).toEqual(['missing title']);
    expect(problemsOf({ ...least, title: 7 })).toEqual(['wrong-type title']);
    expect(parsed(least).title).toBe('Weather');
  });

  test('must have an id', () => {
    expect(problemsOf({ ...least, mcp_app_id: undefined })).toEqual(['missing mcp_app_id']);
    expect(problemsOf({ ...least, mcp_app_id: '' })).toEqual(['missing mcp_app_id']);
    expect(problemsOf({ ...least, mcp_app_id: 1 })).toEqual(['wrong-type mcp_app_id']);
  });

  verifies('S5-12', 'is called by its label, and by its title without one', () => {
    expect(toAccessibleName(parsed(whole))).toBe('Weather of Lisbon');
    expect(toAccessibleName(parsed(least))).toBe('Weather');
    expect(toAccessibleName(parsed({ ...least, aria_label: '  ' }))).toBe('Weather');
  });

  verifies(
    ['S5-13', 'S5-14', 'S5-15', 'S5-16', 'S5-17'],
    'may have fallback text, address, HTML, tool and call, which arrive as they were given',
    () => {
      expect(parsed(whole)).toEqual(whole);
      expect(parsed(least)).toEqual(least);
      for (const field of Object.keys(whole).filter((name) => name !== 'response_type')) {
        const outcome = parseMcpAppItem({ ...whole, [field]: ['x'] });
        expect(outcome).toEqual({
          ok: false,
          problems: [{ code: 'wrong-type', field, message: `${field} must be a string, not an array.` }],
        });
      }
    },
  );

  verifies('S5-18', 'asks for inline when it says nothing else', () => {
    expect(toRequestedMode(parsed(least))).toBe('inline');
    for (const display_mode of ['inline', 'fullscreen', 'pip']) {
      expect(toRequestedMode(parsed({ ...least, display_mode }))).toBe(display_mode);
    }
    expect(problemsOf({ ...least, display_mode: 'modal' })).toEqual(['not-allowed display_mode']);
  });

  test.each(['https://a.example/', 'UI://a/b', 'ui://', 'ui://a/../b', 'ui://a b', 'javascript:1', ''])(
    'is refused with the address %j',
    (resource_uri) => {
      expect(problemsOf({ ...least, resource_uri })).toEqual(['not-allowed resource_uri']);
    },
  );

  test('needs something to show: an address, HTML, or a tool that has an address', () => {
    const nothing = { ...least, resource_uri: undefined };
    expect(problemsOf(nothing)).toEqual(['missing resource_uri']);
    expect(problemsOf({ ...nothing, resource_html: '' })).toEqual(['not-allowed resource_html']);
    expect(problemsOf({ ...nothing, resource_html: '<p>' })).toEqual([]);
    expect(problemsOf({ ...nothing, tool_name: 'get_weather' })).toEqual([]);
  });

  test('written with several mistakes is refused with all of them', () => {
    expect(problemsOf({ response_type: 'mcp_app', title: null, display_mode: 'x', server: 1 })).toEqual([
      'wrong-type title',
      'missing mcp_app_id',
      'not-allowed display_mode',
      'wrong-type server',
    ]);
  });

  test.each([undefined, null, 'mcp_app', 7, [], () => least])('is never read from %o', (value) => {
    expect(problemsOf(value)).toEqual(['not-an-object ']);
  });

  test('takes nothing from a prototype and keeps no field it does not know', () => {
    expect(problemsOf(Object.create(least))).toEqual(['unknown-type response_type']);
    expect(parsed({ ...least, onclick: 'x' })).toEqual(least);
    expect(parsed(JSON.parse(`{"__proto__":{"aria_label":"x"},${JSON.stringify(least).slice(1)}`))).toEqual(
      least,
    );
  });

  verifies('S5-20', 'goes through the functions for messages like any other kind', () => {
    const text = { response_type: 'text', text: 'Here it is:' } as const;
    const app = parsed(whole);
    expect(parseGenericItem(text)).toEqual({ ok: true, item: text });
    expect(parseGenericItem(whole)).toEqual({ ok: true, item: app });
    expect([text, app].map(toItemText)).toEqual(['Here it is:', 'Lisbon: 21 °C']);
    expect(toItemText(parsed(least))).toBe('Weather');
    expect(toMessageParts([text, app])).toEqual([
      { type: 'text', text: 'Here it is:' },
      { type: 'mcp-app', item: app },
    ]);
  });

  test('of another kind is named when it is wrong', () => {
    expect(parseGenericItem({ response_type: 'text' })).toMatchObject({ problems: [{ field: 'text' }] });
    expect(parseGenericItem({ response_type: 'text', text: 1 })).toMatchObject({
      problems: [{ code: 'wrong-type', field: 'text' }],
    });
    expect(parseGenericItem('hello')).toMatchObject({ problems: [{ code: 'not-an-object' }] });
    expect(parseGenericItem({ response_type: 'video' })).toMatchObject({
      problems: [{ message: 'response_type is not one this chat knows: "video".' }],
    });
  });
});
