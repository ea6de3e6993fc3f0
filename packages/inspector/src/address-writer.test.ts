import { describe, expect, test } from 'vitest';
import { toCallAddress } from './address-writer.js';
import { readDeepLink, toQuery } from './page-address.js';

const bringBack = (call: Parameters<typeof toCallAddress>[0]) =>
  readDeepLink({ search: toQuery('', toCallAddress(call)), hash: '' });

describe('the address of a call', () => {
  test('brings server, tool and arguments back, and does not run them', () => {
    expect(bringBack({ serverName: 'a&b', toolName: 'c d', text: '{\n  "n": "ü"\n}' })).toEqual({
      server: 'a&b',
      tool: 'c d',
      args: '{"n":"ü"}',
      run: false,
    });
  });

  test('carries empty arguments too, and text that is not JSON yet as it is', () => {
    expect(bringBack({ serverName: 'a', toolName: 'b', text: '' }).args).toBe('{}');
    expect(bringBack({ serverName: 'a', toolName: 'b', text: '{"n": ' }).args).toBe('{"n":');
  });

  test('leaves out what is not selected and what is too long for an address', () => {
    expect(bringBack({ text: '{}' })).toEqual({ run: false });
    const text = JSON.stringify({ long: 'x'.repeat(10_000) });
    expect(bringBack({ serverName: 'a', toolName: 'b', text })).toEqual({
      server: 'a',
      tool: 'b',
      run: false,
    });
  });
});
