import type { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.js';
import { getUiCapability, isExtAppsMimeType, registerAppTool } from './index.js';
import { generations, html, says } from './wire.test-support.js';

const mimeTypes = ['text/html;profile=mcp-app'];

/** Words for everyone, and the note about the app only where it is seen. */
const build = (server: McpServer): void => {
  registerAppTool(server, 'weather', { ui: { template: html } }, (context) => {
    const isShown = getUiCapability(context, server)?.mimeTypes?.some(isExtAppsMimeType) ?? false;
    return says(isShown ? 'The forecast is on screen.' : 'Sun, 21 degrees, light wind.');
  });
};

describe.each(generations)('on $generation', ({ generation, open }) => {
  verifies(
    ['SERVER-014', 'SERVER-015', 'SERVER-016'],
    'a tool knows per request whether its app will be seen, and has words for clients without apps',
    async () => {
      const rich = await open(build, true);
      expect(await rich.callTool('weather')).toMatchObject(says('The forecast is on screen.'));
      const poor = await open(build, false);
      expect(await poor.callTool('weather')).toMatchObject(says('Sun, 21 degrees, light wind.'));
      if (generation.endsWith('2026-07-28')) expect(rich.version).toBe('2026-07-28');
    },
  );
});

describe('getUiCapability', () => {
  const capabilities = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes, more: 1 } } };
  const server = (declared: unknown) => ({ server: { getClientCapabilities: () => declared } });
  const request = (declared: unknown) => ({
    mcpReq: { envelope: declared && { 'io.modelcontextprotocol/clientCapabilities': declared } },
  });

  test('reads capabilities as the official helper does', () => {
    expect(getUiCapability(capabilities)).toEqual({ mimeTypes, more: 1 });
    for (const none of [undefined, null, {}, { extensions: {} }, { roots: {} }]) {
      expect(getUiCapability(none)).toBeUndefined();
    }
  });

  test('reads a server, a request, and the experimental place of older clients', () => {
    expect(getUiCapability(server(capabilities))).toEqual({ mimeTypes, more: 1 });
    expect(getUiCapability(server(capabilities).server)).toEqual({ mimeTypes, more: 1 });
    expect(getUiCapability(request(capabilities))).toEqual({ mimeTypes, more: 1 });
    expect(getUiCapability({ experimental: capabilities.extensions })).toEqual({ mimeTypes, more: 1 });
  });

  test('the request counts before the connection, and one that says nothing is passed over', () => {
    expect(getUiCapability(request({}), server(capabilities))).toBeUndefined();
    expect(getUiCapability(request(undefined), server(capabilities))).toEqual({ mimeTypes, more: 1 });
    expect(
      getUiCapability({ signal: new AbortController().signal, requestId: 1 }, server(capabilities)),
    ).toEqual({ mimeTypes, more: 1 });
    expect(getUiCapability(server(undefined))).toBeUndefined();
  });

  test('trusts no shape', () => {
    const of = (declared: unknown) =>
      getUiCapability({ extensions: { 'io.modelcontextprotocol/ui': declared } });
    expect(of(true)).toBeUndefined();
    expect(of([])).toBeUndefined();
    expect(of({})).toEqual({});
    expect(of({ mimeTypes: 'text/html' })).toEqual({});
    expect(of({ mimeTypes: [1, 'text/html'] })).toEqual({ mimeTypes: ['text/html'] });
  });
});
