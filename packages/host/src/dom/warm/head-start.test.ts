import type { JsonRpcMessage } from '@casement/protocol';
import { createMemoryTransportPair } from '@casement/protocol';
import { describe, expect, test, vi } from 'vitest';
import { holdTime, settle } from '../../core/stage.test-support.js';
import { createHeadStart } from './head-start.js';

const resourceReady = 'ui/notifications/sandbox-resource-ready';
const handover = { html: '<p>app</p>', csp: { connectDomains: [] } };
const say = (method: string): JsonRpcMessage => ({ jsonrpc: '2.0', method, params: {} });
const proxySays = (word: string): JsonRpcMessage => say(`ui/notifications/sandbox-${word}`);
const handOver = (params: Record<string, unknown>): JsonRpcMessage => ({
  jsonrpc: '2.0',
  method: resourceReady,
  params,
});

/** A head start between a session, which hears and says, and a frame, which does too. */
const start = (begins = true) => {
  const [near, frame] = createMemoryTransportPair();
  const events: string[] = [];
  const sent: unknown[] = [];
  const heard: unknown[] = [];
  frame.subscribe((message) => sent.push(message));
  const early = createHeadStart({
    handover,
    send: near.send,
    onBegun: () => undefined,
    onSettled: () => events.push('settled'),
    onFault: (fault) => events.push(fault),
  });
  if (begins) early.begin();
  const follow = (told = 0) => {
    const session = early.follow(near, told);
    session.subscribe((data) => heard.push(data));
    return session;
  };
  return { early, follow, frame, events, sent, heard };
};
const methodsOf = (messages: readonly unknown[]): unknown[] => messages.map((one) => Object(one).method);

describe('an app that started before its document was confirmed', () => {
  test('is heard once the session hands over the same one, in order and after the session is there', async () => {
    const { follow, frame, sent, heard, events } = start();
    const session = follow(1);
    frame.send(proxySays('proxy-ready'));
    frame.send(say('ui/initialize'));
    frame.send(say('ui/notifications/size-changed'));
    await settle();
    expect(methodsOf(heard)).toEqual(['ui/notifications/sandbox-proxy-ready']);
    session.send(handOver({ ...handover }));
    expect(heard).toHaveLength(1);
    await settle();
    frame.send(say('ui/notifications/initialized'));
    await settle();
    expect(methodsOf(heard).slice(1)).toEqual([
      'ui/initialize',
      'ui/notifications/size-changed',
      'ui/notifications/initialized',
    ]);
    session.send(say('ping'));
    await settle();
    // Its document went there once.
    expect(methodsOf(sent)).toEqual([resourceReady, 'ping']);
    expect(events).toEqual(['settled']);
  });

  test.for([
    ['other HTML', { ...handover, html: '<p>new</p>' }],
    ['other rights', { ...handover, csp: { connectDomains: ['https://a.example'] } }],
    ['rights that the first one had not', { ...handover, permissions: { camera: {} } }],
    ['the shim', { ...handover, shim: true }],
    ['nothing of the kind', {}],
  ] as const)(
    'makes room for %s: nothing it said is told, and nothing it was told is lost',
    async ([, fresh]) => {
      const { follow, frame, sent, heard, events } = start();
      const session = follow();
      frame.send({ ...say('tools/call'), id: 1 });
      await settle();
      session.send(handOver(fresh));
      expect(events).toEqual(['settled', 'html-changed']);
      // Another frame is in its place; the session knows what its first words say.
      await settle();
      expect(sent).toHaveLength(1);
      for (const word of ['proxy-ready', 'loader-ready', 'frame-loaded']) frame.send(proxySays(word));
      frame.send(say('ui/initialize'));
      await settle();
      expect(sent[1]).toEqual(handOver(fresh));
      expect(methodsOf(heard)).toEqual(['ui/initialize']);
      // A second time they are news.
      frame.send(proxySays('proxy-ready'));
      frame.send(proxySays('loader-ready'));
      await settle();
      expect(methodsOf(heard).slice(1)).toEqual([
        'ui/notifications/sandbox-proxy-ready',
        'ui/notifications/sandbox-loader-ready',
      ]);
    },
  );

  test('begins with its proxy, if that comes later, unless the session was quicker', async () => {
    const late = start(false);
    late.follow();
    late.frame.send(proxySays('proxy-ready'));
    late.frame.send(proxySays('loader-ready'));
    await settle();
    expect(methodsOf(late.sent)).toEqual([resourceReady]);
    expect(methodsOf(late.heard)).toEqual(['ui/notifications/sandbox-proxy-ready']);

    const quick = start(false);
    const session = quick.follow();
    session.subscribe(() => session.send(handOver({ ...handover, html: 'fresh' })));
    quick.frame.send(proxySays('proxy-ready'));
    quick.frame.send(proxySays('loader-ready'));
    await settle();
    expect(quick.sent[0]).toEqual(handOver({ ...handover, html: 'fresh' }));
    expect(quick.heard).toHaveLength(2);
    expect(quick.events).toEqual(['settled']);
  });

  test('is told nothing, whatever the session says', async () => {
    const { follow, sent } = start();
    follow().send(say('ui/notifications/tool-input'));
    await settle();
    expect(methodsOf(sent)).toEqual([resourceReady]);
  });

  test.for([
    ['many words', Array.from({ length: 101 }, () => say('notifications/message'))],
    ['long ones', [{ ...say('notifications/message'), params: { data: 'x'.repeat(256 * 1024) } }]],
  ] as const)('of %s is ended, before and after the session has its frame', async ([, messages]) => {
    for (const isFollowed of [false, true]) {
      const { early, follow, frame, events, heard } = start();
      if (isFollowed) follow();
      for (const message of messages)
        if (isFollowed) frame.send(message);
        else early.hear(message);
      await settle();
      expect(events).toEqual(['settled', 'spoke-much']);
      expect(heard).toEqual([]);
    }
  });

  test('is ended when nobody confirms it for two seconds; the document that comes then has new frames', async () => {
    holdTime();
    const { follow, frame, events, sent } = start();
    const session = follow();
    await vi.advanceTimersByTimeAsync(1_999);
    expect(events).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(events).toEqual(['settled', 'unconfirmed']);
    frame.send(proxySays('proxy-ready'));
    // The same document as before is no reason to go on with what is gone.
    session.send(handOver(handover));
    await vi.advanceTimersByTimeAsync(0);
    expect(methodsOf(sent)).toEqual([resourceReady, resourceReady]);
  });

  test('leaves nothing behind when its session ends', async () => {
    const { follow, frame, events, heard } = start();
    const session = follow();
    frame.send(say('ui/initialize'));
    await settle();
    session.close();
    session.send(handOver(handover));
    await settle();
    expect(heard).toEqual([]);
    expect(events).toEqual(['settled']);
  });
});
