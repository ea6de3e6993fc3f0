import { expect, test } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { quietApp, toApp } from '../../support/guest.js';
import { page, useHostPage, world } from '../fixture.js';
import { fill, guestAt, leave, lifecycleOf, maxFrames, statusesOf, visit, visitAll } from './support.js';

useHostPage();

const heights = { inlineHeight: { initial: 300 } };
const tall = toApp(`
  await bridge.initialize();
  bridge.notify('ui/notifications/size-changed', { height: 300 });`);
const upTo = (count: number, from = 0): number[] => Array.from({ length: count }, (_, index) => index + from);

test('of 40 apps those near what is seen are mounted; twelve live at most, and each comes back', async () => {
  await fill(page, 40, { html: tall, base: world.base, options: heights });
  await visit(page, 0);
  const atStart = await statusesOf(page);
  expect(atStart.slice(10)).toEqual(Array(30).fill('idle'));
  await visitAll(page, upTo(20).map((index) => index * 2));
  await visitAll(page, [30, 20, 10, 0]);
  expect(await maxFrames(page)).toBeLessThanOrEqual(12);
  const statuses = await statusesOf(page);
  expect(statuses.filter((status) => status === 'ready').length).toBeLessThanOrEqual(12);
  expect(statuses).toContain('evicted');
  expect((await lifecycleOf(page, 0)).map(({ type }) => type)).toEqual(
    expect.arrayContaining(['evicted', 'teardown', 'torn-down', 'restored']),
  );
});
