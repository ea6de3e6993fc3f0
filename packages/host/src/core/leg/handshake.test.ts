import { parseHostContext } from '../../../../protocol/src/messages/parse-values.js';
import type { HostContext } from '@casement/protocol';
import { styleVariableNames } from '@casement/protocol/start';
import { describe, expect, test } from 'vitest';
import { verifies } from '../../../../../test/verifies.js';
import { createStage, initializeParams, settle } from '../stage.test-support.js';

/** What an embedder in plain JavaScript might pass. */
const sloppy = (context: Record<string, unknown>): HostContext => context as HostContext;

const readContext = async (context: HostContext): Promise<HostContext> => {
  const stage = createStage({ hostContext: context });
  await stage.handOver();
  const { result } = await stage.ask(1, 'ui/initialize', initializeParams);
  // As strict as an official view: throws on what would keep one from connecting.
  return parseHostContext(result?.hostContext);
};

describe('ui/initialize', () => {
  verifies(
    ['HOST-040', 'S1-51', 'S2-19', 'S3-06', 'S4-30'],
    'is answered with version, host info, capabilities and context',
    async () => {
      const stage = createStage({ hostInfo: { name: 'stage', version: '9' } });
      await stage.handOver();
      const { id, result } = await stage.ask('its own id', 'ui/initialize', initializeParams);
      expect(id).toBe('its own id');
      expect(result).toMatchObject({
        protocolVersion: '2026-01-26',
        hostInfo: { name: 'stage', version: '9' },
        hostCapabilities: { logging: {}, serverTools: { listChanged: true } },
        hostContext: { displayMode: 'inline' },
      });
    },
  );

  test('with an unknown version is answered with ours and a finding, not a failure', async () => {
    const stage = createStage();
    await stage.ready({ ...initializeParams, protocolVersion: '2025-06-18' });
    expect(stage.received.find(({ id }) => id === 'init')?.result?.protocolVersion).toBe('2026-01-26');
    expect(stage.kinds('finding')).toMatchObject([{ code: 'unsupported-version' }]);
    expect(stage.session.getSnapshot().status).toBe('ready');
  });

  verifies(
    ['HOST-041', 'S1-52', 'S2-20', 'S2-21', 'S2-22'],
    'gives the app a context filled with what the page and the embedder know',
    async () => {
      const context = await readContext({ styles: { variables: { '--font-sans': 'serif' } } });
      expect(context).toMatchObject({
        theme: 'dark',
        platform: 'web',
        toolInfo: { tool: { name: 'weather', inputSchema: { type: 'object' } } },
        styles: { variables: { '--font-sans': 'serif' } },
        displayMode: 'inline',
        containerDimensions: { width: 600, maxHeight: 4000 },
      });
      expect(context).not.toHaveProperty('viewport');
    },
  );

  verifies(
    ['HOST-041', 'S1-116', 'S2-23', 'S2-24', 'S2-25'],
    'tells the app language, time zone, platform and device, and which modes there are',
    async () => {
      const device = {
        deviceCapabilities: { touch: true, hover: false },
        safeAreaInsets: { top: 1, right: 2, bottom: 3, left: 4 },
      };
      const context = await readContext(device);
      expect(context).toMatchObject({ ...device, platform: 'web', availableDisplayModes: ['inline'] });
      expect(context.toolInfo?.tool.name).toBe('weather');
      expect(context.timeZone).toBeTypeOf('string');
      expect(() => new Intl.Locale(context.locale ?? '')).not.toThrow();
      expect(() => Intl.DateTimeFormat('en', { timeZone: context.timeZone })).not.toThrow();
    },
  );

  verifies('S1-115', 'leaves out of the context every value an official view would refuse', async () => {
    const context = await readContext(
      sloppy({
        theme: 'system',
        displayMode: 'carousel',
        availableDisplayModes: ['inline', 'cinema'],
        styles: {
          variables: { '--font-sans': 'serif', '--my-color': 'red', '--font-mono': 7 },
          css: { fonts: null },
        },
        containerDimensions: { width: null, maxHeight: 300, height: null },
        platform: 'fridge',
        deviceCapabilities: { touch: 'yes', hover: true },
        safeAreaInsets: { top: 1 },
        locale: null,
        custom: { kept: true },
      }),
    );
    expect(context).toMatchObject({
      theme: 'dark',
      displayMode: 'inline',
      availableDisplayModes: ['inline'],
      styles: { variables: { '--font-sans': 'serif' } },
      containerDimensions: { maxHeight: 300 },
      platform: 'web',
      deviceCapabilities: { hover: true },
      custom: { kept: true },
    });
    expect(Object.keys(context.styles?.variables ?? {})).toEqual(['--font-sans']);
    expect(styleVariableNames).toHaveLength(76);
    expect(context.containerDimensions).toEqual({ maxHeight: 300 });
  });

  test('leaves out toolInfo when the tool has no inputSchema', async () => {
    const stage = createStage({
      tool: { name: 'weather', _meta: { ui: { resourceUri: 'ui://weather/dashboard' } } } as never,
    });
    await stage.handOver();
    const { result } = await stage.ask(1, 'ui/initialize', initializeParams);
    expect(result?.hostContext).not.toHaveProperty('toolInfo');
  });

  verifies('HOST-042', 'never gives both a fixed size and a maximum on one axis', async () => {
    const context = await readContext({
      containerDimensions: { width: 300, maxWidth: 500, height: 400, maxHeight: 900 },
    });
    expect(context.containerDimensions).toEqual({ width: 300, height: 400 });
  });

  verifies(
    ['HOST-047', 'S2-17'],
    'may be preceded and followed by ping, answered with an empty result',
    async () => {
      const stage = createStage();
      await stage.handOver();
      expect(await stage.ask('p1', 'ping')).toEqual({ jsonrpc: '2.0', id: 'p1', result: {} });
      await stage.ask(1, 'ui/initialize', initializeParams);
      await stage.send({ jsonrpc: '2.0', method: 'ui/notifications/initialized' });
      expect(await stage.ask('p2', 'ping', {})).toEqual({ jsonrpc: '2.0', id: 'p2', result: {} });
    },
  );
});

describe('capabilities', () => {
  const probes: Record<string, [string, Record<string, unknown>]> = {
    openLinks: ['ui/open-link', { url: 'https://example.com/' }],
    message: ['ui/message', { role: 'user', content: [{ type: 'text', text: 'hi' }] }],
    serverTools: ['tools/call', { name: 'weather' }],
    serverResources: ['resources/read', { uri: 'ui://weather/dashboard' }],
    downloadFile: ['ui/download-file', { contents: [] }],
    updateModelContext: ['ui/update-model-context', {}],
    sampling: ['sampling/createMessage', { messages: [], maxTokens: 1 }],
  };

  verifies(
    ['HOST-045', 'S1-124', 'S3-47', 'S3-48'],
    'are advertised exactly when their request is answered',
    async () => {
      const yes = async (): Promise<boolean> => true;
      const onOpenLink = yes;
      const onMessage = yes;
      // The two hooks are all that can make a difference.
      for (const hooks of [{}, { onOpenLink }, { onMessage }, { onOpenLink, onMessage }]) {
        const stage = createStage(hooks);
        await stage.ready();
        const { hostCapabilities = {} } = stage.session.getSnapshot();
        for (const [capability, [method, params]] of Object.entries(probes)) {
          const { error } = await stage.ask(capability, method, params);
          expect([capability, error?.code !== -32601]).toEqual([capability, capability in hostCapabilities]);
        }
        expect('openLinks' in hostCapabilities).toBe('onOpenLink' in hooks);
        expect('message' in hostCapabilities).toBe('onMessage' in hooks);
      }
    },
  );

  verifies(
    ['HOST-046', 'S1-62', 'S2-16', 'S3-05'],
    'include logging: log lines go to the embedder and the recording only',
    async () => {
      const logs: unknown[] = [];
      const messages: unknown[] = [];
      const stage = createStage({
        onLog: (entry) => logs.push(entry),
        onMessage: async (message) => messages.push(message) > 0,
      });
      await stage.ready();
      for (const level of ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']) {
        await stage.send({ jsonrpc: '2.0', method: 'notifications/message', params: { level, data: level } });
      }
      expect(logs).toHaveLength(8);
      expect(logs[3]).toEqual({ level: 'warning', data: 'warning' });
      expect(messages).toEqual([]);
      const recorded = stage.kinds('notification') as { method: string }[];
      expect(recorded.filter(({ method }) => method === 'notifications/message')).toHaveLength(8);
    },
  );
});

describe('host context changes', () => {
  verifies(
    ['S1-63', 'S2-26', 'S3-18', 'S5-90'],
    'are sent whole per field, only when something changed',
    async () => {
      const stage = createStage();
      await stage.ready();
      const before = stage.received.length;
      stage.session.sendHostContextChanged({ theme: 'dark' });
      stage.session.sendHostContextChanged({ theme: 'light', locale: 'de-DE' });
      stage.session.sendHostContextChanged(sloppy({ theme: 'system' }));
      stage.session.setSurfaceContext({ containerDimensions: { width: 500, maxHeight: 4000 } });
      await settle();
      const sent = stage.received.slice(before);
      expect(new Set(sent.map(({ method }) => method))).toEqual(
        new Set(['ui/notifications/host-context-changed']),
      );
      expect(sent.map(({ params }) => params)).toEqual([
        { theme: 'light', locale: 'de-DE' },
        { containerDimensions: { width: 500, maxHeight: 4000 } },
      ]);
      // The same document goes on: no other frame, no other handshake.
      expect(stage.surface.frames).toHaveLength(1);
      expect(stage.session.getSnapshot()).toMatchObject({ status: 'ready', epoch: 1 });
    },
  );
});

describe('fonts', () => {
  const context = async (fonts: unknown) => {
    const { styles } = await readContext(sloppy({ styles: { css: { fonts } } }));
    return styles?.css?.fonts;
  };

  test('are told as they were given, up to 65,536 characters, and only as text', async () => {
    const rules = "@import url('https://fonts.example.com/a.css');";
    expect(await context(rules)).toBe(rules);
    expect(await context('x'.repeat(65_536))).toHaveLength(65_536);
    for (const wrong of ['x'.repeat(65_537), '', 7, null, { rules }])
      expect(await context(wrong)).toBeUndefined();
  });
});
