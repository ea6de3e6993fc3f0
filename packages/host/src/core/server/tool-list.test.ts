import { expect, test } from 'vitest';
import { verifies } from '../../../../../test/verifies.js';
import { createPlainServer, toolWith, uiTool } from '../plain-server.test-support.js';
import { createStage, settle } from '../stage.test-support.js';

verifies(
  'HOST-022',
  'a list that was declared stale while it was on its way is read again before it is used',
  async () => {
    const server = createPlainServer();
    let answer = (): void => undefined;
    let reads = 0;
    server.tools = [uiTool, toolWith('helper', ['app'])];
    server.listTools = () => {
      reads += 1;
      const { tools } = server;
      return reads === 1 ? new Promise((resolve) => (answer = () => resolve(tools))) : Promise.resolve(tools);
    };
    const stage = createStage({ server });
    await stage.ready();
    const asked = stage.ask(1, 'tools/call', { name: 'helper', arguments: {} });
    await settle();
    expect(reads).toBe(1);
    server.tools = [uiTool, toolWith('helper', ['model'])];
    server.emit({ type: 'tools-changed' });
    answer();
    expect(await asked).toHaveProperty('error.data.code', 'tool-not-visible');
    expect([reads, server.calls]).toEqual([2, []]);
  },
);

test('a list that fails after it was declared stale is asked for again, and the call does not fail', async () => {
  const server = createPlainServer();
  let fail = (): void => undefined;
  let reads = 0;
  server.tools = [uiTool, toolWith('helper', ['app'])];
  server.listTools = () => {
    reads += 1;
    return reads === 1
      ? new Promise((_, reject) => (fail = () => reject(new Error('out of date'))))
      : Promise.resolve(server.tools);
  };
  const stage = createStage({ server });
  await stage.ready();
  const asked = stage.ask(1, 'tools/call', { name: 'helper', arguments: {} });
  await settle();
  expect(reads).toBe(1);
  server.emit({ type: 'tools-changed' });
  fail();
  expect(await asked).toHaveProperty('result.content');
  expect([reads, server.calls.map(({ name }) => name)]).toEqual([2, ['helper']]);
});

test('a list that fails while it counts fails the call, and is not kept for the next', async () => {
  const server = createPlainServer();
  let isDown = false;
  server.listTools = () => (isDown ? Promise.reject(new Error('not now')) : Promise.resolve(server.tools));
  const stage = createStage({ server });
  await stage.ready();
  isDown = true;
  server.emit({ type: 'tools-changed' });
  expect(await stage.ask(1, 'tools/call', { name: 'weather' })).toHaveProperty('error.code', -32000);
  expect(server.calls).toEqual([]);
  isDown = false;
  expect(await stage.ask(2, 'tools/call', { name: 'weather' })).toHaveProperty('result.content');
});
