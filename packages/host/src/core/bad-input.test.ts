import { describe, expect, test, vi } from 'vitest';
import { createStage, holdTime, initializeParams, settle } from './stage.test-support.js';
import type { Stage } from './stage.test-support.js';

/*
 * Apps that misbehave, each with the one entry of the recording that names what they did. The proxy keeps the worst
 * away from a page (e2e); here nothing stands in between.
 */

const notification = (method: string, params: Record<string, unknown>) => ({
  jsonrpc: '2.0',
  method,
  params,
});

const expectIntact = async (stage: Stage): Promise<void> => {
  expect(stage.session.getSnapshot().status).toBe('ready');
  expect(await stage.ask('still there', 'ping')).toHaveProperty('result', {});
  expect(await stage.ask('still served', 'tools/call', { name: 'weather' })).toHaveProperty('result');
};

describe('an app that', () => {
  test('answers nothing is ended in the name of the missing step, and closing waits no longer than its limit', async () => {
    holdTime();
    const mute = createStage({ limits: { handshakeMs: 50 } });
    await mute.handOver();
    const failed = expect.objectContaining({
      type: 'fail',
      failure: expect.objectContaining({ code: 'no-initialize' }),
    });
    await vi.advanceTimersByTimeAsync(49);
    expect(mute.kinds('lifecycle')).not.toContainEqual(failed);
    await vi.advanceTimersByTimeAsync(1);
    expect(mute.kinds('lifecycle')).toContainEqual(failed);
    const deaf = createStage({ limits: { teardownMs: 30 } });
    await deaf.ready();
    const closed = deaf.session.close();
    await vi.advanceTimersByTimeAsync(30);
    await closed;
    expect(deaf.kinds('lifecycle')).toContainEqual({ type: 'teardown', outcome: 'unanswered' });
  });

  test('floods is counted while it can be borne and ended when it cannot', async () => {
    const stage = createStage({ limits: { maxDropped: 5000, teardownMs: 10 } });
    await stage.ready();
    for (let burst = 0; burst < 5; burst += 1) await stage.proxy('dropped', { count: 1000, reason: 'flood' });
    await expectIntact(stage);
    expect(stage.kinds('dropped')).toContainEqual({ count: 1000, reason: 'flood' });
    await stage.proxy('dropped', { count: 1000, reason: 'flood' });
    expect(stage.session.getSnapshot().failure?.code).toBe('app-flooding');
    expect(stage.kinds('lifecycle')).toContainEqual(
      expect.objectContaining({ type: 'fail', failure: expect.objectContaining({ code: 'app-flooding' }) }),
    );
  });

  test('sends twenty megabytes leaves a short entry, and what the proxy cut off is counted', async () => {
    const stage = createStage();
    await stage.ready();
    await stage.send(
      notification('notifications/message', { level: 'info', data: 'x'.repeat(20 * 1024 * 1024) }),
    );
    await stage.proxy('dropped', { count: 1, reason: 'too-large', method: 'tools/call' });
    expect(stage.kinds('dropped')).toContainEqual({ count: 1, reason: 'too-large', method: 'tools/call' });
    const longest = Math.max(...stage.recording.entries().map((entry) => JSON.stringify(entry).length));
    expect(longest).toBeLessThan(1024 * 1024);
    await expectIntact(stage);
  });

  test('lies about its size gets no more room than there is, and a loop is named', async () => {
    const stage = createStage({ limits: { maxHeight: 1000 } });
    await stage.ready();
    const report = (params: Record<string, unknown>) =>
      stage.send(notification('ui/notifications/size-changed', params));
    for (const height of [1e9, Number.MAX_VALUE, -1e9, NaN, Infinity, '9999', null]) await report({ height });
    for (let turn = 0; turn < 60; turn += 1) await report({ height: turn % 2 ? 300 + turn : 900 });
    for (const { height = 0 } of stage.surface.sizes) {
      expect(height).toBeGreaterThanOrEqual(0);
      expect(height).toBeLessThanOrEqual(1000);
    }
    expect(stage.surface.sizes.length).toBeLessThan(40);
    expect(stage.kinds('finding')).toContainEqual(expect.objectContaining({ code: 'size-loop' }));
    await expectIntact(stage);
  });

  test('loops ui/initialize is answered a few times and then refused', async () => {
    const stage = createStage();
    await stage.handOver();
    const answers = [];
    for (let id = 0; id < 40; id += 1) answers.push(await stage.ask(id, 'ui/initialize', initializeParams));
    expect(answers.filter(({ error }) => error?.data?.code === 'rate-limited')).toHaveLength(20);
    expect(stage.kinds('decision')).toContainEqual(
      expect.objectContaining({ method: 'ui/initialize', allow: false, code: 'rate-limited' }),
    );
    await stage.send(notification('ui/notifications/initialized', {}));
    await expectIntact(stage);
  });

  test('calls after its session failed is refused in words that say so', async () => {
    const stage = createStage({ limits: { maxDropped: 1, teardownMs: 3_600_000 } });
    await stage.ready();
    await stage.proxy('dropped', { count: 2, reason: 'flood' });
    expect(stage.methods().at(-1)).toBe('ui/resource-teardown');
    const { error } = await stage.ask('late', 'tools/call', { name: 'weather' });
    expect(error?.data?.code).toBe('session-closed');
    expect(stage.server.calls).toEqual([]);
    expect(stage.kinds('decision')).toContainEqual(
      expect.objectContaining({ method: 'tools/call', allow: false, code: 'session-closed' }),
    );
    const { id } = stage.received.findLast(({ method }) => method === 'ui/resource-teardown') ?? {};
    await stage.send({ jsonrpc: '2.0', id, result: {} });
    await stage.session.close();
    await settle();
    expect(stage.surface.frames[0]?.isThere).toBe(false);
  });
});
