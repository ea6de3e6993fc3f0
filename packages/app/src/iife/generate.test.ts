import { gzipSync } from 'node:zlib';
import { createContext, runInContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import { createGuest, type Guest, type GuestPlan } from '../guest.test-support.js';
import { createTestHost, settle } from '../host.test-support.js';
import { AppError, type Bridge } from '../index.js';
import { generateBridgeIIFE, type BridgeOptions } from './index.js';

type PageBridge = Bridge & { ready: Promise<void> };

const load = (plan: GuestPlan, options?: BridgeOptions, prepare?: (guest: Guest) => void) => {
  const guest = createGuest(plan);
  prepare?.(guest);
  const events: [string, unknown][] = [];
  for (const type of [
    'bridge:ready',
    'bridge:error',
    'tool:input',
    'tool:result',
    'mcp:tool-input',
    'mcp:tool-result',
    'mcp:context-change',
  ])
    // Every event of the bridge is a CustomEvent.
    guest.events.addEventListener(type, (event) => events.push([type, (event as CustomEvent).detail]));
  runInContext(generateBridgeIIFE(options), createContext(guest.window));
  // What the script has just put there.
  return { guest, events, bridge: guest.window['FrontMcpBridge'] as PageBridge };
};

describe('a generated script', () => {
  verifies(
    ['S3-63', 'S3-65', 'S3-72'],
    'is plain text for a page; it puts the bridge there and says when the host has answered',
    async () => {
      const { guest, events, bridge } = load({});
      const host = createTestHost(guest.transport, { context: { theme: 'dark' } });
      const early = bridge.callTool('echo', { a: 1 });
      expect(events).toEqual([]);
      expect(await early).toMatchObject({ structuredContent: { a: 1 } });
      expect(events).toEqual([['bridge:ready', { adapter: 'ext-apps', hostContext: { theme: 'dark' } }]]);
      expect(host.methods()).toEqual(['ui/initialize', 'ui/notifications/initialized', 'tools/call']);
    },
  );

  test('waits for the document, so that no listener comes too late, and introduces it by its title', async () => {
    const { guest, bridge } = load({}, {}, ({ document }) => (document.readyState = 'loading'));
    const host = createTestHost(guest.transport);
    await settle();
    expect(host.heard).toEqual([]);
    guest.events.dispatchEvent(new Event('DOMContentLoaded'));
    await bridge.ready;
    expect(host.paramsOf('ui/initialize')).toMatchObject([{ appInfo: { name: 'A page' } }]);
  });

  verifies(
    ['S1-97', 'S1-98', 'S3-73'],
    'tells under the older names as well, and has window.mcpApp',
    async () => {
      const { guest, events, bridge } = load({});
      const host = createTestHost(guest.transport, { context: { containerDimensions: { maxHeight: 600 } } });
      await bridge.ready;
      // What the script has put there besides.
      const mcpApp = guest.window['mcpApp'] as {
        toolInput: unknown;
        hostContext: unknown;
        callTool(name: string): Promise<unknown>;
      };
      expect(mcpApp.hostContext).toEqual({
        viewport: { maxHeight: 600 },
        containerDimensions: { maxHeight: 600 },
      });
      host.peer.notify('ui/notifications/tool-input', { arguments: { city: 'Bern' } });
      await settle();
      expect(mcpApp.toolInput).toEqual({ city: 'Bern' });
      expect(events.slice(1)).toEqual([
        ['mcp:tool-input', { arguments: { city: 'Bern' } }],
        ['tool:input', { arguments: { city: 'Bern' } }],
      ]);
      expect(await mcpApp.callTool('echo')).toMatchObject({ structuredContent: {} });
      const without = load({}, { mcpApp: false });
      expect('mcpApp' in without.guest.window).toBe(false);
    },
  );

  test('asks the page by an event when a tool has no handler', async () => {
    const { guest, bridge } = load({});
    const host = createTestHost(guest.transport);
    await bridge.ready;
    await settle();
    await bridge.registerTool('pick', 'Picks', { type: 'object' });
    expect(await host.peer.request('tools/call', { name: 'pick' })).toMatchObject({ isError: true });
    guest.events.addEventListener('tool:call', (event) => {
      const { name, respondWith } = (event as CustomEvent).detail; // of our own event
      respondWith({ content: [{ type: 'text', text: `picked by ${name}` }] });
    });
    expect(await host.peer.request('tools/call', { name: 'pick' })).toEqual({
      content: [{ type: 'text', text: 'picked by pick' }],
    });
  });

  test('without any host says so by an event and to whoever asks', async () => {
    const { events, bridge } = load({ isFramed: false }, { adapters: ['ext-apps', 'openai'] });
    await expect(bridge.callTool('x')).rejects.toMatchObject({ code: 'no-host' });
    expect(events).toEqual([['bridge:error', expect.objectContaining({ code: 'no-host' })]]);
  });

  verifies('S3-76', 'trusts the origins it was given', async () => {
    const { bridge } = load(
      { origin: 'https://evil.example' },
      { adapters: ['ext-apps'], trustedOrigins: ['https://good.example'] },
    );
    await expect(bridge.callTool('x')).rejects.toMatchObject({ code: 'wrong-origin' });
  });

  test('can stand in a script element whatever it was told', () => {
    const script = generateBridgeIIFE({ appInfo: { name: '</script><!--\u2028', version: "$&$'" } });
    expect(script).not.toMatch(/<\/script|<!--|\u2028/i);
    expect(script).toContain("$&$'");
  });

  test.each<[string, object]>([
    ['no adapter', { adapters: [] }],
    ['an unknown adapter', { adapters: ['claude'] }],
    ['an address that is no origin', { trustedOrigins: ['https://x.example/path'] }],
    ['everyone', { trustedOrigins: ['*'] }],
    ['a name that is none', { global: 'a b' }],
    ['a dangerous name', { global: '__proto__' }],
    ['a name that would leave the page', { global: 'location' }],
    ['a name that no page may set', { global: 'document' }],
    ['the name of the older object beside it', { global: 'mcpApp' }],
    ['a list that is a text', { adapters: 'openai' }],
    ['origins that are a text', { trustedOrigins: 'https://x.example' }],
    ['a time without end, which no text can hold', { timeoutMs: Infinity }],
    ['a time that is over already', { timeoutMs: 0 }],
  ])('is refused with %s', (_name, options) => {
    expect(() => generateBridgeIIFE(options)).toThrow(AppError);
  });

  test('may have the older object’s name in its stead', async () => {
    const { guest } = load({}, { global: 'mcpApp', mcpApp: false });
    createTestHost(guest.transport);
    await (guest.window['mcpApp'] as PageBridge).ready; // what the script has just put there
  });

  test('stays within 8.5 KB with all adapters', () => {
    expect(gzipSync(generateBridgeIIFE(), { level: 9 }).length).toBeLessThanOrEqual(8.5 * 1024);
  });
});

/** A host of the OpenAI kind that remembers what it was asked. */
const createOpenAi = () => {
  const asked: unknown[] = [];
  const ask =
    (name: string, answer?: unknown) =>
    async (...args: unknown[]): Promise<unknown> => {
      asked.push([name, ...args]);
      return answer;
    };
  return {
    asked,
    openai: {
      toolInput: { city: 'Bern' },
      toolOutput: { degrees: 3 },
      toolResponseMetadata: { unit: 'C' },
      widgetState: { privateContent: { tab: 1 } },
      theme: 'dark',
      locale: 'de-CH',
      displayMode: 'inline',
      maxHeight: 500,
      safeArea: { insets: { top: 1, right: 2, bottom: 3, left: 4 } },
      userAgent: { device: { type: 'mobile' }, capabilities: { touch: true, hover: false } },
      callTool: ask('callTool', { degrees: 4 }),
      sendFollowUpMessage: ask('sendFollowUpMessage'),
      openExternal: ask('openExternal'),
      requestDisplayMode: ask('requestDisplayMode', { mode: 'fullscreen' }),
      setWidgetState: ask('setWidgetState'),
      notifyIntrinsicHeight: ask('notifyIntrinsicHeight'),
      requestClose: ask('requestClose'),
    },
  };
};

describe('under window.openai', () => {
  verifies('S3-64', 'the script finds it, whatever the order, and speaks to it', async () => {
    const { openai, asked } = createOpenAi();
    const capabilities = { availableDisplayModes: ['inline' as const, 'fullscreen' as const] };
    const { guest, events, bridge } = load({ openai }, { capabilities });
    await expect.poll(() => events).toHaveLength(5);
    expect(guest.posted).toEqual([]);
    expect(events.map(([type]) => type)).toEqual([
      'bridge:ready',
      'mcp:tool-input',
      'tool:input',
      'mcp:tool-result',
      'tool:result',
    ]);
    expect(bridge.toolInput).toEqual({ city: 'Bern' });
    expect(bridge.toolResult).toMatchObject({ structuredContent: { degrees: 3 }, _meta: { unit: 'C' } });
    expect(bridge.hostContext).toEqual({
      theme: 'dark',
      locale: 'de-CH',
      displayMode: 'inline',
      containerDimensions: { maxHeight: 500 },
      safeAreaInsets: { top: 1, right: 2, bottom: 3, left: 4 },
      platform: 'mobile',
      deviceCapabilities: { touch: true, hover: false },
    });
    expect(await bridge.callTool('forecast', { days: 1 })).toMatchObject({
      structuredContent: { degrees: 4 },
    });
    await bridge.sendMessage('Hi');
    await bridge.openLink('https://example.com');
    await bridge.updateModelContext({ city: 'Bern' });
    expect(await bridge.requestDisplayMode('fullscreen')).toEqual({ mode: 'fullscreen' });
    await bridge.resize(1, 2);
    await bridge.close();
    await settle();
    expect(asked).toEqual([
      ['callTool', 'forecast', { days: 1 }],
      ['sendFollowUpMessage', { prompt: 'Hi' }],
      ['openExternal', { href: 'https://example.com' }],
      ['setWidgetState', { privateContent: { tab: 1 }, modelContent: { city: 'Bern' } }],
      ['requestDisplayMode', { mode: 'fullscreen' }],
      ['notifyIntrinsicHeight', 2],
      ['requestClose'],
    ]);
    await expect(bridge.readResource('note://1')).rejects.toMatchObject({
      code: 'refused',
      wire: { code: -32601 },
    });
  });

  test('later globals are events, and data is told once', async () => {
    const { openai } = createOpenAi();
    const { guest, events, bridge } = load({ openai: { ...openai, toolOutput: null } });
    await expect.poll(() => bridge.toolInput).toBeDefined();
    events.length = 0;
    const page = guest.window['openai'] as Record<string, unknown>; // given above
    Object.assign(page, { toolOutput: { degrees: 5 }, theme: 'light' });
    guest.events.dispatchEvent(
      new CustomEvent('openai:set_globals', { detail: { globals: { theme: 'light', toolOutput: {} } } }),
    );
    await expect.poll(() => events).toHaveLength(3);
    expect(events.map(([type]) => type)).toEqual(['mcp:context-change', 'mcp:tool-result', 'tool:result']);
    expect(bridge.hostContext).toMatchObject({ theme: 'light', locale: 'de-CH' });
    expect(bridge.toolResult).toMatchObject({ structuredContent: { degrees: 5 } });
  });

  test('a host that throws or lacks something refuses', async () => {
    const openai = { callTool: () => Promise.reject(new Error('cold oven')) };
    const { bridge } = load({ openai });
    await expect(bridge.callTool('x')).rejects.toMatchObject({ code: 'refused', message: 'cold oven' });
    await expect(bridge.sendMessage('x')).rejects.toMatchObject({ wire: { code: -32601 } });
  });
});

describe('on its own', () => {
  verifies('S3-64', 'a page has its surroundings and links, and no server', async () => {
    const { guest, events, bridge } = load({ isFramed: false });
    await bridge.ready;
    expect(events).toMatchObject([
      ['bridge:ready', { adapter: 'generic', hostContext: { theme: 'dark', locale: 'de-CH' } }],
    ]);
    await bridge.openLink('https://example.com/');
    await expect(bridge.openLink('javascript:alert(1)')).rejects.toMatchObject({ code: 'refused' });
    expect(guest.opened).toEqual(['https://example.com/']);
    expect(await bridge.requestDisplayMode('inline')).toEqual({ mode: 'inline' });
    await expect(bridge.callTool('x')).rejects.toMatchObject({ code: 'refused', wire: { code: -32601 } });
  });
});
