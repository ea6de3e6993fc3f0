import { describe, expect, test, vi } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import { createWindowTransport, type WindowMessage } from './window-transport.js';

const createStage = (origin = 'http://proxy.localhost:1', targetOrigin?: string) => {
  const listeners = new Set<(event: WindowMessage) => void>();
  const posted: { message: unknown; targetOrigin: string }[] = [];
  const frame = {
    postMessage: (message: unknown, target: string) => {
      posted.push({ message, targetOrigin: target });
    },
  };
  const stage = { current: frame as typeof frame | null };
  const received: unknown[] = [];
  const rejected: { reason: 'source' | 'origin'; origin: string }[] = [];
  const transport = createWindowTransport({
    listenOn: {
      addEventListener: (_type, listener) => void listeners.add(listener),
      removeEventListener: (_type, listener) => void listeners.delete(listener),
    },
    peer: () => stage.current,
    origin,
    ...(targetOrigin !== undefined && { targetOrigin }),
    onRejected: (info) => rejected.push(info),
  });
  transport.subscribe((data) => received.push(data));
  const dispatch = (event: Partial<WindowMessage>) => {
    for (const listener of [...listeners]) listener({ data: 'hello', origin, source: frame, ...event });
  };
  return { stage, frame, posted, received, rejected, transport, dispatch, listeners };
};

const ping = { jsonrpc: '2.0', method: 'ping' } as const;

describe('receiving', () => {
  verifies('S4-10', 'a message of the right window and origin is delivered', () => {
    const { dispatch, received, rejected } = createStage();
    dispatch({});
    expect(received).toEqual(['hello']);
    expect(rejected).toEqual([]);
  });

  verifies('S1-33', 'B01 other windows and messages without a source are ignored', () => {
    const { dispatch, received, rejected } = createStage();
    dispatch({ source: {} });
    dispatch({ source: null });
    dispatch({ source: undefined });
    expect(received).toEqual([]);
    expect(rejected.map((info) => info.reason)).toEqual(['source', 'source', 'source']);
  });

  test('B01 a window that takes the place of another is heard, and the other no more', () => {
    const { stage, frame, received, dispatch } = createStage();
    dispatch({ data: 'first' });
    const next = { postMessage: () => undefined };
    stage.current = next;
    dispatch({ source: next, data: 'second' });
    dispatch({ source: frame, data: 'late' });
    expect(received).toEqual(['first', 'second']);
  });

  test('B01 a missing peer never matches a missing source', () => {
    const { stage, dispatch, received } = createStage();
    stage.current = null;
    dispatch({ source: null });
    expect(received).toEqual([]);
  });

  verifies('S4-29', 'B02 the right window with another origin is ignored', () => {
    const { dispatch, received, rejected } = createStage();
    for (const origin of [
      'http://proxy.localhost:2',
      'https://proxy.localhost:1',
      'null',
      '',
      'http://proxy.localhost:1/',
    ]) {
      dispatch({ origin });
    }
    expect(received).toEqual([]);
    expect(rejected).toHaveLength(5);
    expect(rejected[0]).toEqual({ reason: 'origin', origin: 'http://proxy.localhost:2' });
  });

  test('B20 ports that come along are closed, but not those of other windows', () => {
    const { dispatch } = createStage();
    const ours = { close: vi.fn() };
    const theirs = { close: vi.fn() };
    dispatch({ ports: [ours] });
    dispatch({ ports: [theirs], source: {} });
    expect(ours.close).toHaveBeenCalledOnce();
    expect(theirs.close).not.toHaveBeenCalled();
  });

  test('nothing arrives after unsubscribing or closing', () => {
    const { transport, dispatch, received, listeners } = createStage();
    const late: unknown[] = [];
    transport.subscribe((data) => late.push(data))();
    dispatch({});
    expect(late).toEqual([]);
    transport.close();
    dispatch({});
    expect(received).toHaveLength(1);
    expect(listeners.size).toBe(0);
  });
});

describe('many frames on one window', () => {
  const createFrames = (count: number) => {
    const listeners = new Set<(event: WindowMessage) => void>();
    const asked: number[] = [];
    const origin = 'http://proxy.localhost:1';
    const listenOn = {
      addEventListener: (_type: 'message', listener: (event: WindowMessage) => void) =>
        void listeners.add(listener),
      removeEventListener: (_type: 'message', listener: (event: WindowMessage) => void) =>
        void listeners.delete(listener),
    };
    const frames = Array.from({ length: count }, (_, index) => {
      const frame = { postMessage: () => undefined };
      const received: unknown[] = [];
      const peer = () => {
        asked.push(index);
        return frame;
      };
      const transport = createWindowTransport({ listenOn, peer, origin });
      transport.subscribe((data) => received.push(data));
      return { frame, received, transport };
    });
    const say = (index: number, data: unknown) => {
      for (const listener of [...listeners]) listener({ data, origin, source: frames[index]?.frame });
    };
    return { frames, asked, say, listeners };
  };

  test('each hears its own, and one that has not spoken is not asked for its window by the others', () => {
    const { frames, asked, say, listeners } = createFrames(3);
    say(0, 'a');
    say(0, 'b');
    say(1, 'c');
    expect(frames.map(({ received }) => received)).toEqual([['a', 'b'], ['c'], []]);
    expect(asked).not.toContain(2);
    expect(listeners.size).toBe(1);
  });

  test('a closed one is deaf, the others are not, and the last one takes the listener with it', () => {
    const { frames, say, listeners } = createFrames(2);
    say(0, 'a');
    frames[0]?.transport.close();
    say(0, 'late');
    say(1, 'b');
    expect(frames.map(({ received }) => received)).toEqual([['a'], ['b']]);
    frames[1]?.transport.close();
    expect(listeners.size).toBe(0);
  });
});

describe('sending', () => {
  verifies('S4-10', 'B03 the target origin is exact', () => {
    const { transport, posted } = createStage();
    transport.send(ping);
    expect(posted).toEqual([{ message: ping, targetOrigin: 'http://proxy.localhost:1' }]);
  });

  test('only an opaque frame is posted to with a star', () => {
    const { transport, posted } = createStage('null');
    transport.send(ping);
    expect(posted[0]?.targetOrigin).toBe('*');
  });

  test('without a window, and after close, nothing is sent', () => {
    const { transport, stage, posted, frame } = createStage();
    stage.current = null;
    transport.send(ping);
    stage.current = frame;
    transport.close();
    transport.send(ping);
    expect(posted).toEqual([]);
  });

  test.each([
    ['*', undefined],
    ['', undefined],
    ['http://a.localhost/', undefined],
    ['http://a.localhost', '*'],
    ['http://a.localhost', '/'],
    ['data:text/html,x', undefined],
  ])('the origins %s and %s are refused', (origin, target) => {
    expect(() => createStage(origin, target)).toThrow(
      expect.objectContaining({ code: 'sandbox-misconfigured' }),
    );
  });
});
