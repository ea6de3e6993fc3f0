import { expect, onTestFinished, test, vi } from 'vitest';
import { api, callTool, holdTime, openEvents, start, stdio } from '../gateway.test-support.js';
import { createEventHub } from './event-hub.js';

test('the stream begins with every server as it stands', async () => {
  const gateway = await start({ servers: [stdio('a'), stdio('b', ['--exit-at-start=1'])] });
  const { events, until } = await openEvents(gateway);
  await until((event) => event.type === 'server' && event.server.name === 'b');
  expect(events.slice(0, 2)).toMatchObject([
    { type: 'server', server: { name: 'a', status: 'ready' } },
    { type: 'server', server: { name: 'b', status: 'exited' } },
  ]);
});

test('progress of a call carries its callId', async () => {
  const gateway = await start({ servers: [stdio('a')] });
  const { events, until } = await openEvents(gateway);
  await callTool(gateway, 'a', 'progress', { callId: 'slow' });
  await until((event) => event.type === 'progress' && event.progress === 3);
  expect(events.filter(({ type }) => type === 'progress')).toEqual(
    [1, 2, 3].map((progress) => ({ type: 'progress', server: 'a', callId: 'slow', progress, total: 3 })),
  );
});

test('two thousand list changes at once become one event', async () => {
  const gateway = await start({ servers: [stdio('a')] });
  const { events, until } = await openEvents(gateway);
  holdTime();
  // Its answer comes behind all of them.
  await callTool(gateway, 'a', 'burst');
  await vi.advanceTimersByTimeAsync(1_000);
  // Whatever was told of them comes before what is told later.
  await callTool(gateway, 'a', 'progress', { callId: 'later' });
  await until((event) => event.type === 'progress' && event.progress === 3);
  expect(events.filter(({ type }) => type === 'list-changed')).toEqual([
    { type: 'list-changed', server: 'a', list: 'tools' },
  ]);
}, 20_000);

test('both directions of a call are recorded under its session, secrets left out', async () => {
  const gateway = await start({ servers: [stdio('a')] });
  const { events, until } = await openEvents(gateway);
  await callTool(gateway, 'a', 'echo', {
    session: 's-1',
    arguments: { password: 'hunter2-planted', city: 'Oslo' },
  });
  await api(gateway, '/servers/a/resources/read', { uri: 'ui://fixture/app', caller: 'app', session: 's-2' });
  await until(
    (event) => event.type === 'recording' && event.entry.session === 's-2' && event.entry.kind === 'response',
  );
  const entries = events.flatMap((event) => (event.type === 'recording' ? [event.entry] : []));
  const call = entries.filter(({ session }) => session === 's-1');
  expect(call).toMatchObject([
    { v: 1, writer: 'gateway', leg: 'server', dir: 'out', kind: 'request', raw: { method: 'tools/call' } },
    { v: 1, writer: 'gateway', leg: 'server', dir: 'in', kind: 'response' },
  ]);
  expect(JSON.stringify(call[0])).toContain('Oslo');
  expect(JSON.stringify(call[0])).not.toContain('hunter2-planted');
  expect(entries.filter(({ session }) => session === 's-2')).toHaveLength(2);
  expect(entries.some(({ session }) => session === 'server:a')).toBe(true);
});

test('a reader that does not read loses the oldest events and is told how many', async () => {
  const hub = createEventHub({ maxEvents: 10 });
  const stream = hub.stream(() => []);
  for (let progress = 0; progress < 1000; progress += 1) {
    hub.publish({ type: 'progress', server: 'a', callId: 'c', progress });
  }
  const reader = stream.getReader();
  const text = new TextDecoder().decode((await reader.read()).value);
  expect(text).toContain('{"type":"dropped","count":991}');
  expect(text.match(/"progress":/g)).toHaveLength(10);
  expect(text).toContain('"progress":999');
  await reader.cancel();
  expect(hub.subscribers).toBe(0);
});

test('an idle stream keeps beating', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const hub = createEventHub({ heartbeatMs: 20 });
  const reader = hub.stream(() => []).getReader();
  await reader.read();
  let beat = '';
  const beating = reader.read().then(({ value }) => (beat = new TextDecoder().decode(value)));
  await vi.advanceTimersByTimeAsync(19);
  expect(beat).toBe('');
  await vi.advanceTimersByTimeAsync(1);
  await beating;
  expect(beat).toBe(': beat\n\n');
  hub.close();
  expect((await reader.read()).done).toBe(true);
});
