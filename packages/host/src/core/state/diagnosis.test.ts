import { describe, expect, test, vi } from 'vitest';
import type { SessionOptions } from '../session-options.js';
import { appContents, createPlainServer, toolWith, uiTool, uiUri } from '../plain-server.test-support.js';
import type { Stage } from '../stage.test-support.js';
import { createStage, holdTime, until } from '../stage.test-support.js';

const codes = (stage: Stage): string[] => stage.session.getSnapshot().findings.map(({ code }) => code);
const fixes = (stage: Stage): string => JSON.stringify(stage.session.getSnapshot().findings);

const withTool = (_meta: Record<string, unknown>): Partial<SessionOptions> => ({
  tool: { ...uiTool, _meta },
});

const withCsp = (csp: Record<string, unknown>): Partial<SessionOptions> => {
  const server = createPlainServer();
  server.onRead = () => appContents({ _meta: { ui: { csp } } });
  return { server };
};

describe('an author finds in the snapshot', () => {
  test('nothing when nothing is wrong', async () => {
    const stage = createStage();
    await stage.ready();
    expect(stage.session.getSnapshot().findings).toEqual([]);
  });

  test('a link only older hosts read, with the key to use', async () => {
    const stage = createStage(withTool({ 'ui/resourceUri': uiUri }));
    await stage.ready();
    expect(codes(stage)).toEqual(['spelling-flat']);
    expect(fixes(stage)).toContain('Set _meta.ui.resourceUri.');
    expect(stage.kinds('finding')).toMatchObject([{ code: 'spelling-flat' }]);
  });

  test('a policy declared on the tool, which is not in force', async () => {
    const csp = { connectDomains: ['https://api.example.com'] };
    const stage = createStage(withTool({ ui: { resourceUri: uiUri, csp } }));
    await stage.ready();
    expect(codes(stage)).toEqual(['metadata-on-tool']);
    expect(fixes(stage)).toContain('Move csp to _meta.ui of the resource.');
    expect(stage.session.getSnapshot().policy?.effective.connect).toEqual([]);
  });

  test.each([
    ['api.example.com', 'https://api.example.com'],
    ['*.example.com', 'https://*.example.com'],
    ['http://api.example.com', 'https://api.example.com'],
    ['ws://api.example.com', 'wss://api.example.com'],
    ['https://api.example.com/v1?key=a', 'https://api.example.com'],
  ])('the domain %s as dropped, and that %s was meant', async (declared, meant) => {
    const stage = createStage(withCsp({ connectDomains: [declared] }));
    await stage.ready();
    expect(stage.session.getSnapshot().findings).toMatchObject([
      { code: 'domain-dropped', fix: `Write "${meant}".`, path: '_meta.ui.csp.connectDomains' },
    ]);
  });

  test.each(['localhost:3000', '*', "'self'", 'casement.localhost:6270'])(
    'the domain %s as dropped, without a spelling that would be dropped as well',
    async (declared) => {
      const stage = createStage(withCsp({ resourceDomains: [declared] }));
      await stage.ready();
      expect(codes(stage)).toEqual(['domain-dropped']);
      expect(fixes(stage)).not.toContain('Write');
    },
  );

  test('what the resource itself says wrongly, beside the rest', async () => {
    const stage = createStage({
      ...withCsp({ conectDomains: [] }),
      ...withTool({ 'ui/resourceUri': uiUri }),
    });
    await stage.ready();
    expect(codes(stage)).toEqual(['spelling-flat', 'metadata-unknown-key']);
  });

  test('a refused call once, however often it is made, and no more after a reload', async () => {
    holdTime();
    const server = createPlainServer();
    server.tools = [uiTool, toolWith('secret', ['model'])];
    const stage = createStage({ server });
    await stage.ready();
    for (const id of [1, 2, 3]) await stage.ask(id, 'tools/call', { name: 'secret' });
    expect(stage.session.getSnapshot().findings).toMatchObject([
      {
        code: 'tool-not-visible',
        fix: expect.stringContaining('Add "app" to _meta.ui.visibility'),
        path: 'tools/call',
      },
    ]);
    stage.session.reload();
    await vi.advanceTimersByTimeAsync(500);
    await until(() => expect(codes(stage)).toEqual([]));
  });

  test('what the host found, however much the app’s own page says of itself', async () => {
    const server = createPlainServer();
    server.onRead = () => appContents({ mimeType: 'text/html+skybridge' });
    const stage = createStage({ server, tool: { ...uiTool, _meta: { 'openai/outputTemplate': uiUri } } });
    await stage.ready();
    for (let n = 0; n < 80; n += 1)
      await stage.proxy('violation', {
        directive: 'script-src-elem',
        blockedUri: `https://forged.example/${n}`,
      });
    await until(() => expect(codes(stage).filter((code) => code === 'asset-blocked')).toHaveLength(10));
    await stage.ask('refused', 'tools/call', { name: 'no-such-tool' });
    expect(codes(stage)).toContain('tool-not-found');
  });

  test('a bounded number of refusals', async () => {
    const stage = createStage();
    await stage.ready();
    for (let id = 0; id < 80; id += 1) await stage.ask(id, 'tools/call', { name: `no-${id}` });
    expect(codes(stage)).toHaveLength(50);
  });
});

describe('sizes that feed on themselves', () => {
  const report = (height: number) => ({
    jsonrpc: '2.0',
    method: 'ui/notifications/size-changed',
    params: { height },
  });

  test('are named when the loop is stopped', async () => {
    holdTime();
    const stage = createStage();
    await stage.ready();
    const grow = () => stage.send(report((stage.surface.sizes.at(-1)?.height ?? 200) + 20));
    for (let step = 0; step < 30; step += 1) await grow();
    const applied = stage.surface.sizes.length;
    await vi.advanceTimersByTimeAsync(499);
    expect(stage.surface.sizes).toHaveLength(applied);
    await vi.advanceTimersByTimeAsync(1);
    expect(stage.surface.sizes).toHaveLength(applied + 1);
    await grow();
    await grow();
    expect(stage.surface.sizes).toHaveLength(applied + 1);
    expect(codes(stage)).toEqual(['size-loop']);
    expect(fixes(stage)).toContain('100vh');
  });

  test('are stopped at the largest when they jump by ever other amounts', async () => {
    const stage = createStage();
    await stage.ready();
    for (let step = 0; step < 60; step += 1) await stage.send(report(step % 2 === 0 ? 300 - step : 500));
    expect(codes(stage)).toEqual(['size-loop']);
    expect(stage.surface.sizes.length).toBeLessThan(30);
    expect(stage.surface.sizes.at(-1)).toEqual({ height: 500 });
  });

  test.each([12, 23, 30])('are not seen in %i rows of one height that stream in', async (rows) => {
    holdTime();
    const stage = createStage();
    await stage.ready();
    for (let row = 1; row <= rows; row += 1) {
      await stage.send(report(row * 40));
      vi.advanceTimersByTime(100);
    }
    vi.advanceTimersByTime(1_000);
    expect(codes(stage)).toEqual([]);
    expect(stage.surface.sizes.at(-1)).toEqual({ height: rows * 40 });
    await stage.send(report(rows * 40 + 40));
    expect(stage.surface.sizes.at(-1)).toEqual({ height: rows * 40 + 40 });
    expect(codes(stage)).toEqual([]);
  });

  test('are followed as long as they only grow', async () => {
    const stage = createStage();
    await stage.ready();
    for (let step = 1; step <= 60; step += 1) await stage.send(report(100 + step * step));
    expect(codes(stage)).toEqual([]);
    expect(stage.surface.sizes.at(-1)).toEqual({ height: 3700 });
  });
});

describe('an app that never connects', () => {
  const silent = async (
    code: string,
    ...violations: { directive: string; blockedUri: string }[]
  ): Promise<string> => {
    holdTime();
    const stage = createStage({ limits: { handshakeMs: 30 } });
    await stage.mount();
    await stage.handOver();
    for (const violation of violations) await stage.proxy('violation', violation);
    await vi.advanceTimersByTimeAsync(29);
    expect(stage.session.getSnapshot().failure).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(stage.session.getSnapshot().failure?.code).toBe(code);
    return stage.session.getSnapshot().failure?.hint ?? '';
  };
  const picture = { directive: 'img-src', blockedUri: 'https://a.example/p.png' };
  const library = { directive: 'script-src-elem', blockedUri: 'https://cdn.example/lib.js' };
  const evaluation = { directive: 'script-src', blockedUri: 'eval' };

  test('is told to look at its console when nothing was blocked', async () => {
    expect(await silent('no-initialize')).toContain('console');
  });

  test('hears of an eval that was blocked only beside the rest: libraries try it and go on', async () => {
    expect(await silent('no-initialize', evaluation)).toMatch(/console.*blocked eval/);
    expect(await silent('no-initialize', evaluation, picture)).toContain('https://a.example/p.png');
  });

  test('hears of a blocked script before a blocked picture', async () => {
    expect(await silent('no-initialize', picture, library)).toMatch(
      /https:\/\/cdn\.example\/lib\.js \(script-src-elem\).*_meta\.ui\.csp/,
    );
  });
});
