import { CasementError } from '@casement/protocol/start';
import { describe, expect, test, vi } from 'vitest';
import { verifies } from '../../../../../test/verifies.js';
import { createStage, holdTime, initializeParams, settle, type Stage } from '../stage.test-support.js';

const dialects = (stage: Stage): readonly string[] => stage.session.getSnapshot().dialects;
const findings = (stage: Stage): string[] =>
  stage.session
    .getSnapshot()
    .findings.filter(({ code }) => code === 'dialect')
    .map(({ fix }) => fix);
const oldParams = {
  protocolVersion: '2025-06-18',
  clientInfo: { name: 'old', version: '0.1' },
  capabilities: {},
};

describe('an app of an older document', () => {
  verifies(['S1-35', 'S2-32'], 'is handed its HTML when the proxy reports under its old name', async () => {
    const stage = createStage();
    await stage.mount();
    await expect.poll(() => stage.session.getSnapshot().status).toBe('sandbox');
    await stage.proxy('ready');
    await expect.poll(() => stage.methods()).toContain('ui/notifications/sandbox-resource-ready');
  });

  verifies(
    'S1-61',
    'sets the height of its frame under the old and the new name, up to the limit',
    async () => {
      for (const method of ['ui/size-change', 'ui/notifications/size-changed']) {
        const stage = createStage({ limits: { maxHeight: 600 } });
        await stage.ready();
        await stage.send({ jsonrpc: '2.0', method, params: { width: 300, height: 432 } });
        await expect.poll(() => stage.surface.sizes.at(-1)).toMatchObject({ height: 432 });
        await stage.send({ jsonrpc: '2.0', method, params: { width: 300, height: 5000 } });
        await expect.poll(() => stage.surface.sizes.at(-1)).toMatchObject({ height: 600 });
        expect(dialects(stage)).toEqual(method === 'ui/size-change' ? ['first-draft'] : []);
      }
    },
  );

  test('shakes hands with the parameters of the first drafts and is told everything in its words', async () => {
    const stage = createStage();
    await stage.ready(oldParams);
    expect(stage.session.getSnapshot()).toMatchObject({
      status: 'ready',
      appInfo: { name: 'old', version: '0.1' },
      dialects: ['first-draft', 'goose'],
    });
    stage.session.sendToolInput({ city: 'Bonn' });
    stage.session.sendToolCancelled('enough');
    stage.session.sendHostContextChanged({ theme: 'light' });
    await settle();
    expect(stage.methods()).toEqual(
      expect.arrayContaining([
        'ui/notifications/tool-input',
        'ui/notifications/tool-cancelled',
        'ui/tool-cancelled',
        'ui/notifications/host-context-changed',
        'ui/host-context-change',
      ]),
    );
    expect(
      stage.received.find(({ method }) => method === 'ui/notifications/tool-input')?.params,
    ).toMatchObject({ toolName: 'weather', arguments: { city: 'Bonn' } });
    expect(stage.received.find(({ id }) => id === 'init')?.result).toHaveProperty(
      'hostContext.viewport.width',
      600,
    );
  });

  test('is recorded as it spoke and in the words of today, and its author is told once', async () => {
    const stage = createStage();
    await stage.ready();
    for (const height of [1, 2, 3]) {
      await stage.send({ jsonrpc: '2.0', method: 'ui/size-change', params: { height } });
    }
    const entries = stage.recording.entries().filter(({ normalised }) => normalised !== undefined);
    expect(entries).toHaveLength(3);
    expect(entries[0]).toMatchObject({
      dir: 'in',
      kind: 'notification',
      raw: { method: 'ui/size-change', params: { height: 1 } },
      normalised: { method: 'ui/notifications/size-changed', params: { height: 1 } },
    });
    expect(findings(stage)).toEqual(['Send ui/notifications/size-changed.']);
  });

  test('of the architecture page is asked to stop under the name it knows, once', async () => {
    const stage = createStage();
    await stage.ready({ ...initializeParams, protocolVersion: '2025-01-01' });
    stage.session.sendToolInput({});
    stage.session.sendToolResult({ content: [] });
    const closed = stage.session.close('done');
    await settle();
    const teardown = stage.received.find(({ method }) => method === 'ui/teardown');
    expect(teardown?.params).toEqual({ reason: 'done' });
    expect(stage.methods()).toEqual(expect.arrayContaining(['ui/toolInput', 'ui/toolResult']));
    expect(stage.methods()).not.toContain('ui/resource-teardown');
    await stage.send({ jsonrpc: '2.0', id: teardown?.id, result: {} });
    await closed;
    expect(stage.kinds('lifecycle')).toContainEqual(
      expect.objectContaining({ type: 'teardown', outcome: 'answered' }),
    );
  });
});

describe('an app of the camel-case dialect', () => {
  const adapter = {
    ...initializeParams,
    protocolVersion: '2024-11-05',
    appCapabilities: { tools: { listChanged: false } },
  };
  const start = async (stage: Stage): Promise<void> => {
    await stage.handOver();
    await stage.ask('init', 'ui/initialize', adapter);
  };

  test('is ready without ever saying so, and its requests are answered under their ids', async () => {
    const opened: string[] = [];
    const stage = createStage({
      onOpenLink: async ({ url }) => {
        opened.push(url);
        return true;
      },
    });
    await start(stage);
    expect(stage.session.getSnapshot()).toMatchObject({ status: 'ready', dialects: ['frontmcp'] });
    expect(stage.received.find(({ id }) => id === 'init')?.result).toMatchObject({
      hostCapabilities: { serverToolProxy: true, openLink: true, serverTools: {}, openLinks: {} },
    });
    expect(await stage.ask(1, 'ui/callServerTool', { name: 'weather', arguments: {} })).toMatchObject({
      result: { content: expect.any(Array) },
    });
    expect(await stage.ask(2, 'ui/openLink', { url: 'https://example.com/' })).toMatchObject({ result: {} });
    expect(opened).toEqual(['https://example.com/']);
    expect(await stage.ask(3, 'ui/setSize', { height: 321 })).toMatchObject({ result: {} });
    await expect.poll(() => stage.surface.sizes.at(-1)).toMatchObject({ height: 321 });
  });

  verifies('S3-09', 'has ui/openLink only where the host opens links', async () => {
    const stage = createStage();
    await start(stage);
    expect(await stage.ask(1, 'ui/openLink', { url: 'https://example.com/' })).toMatchObject({
      error: { code: -32601 },
    });
    expect(stage.received.find(({ id }) => id === 'init')?.result).toMatchObject({
      hostCapabilities: { openLink: false },
    });
    const open = createStage({ onOpenLink: async () => true });
    await start(open);
    expect(await open.ask(1, 'ui/openLink', { url: 'https://example.com/' })).toMatchObject({ result: {} });
    expect(open.surface.links).toEqual(['https://example.com/']);
  });

  test('logs, is closed at its wish, and is answered both times', async () => {
    const lines: unknown[] = [];
    const stage = createStage({ onLog: (line) => lines.push(line) });
    await start(stage);
    expect(await stage.ask(1, 'ui/log', { level: 'warn', message: 'hot' })).toMatchObject({ result: {} });
    expect(lines).toEqual([{ level: 'warning', data: { message: 'hot' } }]);
    expect(await stage.ask(2, 'ui/close', {})).toMatchObject({ result: {} });
    await expect.poll(() => stage.methods()).toContain('ui/resource-teardown');
  });

  verifies('S3-08', 'adds to what it told the model before, where the host takes that', async () => {
    const stage = createStage({ onModelContext: () => undefined });
    await start(stage);
    expect(await stage.ask(1, 'ui/updateModelContext', { context: { a: 1, b: 1 } })).toMatchObject({
      result: {},
    });
    expect(await stage.ask(2, 'ui/updateModelContext', { context: { b: 2 } })).toMatchObject({ result: {} });
    expect(stage.session.getSnapshot().modelContext).toEqual({ structuredContent: { a: 1, b: 2 } });
    await stage.ask(3, 'ui/updateModelContext', { context: { c: 3 }, merge: false });
    expect(stage.session.getSnapshot().modelContext).toEqual({ structuredContent: { c: 3 } });
    const without = createStage();
    await start(without);
    expect(await without.ask(1, 'ui/updateModelContext', { context: {} })).toMatchObject({
      error: { code: -32601 },
    });
  });

  test('announces tools that are listed and cannot be called', async () => {
    const stage = createStage();
    await start(stage);
    await stage.ask(1, 'ui/registerTool', {
      name: 'pick',
      description: 'Picks',
      inputSchema: { type: 'object' },
    });
    await expect
      .poll(() => stage.session.getSnapshot().appTools)
      .toEqual([
        expect.objectContaining({ callable: false, tool: expect.objectContaining({ name: 'pick' }) }),
      ]);
    await stage.ask(2, 'ui/unregisterTool', { name: 'pick' });
    await expect.poll(() => stage.session.getSnapshot().appTools).toEqual([]);
  });
});

describe('numbers of failures', () => {
  verifies(
    ['S1-54', 'S1-56'],
    'a call or read that fails at the server is -32000 with the reason',
    async () => {
      const stage = createStage();
      stage.server.onCall = () => {
        throw new CasementError('tool-failed', 'The oven is cold.');
      };
      await stage.ready();
      expect((await stage.ask(1, 'tools/call', { name: 'weather' })).error).toMatchObject({
        code: -32000,
        message: 'The oven is cold.',
      });
      stage.server.onRead = () => {
        throw new CasementError('resource-missing', 'There is no such note.');
      };
      expect((await stage.ask(2, 'resources/read', { uri: 'note://nothing' })).error).toMatchObject({
        code: -32000,
        message: 'There is no such note.',
      });
    },
  );
});

describe('the known pitfalls', () => {
  verifies('S4-33', 'each is told to the developer by name, with what to do', async () => {
    // The app waits for the host to begin.
    holdTime();
    const waiting = createStage({ limits: { handshakeMs: 50 } });
    await waiting.handOver();
    await vi.advanceTimersByTimeAsync(50);
    expect(waiting.session.getSnapshot().failure?.code).toBe('no-initialize');
    expect(waiting.session.getSnapshot().failure?.hint).toMatch(/ui\/initialize|connect/);

    // It invents names for what core MCP has names for, and asks before the handshake is over.
    const stage = createStage();
    await stage.handOver();
    await stage.ask('init', 'ui/initialize', initializeParams);
    expect(await stage.ask(1, 'tools/call', { name: 'weather' })).toHaveProperty(
      'error.data.code',
      'not-initialized',
    );
    await stage.send({ jsonrpc: '2.0', method: 'ui/notifications/initialized' });
    await stage.ask(2, 'ui/callServerTool', { name: 'weather' });
    const { findings: found } = stage.session.getSnapshot();
    expect(found).toContainEqual(expect.objectContaining({ code: 'not-initialized', path: 'tools/call' }));
    expect(found).toContainEqual(
      expect.objectContaining({ code: 'dialect', path: 'ui/callServerTool', fix: 'Send tools/call.' }),
    );

    // It lives in a frame whose origin is "null".
    const opaque = createStage({
      sandbox: { opaqueBase: 'http://127.0.0.1:6271', reason: 'The names do not resolve.' },
    });
    await opaque.ready();
    expect(opaque.session.getSnapshot()).toMatchObject({
      fallback: { kind: 'opaque', reason: 'The names do not resolve.' },
      address: { appOrigin: 'null' },
    });
  });
});
