import { expect } from 'vitest';
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
