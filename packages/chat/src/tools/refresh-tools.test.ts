import { CasementError } from '@casement/protocol/start';
import { expect, test, vi } from 'vitest';
import { converse, createEcho, createModel, toTool } from '../conversation/conversation.test-support.js';

test('a server that is back is asked again without a turn; one that is not keeps its problem', async () => {
  const gone = new Set(['weather', 'files']);
  const model = createModel();
  const servers = ['weather', 'files', 'notes'].map((name) => {
    const listTools = vi.fn(() => {
      if (gone.has(name)) throw new CasementError('server-exited', `${name} ended.`);
      return [toTool(`look_at_${name}`)];
    });
    return { listTools, port: createEcho(name, [], { listTools }) };
  });
  const conversation = converse({ model, servers: servers.map(({ port }) => port) });
  const state = () => conversation.getSnapshot();
  await expect.poll(() => state().problems.map(({ server }) => server)).toEqual(['weather', 'files']);

  gone.delete('weather');
  await conversation.refreshTools();
  expect(state().problems.map(({ server }) => server)).toEqual(['files']);
  expect(state().tools.map(({ name }) => name)).toEqual(['look_at_weather', 'look_at_notes']);
  // Who has no problem is left alone, and nothing was said.
  expect(servers.map(({ listTools }) => listTools.mock.calls.length)).toEqual([2, 2, 1]);
  expect(state()).toMatchObject({ status: 'idle', messages: [] });
  expect(model.requests).toEqual([]);
  conversation.close();
});
