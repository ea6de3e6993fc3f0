import { describe, expect, test } from 'vitest';
import { LEGACY_MCP_APP_MIME } from '../index.js';
import { MCP_APP_MIME } from '../constants.js';
import { classifyAppMime, parseMime } from '../resource.js';

describe('parseMime', () => {
  test('takes type and parameters apart', () => {
    const mime = parseMime(' Text/HTML ; Profile="mcp-\\"app" ;charset=UTF-8; ;profile=second');
    expect(mime?.type).toBe('text/html');
    expect([...(mime?.parameters ?? [])]).toEqual([
      ['profile', 'mcp-"app'],
      ['charset', 'UTF-8'],
    ]);
  });

  test.each([
    [''],
    ['html'],
    ['text/'],
    ['/html'],
    ['text/html profile=x'],
    ['text/html;profile'],
    ['text/html;a="b'],
    [5],
    [null],
    [{}],
  ])('%j is no media type', (value) => {
    expect(parseMime(value)).toBeUndefined();
  });

  // What it costs: test/bounded-work.test.ts.
  test('a hostile length is no media type', () => {
    expect(parseMime(`text/html${';'.repeat(1_000_000)}`)).toBeUndefined();
    expect(parseMime(`text/html;a="${'\\'.repeat(400)}`)).toBeUndefined();
  });
});

describe('D09 classifyAppMime', () => {
  test.each([
    [MCP_APP_MIME, 'mcp-apps'],
    ['TEXT/HTML; PROFILE=MCP-APP', 'mcp-apps'],
    ['text/html ; charset=utf-8 ; profile="mcp-app"', 'mcp-apps'],
    [LEGACY_MCP_APP_MIME, 'mcp-apps-legacy'],
    ['Text/HTML+MCP; charset=utf-8', 'mcp-apps-legacy'],
    ['text/html+skybridge', 'openai'],
    ['text/html', 'mcp-ui'],
    ['text/html; charset=utf-8', 'mcp-ui'],
    ['text/uri-list', 'mcp-ui'],
    ['application/vnd.mcp-ui.remote-dom+javascript; framework=react', 'mcp-ui'],
    ['text/html;profile=other', 'unsupported'],
    ['image/svg+xml', 'unsupported'],
    ['text/html;profile=mcp-app, text/plain', 'unsupported'],
    [undefined, 'unsupported'],
    ['', 'unsupported'],
  ])('%s is %s', (value, expected) => {
    expect(classifyAppMime(value)).toBe(expected);
  });
});
