import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { page, useHostPage, world } from './fixture.js';
import { reaches, show, toApp } from './support.js';

useHostPage();

/** An app with two tools that return the same; one of them declares what may be in it, at length. */
const html = toApp(`
const names = Array.from({ length: 6000 }, (_, index) => 'x' + index);
const items = { enum: [...names, 'hit'] };
const outputSchema = { type: 'object', properties: { list: { type: 'array', items } } };
const tool = { inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } };
bridge.answers['tools/list'] = () => ({ tools: [{ ...tool, name: 'plain' }, { ...tool, name: 'costly', outputSchema }] });
bridge.answers['tools/call'] = () => ({ content: [], structuredContent: { list: Array(100000).fill('hit') } });
await bridge.initialize({ capabilities: { tools: {} } });`);

test('sec-B6 a result with a costly schema holds the page hardly longer than one without', async () => {
  await show(page, { html, base: world.base });
  await reaches(page, 'ready');
  const tools = () => page.evaluate(() => window.hostApps[0]?.app.getSnapshot().appTools.length);
  await eventually(tools).toBe(2);
  const call = (name: string) =>
    page.evaluate(async (tool) => {
      const channel = new MessageChannel();
      let last = performance.now();
      let longest = 0;
      channel.port1.onmessage = () => {
        const now = performance.now();
        longest = Math.max(longest, now - last);
        last = now;
        channel.port2.postMessage(null);
      };
      channel.port2.postMessage(null);
      const outcome = await window.hostApps[0]?.app.callAppTool(tool, {}).then(
        () => 'result',
        (error: unknown) => String(error),
      );
      channel.port1.close();
      longest = Math.max(longest, performance.now() - last);
      const text = JSON.stringify({ list: Array<string>(100_000).fill('hit') });
      const began = performance.now();
      JSON.stringify(JSON.parse(text));
      return { outcome, longest, once: performance.now() - began };
    }, name);
  await call('plain');
  const plain = await call('plain');
  const costly = await call('costly');
  expect(plain.outcome).toBe('result');
  expect(costly.outcome).toMatch(/refused: schema and value are too large to be checked/);
  // Unbounded, it takes hundreds of times as long.
  expect(costly.longest - plain.longest).toBeLessThan(20 * Math.max(plain.once, costly.once));
});
