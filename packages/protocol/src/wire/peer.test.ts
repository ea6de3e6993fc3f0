import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import { CasementError } from '../errors.js';
import { createMemoryTransportPair, type PeerNotification } from '../index.js';
import { createPeer } from '../wire.js';
import { createHostAndGuest, settle } from './peer.test-support.js';

const holdTimers = (): void => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
};

describe('two peers', () => {
  test('talk by the method table, each knowing both sides', async () => {
    const [hostEnd, appEnd] = createMemoryTransportPair();
    const seen: PeerNotification[] = [];
    createPeer({
      transport: hostEnd,
      side: 'host',
      requestHandlers: {
        'ui/request-display-mode': ({ mode }) => ({ mode: mode === 'pip' ? 'inline' : mode }),
        'ui/open-link': async ({ url }) => {
          if (url.startsWith('javascript:')) throw new CasementError('link-invalid', 'Only http and https.');
          return {};
        },
      },
      onNotification: (notification) => seen.push(notification),
    });
    const app = createPeer({ transport: appEnd, side: 'app', requestHandlers: {} });
    expect(await app.request('ui/request-display-mode', { mode: 'pip' })).toEqual({ mode: 'inline' });
    await expect(app.request('ui/open-link', { url: 'javascript:1' })).rejects.toMatchObject({
      code: 'peer-error',
      wire: { code: -32000, message: 'Only http and https.', data: { code: 'link-invalid' } },
    });
    app.notify('ui/notifications/size-changed', { height: 20 });
    await settle();
    expect(seen).toEqual([{ method: 'ui/notifications/size-changed', params: { height: 20 } }]);
    expect(app.pending).toBe(0);
  });

  test('do not send what only the other side may send', async () => {
    const { peer, received } = createHostAndGuest();
    await expect(peer.request('ui/open-link', { url: 'https://example.com' })).rejects.toMatchObject({
      code: 'method-not-found',
    });
    expect(received).toEqual([]);
  });
});

verifies(['HOST-047', 'S2-17'], 'ping is answered with an empty result', async () => {
  const { rpc, received } = createHostAndGuest();
  rpc({ id: 'p', method: 'ping' });
  await settle();
  expect(received).toEqual([{ jsonrpc: '2.0', id: 'p', result: {} }]);
});

verifies('S1-59', 'a request nobody knows is answered -32601, naming the method fit for print', async () => {
  const { rpc, received } = createHostAndGuest();
  rpc({ id: 1, method: 'no/such' });
  rpc({ id: 2, method: `\u202Eevil\n${'x'.repeat(400)}` });
  // A request only hosts send is as unknown from an app.
  rpc({ id: 3, method: 'ui/resource-teardown' });
  await settle();
  expect(
    received.map((message) => 'error' in message && [message.error.code, message.error.message]),
  ).toEqual([
    [-32601, 'Method not found: no/such'],
    [-32601, `Method not found: \\u{202e}evil ${'x'.repeat(187)}… (213 more characters)`],
    [-32601, 'Method not found: ui/resource-teardown'],
  ]);
});

describe('our requests', () => {
  verifies(
    'S1-49',
    'have fresh ids and each waits for its own answer, in whatever order they come',
    async () => {
      const { peer, received, rpc } = createHostAndGuest();
      const answers = [peer.request('ping', {}), peer.request('ping', {}), peer.request('ping', {})];
      await settle();
      const ids = received.map((message) => 'id' in message && message.id);
      expect(new Set(ids).size).toBe(3);
      expect(peer.pending).toBe(3);
      for (const id of ids.toReversed()) rpc({ id, result: { answerTo: id } });
      expect(await Promise.all(answers)).toEqual(ids.map((id) => ({ answerTo: id })));
      expect(peer.pending).toBe(0);
    },
  );

  test('end after their time limit and tell the other end', async () => {
    holdTimers();
    const { peer, received, rpc, unmatched } = createHostAndGuest();
    const answer = peer.request('ping', {}, { timeoutMs: 5 }).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(4);
    expect(peer.pending).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await answer).toMatchObject({ code: 'peer-timeout' });
    expect(peer.pending).toBe(0);
    await settle();
    expect(received[1]).toMatchObject({ method: 'notifications/cancelled', params: { requestId: 1 } });
    rpc({ id: 1, result: {} });
    await settle();
    expect(unmatched).toHaveLength(1);
  });

  test('end when their signal aborts and tell the other end', async () => {
    const { peer, received } = createHostAndGuest();
    const controller = new AbortController();
    const answer = peer.request('ping', {}, { signal: controller.signal });
    controller.abort();
    await expect(answer).rejects.toMatchObject({ code: 'cancelled' });
    await settle();
    expect(received.map((message) => 'method' in message && message.method)).toEqual([
      'ping',
      'notifications/cancelled',
    ]);
    await expect(peer.request('ping', {}, { signal: controller.signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect(received).toHaveLength(2);
  });

  test('an unlimited one does not end at once', async () => {
    holdTimers();
    const { peer, rpc } = createHostAndGuest();
    const answer = peer.request('ping', {}, { timeoutMs: Infinity });
    answer.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(peer.pending).toBe(1);
    rpc({ id: 1, result: {} });
    await expect(answer).resolves.toEqual({});
  });

  test('with an answer that does not fit end as invalid', async () => {
    const { peer, rpc } = createHostAndGuest();
    const answer = peer.request('tools/list', {});
    await settle();
    rpc({ id: 1, result: { tools: 'all' } });
    await expect(answer).rejects.toMatchObject({ code: 'invalid-message' });
  });

  test('that cannot be sent reject instead of throwing', async () => {
    const { peer } = createHostAndGuest();
    const params = { name: 'x', arguments: { callback: () => 1 } };
    await expect(peer.request('tools/call', params)).rejects.toMatchObject({ code: 'internal' });
    expect(peer.pending).toBe(0);
  });

  test('take over a long error text only in part', async () => {
    const { peer, rpc } = createHostAndGuest();
    const answer = peer.request('ping', {});
    await settle();
    rpc({ id: 1, error: { code: -1, message: 'x'.repeat(100_000) } });
    const error: unknown = await answer.catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'peer-error', wire: { code: -1 } });
    expect(error instanceof Error && error.message.length).toBe(2000);
  });
});

describe('answering', () => {
  verifies('S3-28', 'a failure of ours is fixed text outside and whole inside', async () => {
    const failure = new TypeError('/home/someone/secret');
    const { rpc, received, errors } = createHostAndGuest({
      requestHandlers: {
        'tools/call': () => {
          throw failure;
        },
      },
    });
    rpc({ id: 1, method: 'tools/call', params: { name: 'x' } });
    await settle();
    expect(received).toEqual([{ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'Internal error' } }]);
    expect(errors).toEqual([failure]);
  });

  test('a result that cannot be sent becomes an error', async () => {
    const { rpc, received, errors } = createHostAndGuest({
      requestHandlers: { 'tools/call': () => ({ content: [], structuredContent: { f: () => 1 } }) },
    });
    rpc({ id: 1, method: 'tools/call', params: { name: 'x' } });
    await settle();
    expect(received).toEqual([{ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'Internal error' } }]);
    expect(errors).toHaveLength(1);
  });

  test('a cancelled request aborts its handler and is not answered', async () => {
    const reasons: unknown[] = [];
    const { rpc, received } = createHostAndGuest({
      requestHandlers: {
        'tools/call': (_params, { signal }) =>
          new Promise((_resolve, reject) =>
            signal.addEventListener('abort', () => {
              reasons.push(signal.reason);
              reject(signal.reason);
            }),
          ),
      },
    });
    rpc({ id: 'a', method: 'tools/call', params: { name: 'x' } });
    rpc({ method: 'notifications/cancelled', params: { requestId: 'b' } });
    await settle();
    expect(reasons).toEqual([]);
    rpc({ method: 'notifications/cancelled', params: { requestId: 'a', reason: 'enough' } });
    await settle();
    expect(reasons).toEqual([expect.objectContaining({ code: 'cancelled' })]);
    expect(received).toEqual([]);
  });
});

describe('closing', () => {
  test('rejects what waits, aborts what is being answered, and nothing is sent or heard afterwards', async () => {
    let aborted = false;
    const { peer, rpc, received, notifications, guestEnd } = createHostAndGuest({
      requestHandlers: {
        'tools/call': (_params, { signal }) =>
          new Promise((resolve) =>
            signal.addEventListener('abort', () => {
              aborted = true;
              resolve({ content: [] });
            }),
          ),
      },
    });
    const answer = peer.request('ping', {});
    rpc({ id: 1, method: 'tools/call', params: { name: 'x' } });
    await settle();
    const before = received.length;
    rpc({ method: 'ui/notifications/initialized' });
    peer.close(new CasementError('session-closed', 'Over.'));
    peer.close();
    await expect(answer).rejects.toMatchObject({ code: 'session-closed' });
    await expect(peer.request('ping', {})).rejects.toMatchObject({ code: 'session-closed' });
    peer.notify('ui/notifications/tool-cancelled', {});
    guestEnd.send({ jsonrpc: '2.0', id: 2, method: 'ping' });
    await settle();
    expect(aborted).toBe(true);
    expect(received).toHaveLength(before);
    expect(notifications).toEqual([]);
    expect(peer.pending).toBe(0);
  });

  test('leaves the transport, and does not trust it to be silent', async () => {
    const listeners: ((data: unknown) => void)[] = [];
    const sent: unknown[] = [];
    const notifications: unknown[] = [];
    let left = 0;
    let closed = 0;
    const peer = createPeer({
      transport: {
        send: (message) => sent.push(message),
        subscribe: (listener) => {
          listeners.push(listener);
          return () => left++;
        },
        close: () => closed++,
      },
      side: 'host',
      requestHandlers: {},
      onNotification: (notification) => notifications.push(notification),
    });
    peer.close();
    for (const listener of listeners) {
      listener({ jsonrpc: '2.0', id: 1, method: 'ping' });
      listener({ jsonrpc: '2.0', method: 'ui/notifications/initialized' });
    }
    await settle();
    expect([left, closed]).toEqual([1, 1]);
    expect(sent).toEqual([]);
    expect(notifications).toEqual([]);
  });
});
