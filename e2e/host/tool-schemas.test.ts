import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { page, useHostPage, world } from './fixture.js';
import { reaches, show } from './support.js';
import { toApp } from '../support/guest.js';

useHostPage();

/** An app with two tools that return the same; one of them declares what may be in it, at length. */
const html = toApp(`
const names = Array.from({ length: 6000 }, (_, index) => 'x' + index);
const items = { enum: [...names, 'hit'] };
const outputSchema = { type: 'object', properties: { list: { type: 'array', items } } };
const tool = { inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } };
bridge.answers['tools/list'] = () => ({ tools: [{ ...tool, name: 'small' }, { ...tool, name: 'costly', outputSchema }] });
bridge.answers['tools/call'] = ({ name }) =>
  ({ content: [], structuredContent: { list: Array(name === 'small' ? 1 : 100000).fill('hit') } });
await bridge.initialize({ capabilities: { tools: {} } });`);

const rounds = 5;

test('sec-B6 a result with a costly schema holds the page at most as long as three times its JSON', async () => {
  await show(page, { html, base: world.base });
  await reaches(page, 'ready');
  const tools = () => page.evaluate(() => window.hostApps[0]?.app.getSnapshot().appTools.length);
  await eventually(tools).toBe(2);
  /** The longest time the page did not answer during one call, and how the call ended. */
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
      return { outcome, longest: Math.max(longest, performance.now() - last) };
    }, name);
  // What our code does to the page it does in every round; what the machine does it does not.
  const toBest = async (name: string, outcome: RegExp): Promise<number> => {
    let best = Infinity;
    for (let round = 0; round < rounds; round++) {
      const result = await call(name);
      expect(result.outcome).toMatch(outcome);
      best = Math.min(best, result.longest);
    }
    return best;
  };
  const small = await toBest('small', /^result$/);
  const costly = await toBest('costly', /refused: schema and value are too large to be checked/);
  const json = await page.evaluate(() => {
    const text = JSON.stringify({ list: Array<string>(100_000).fill('hit') });
    const times = Array.from({ length: 5 }, () => {
      const began = performance.now();
      JSON.stringify(JSON.parse(text));
      return performance.now() - began;
    });
    return times.sort((a, b) => a - b)[2] ?? NaN;
  });
  // Without a budget it takes hundreds of times as long.
  expect(costly, `${json} ms of JSON, ${small} ms of a small result`).toBeLessThan(3 * json + 2 * small);
});
