import { expect } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import { html, uiTool } from './plain-server.test-support.js';
import { createStage, settle } from './stage.test-support.js';

/** What the host sends in that session, in order; of errors the two codes, since their words may be improved. */
const golden = [
  { method: 'ui/notifications/sandbox-resource-ready', params: { html } },
  {
    id: 'init',
    result: {
      protocolVersion: '2026-01-26',
      hostInfo: { name: 'golden', version: '1.0.0' },
      hostCapabilities: {
        logging: {},
        serverTools: { listChanged: true },
        serverResources: { listChanged: true },
        openLinks: {},
        message: { text: {}, image: {}, audio: {}, resource: {}, resourceLink: {} },
        sandbox: {},
      },
      hostContext: {
        toolInfo: { tool: uiTool },
        theme: 'dark',
        displayMode: 'inline',
        availableDisplayModes: ['inline', 'fullscreen'],
        containerDimensions: { width: 600, maxHeight: 4000 },
        locale: 'de-DE',
        timeZone: 'Europe/Berlin',
        userAgent: 'golden/1.0.0',
        platform: 'web',
      },
    },
  },
  { method: 'ui/notifications/tool-input-partial', params: { arguments: { city: 'K' } } },
  { method: 'ui/notifications/tool-input', params: { arguments: { city: 'Köln' } } },
  {
    method: 'ui/notifications/tool-result',
    params: { content: [{ type: 'text', text: '21 °C' }], isError: false },
  },
  { id: 1, result: {} },
  { id: 2, result: { content: [{ type: 'text', text: 'done' }] } },
  { id: 3, error: { code: -32000, data: 'tool-not-found' } },
  { id: 4, result: {} },
  { id: 5, result: { isError: true } },
  {
    method: 'ui/notifications/host-context-changed',
    params: { displayMode: 'fullscreen', containerDimensions: { width: 1200, height: 800 } },
  },
  { id: 6, result: { mode: 'fullscreen' } },
  { id: 7, error: { code: -32601, data: 'method-not-found' } },
  { id: 8, error: { code: -32602, data: 'invalid-params' } },
  { id: 9, error: { code: -32600, data: 'invalid-message' } },
  { method: 'ui/notifications/host-context-changed', params: { theme: 'light' } },
  { id: 1, method: 'ui/resource-teardown', params: { reason: 'done' } },
];

verifies('S5-95', 'one session sends exactly these messages and no others', async () => {
  const stage = createStage({
    hostInfo: { name: 'golden', version: '1.0.0' },
    hostContext: { locale: 'de-DE', timeZone: 'Europe/Berlin', userAgent: 'golden/1.0.0' },
    displayModes: ['inline', 'fullscreen'],
    onOpenLink: async () => true,
    onMessage: async () => false,
  });
  await stage.ready();
  stage.session.sendToolInputPartial({ city: 'K' });
  stage.session.sendToolInput({ city: 'Köln' });
  stage.session.sendToolResult({ content: [{ type: 'text', text: '21 °C' }], isError: false });
  await settle();
  await stage.ask(1, 'ping', {});
  await stage.ask(2, 'tools/call', { name: 'weather', arguments: { city: 'Bonn' } });
  await stage.ask(3, 'tools/call', { name: 'nothing' });
  await stage.ask(4, 'ui/open-link', { url: 'https://example.com/' });
  await stage.ask(5, 'ui/message', { role: 'user', content: [{ type: 'text', text: 'Hi' }] });
  await stage.ask(6, 'ui/request-display-mode', { mode: 'fullscreen' });
  await stage.ask(7, 'no/such/method', {});
  await stage.ask(8, 'tools/call', { name: 7 });
  await stage.ask(9, 'tools/call', []);
  stage.session.sendHostContextChanged({ theme: 'light' });
  await settle();
  stage.createApp({ 'ui/resource-teardown': () => ({}) });
  await stage.session.close('done');

  const told = stage.received.map(({ error, ...message }) =>
    error ? { ...message, error: { code: error.code, data: error.data?.code } } : message,
  );
  expect(told).toEqual(golden.map((message) => ({ jsonrpc: '2.0', ...message })));
  // An app that declares nothing reaches nothing, and no change of context gave it another frame.
  expect(stage.session.getSnapshot().policy?.csp).toContain("default-src 'none'");
  expect(stage.session.getSnapshot().policy?.csp).toContain("connect-src 'none'");
  expect(stage.surface.frames).toHaveLength(1);
});
