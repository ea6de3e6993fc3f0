import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { McpApp } from '@casement/react';
import { McpAppRenderer, SandboxedIframe } from '@casement/react/compat';

const server = {
  name: 'weather',
  identity: 'd2VhdGhlcg',
  listTools: () => Promise.reject(new Error('nobody asks on a server')),
  callTool: () => Promise.reject(new Error('nobody asks on a server')),
  readResource: () => Promise.reject(new Error('nobody asks on a server')),
  listResources: () => Promise.reject(new Error('nobody asks on a server')),
  subscribe: () => () => undefined,
};
const sandbox = { base: 'https://apps.example.net' };

test('on a server an app is an empty place that waits, and nothing is asked', () => {
  expect(typeof window).toBe('undefined');
  const html = renderToString(createElement(McpApp, { server, sandbox, resourceUri: 'ui://a/b' }));
  expect(html).toBe('<div role="group" data-app-status="idle" aria-busy="true"><div></div></div>');
  const resource = { uri: 'ui://a/b', mimeType: 'text/html;profile=mcp-app', text: '<p>' };
  expect(renderToString(createElement(McpAppRenderer, { sandbox, resource }))).toBe(html);
});

test('on a server a sandboxed frame is a frame without any page', () => {
  const html = renderToString(
    createElement(SandboxedIframe, { html: '<p>', target: sandbox, onMessage: () => undefined }),
  );
  expect(html).toContain('<iframe sandbox="" title="Sandboxed Content"></iframe>');
});
