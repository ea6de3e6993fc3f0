import { describe, expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.js';
import { eventually } from '../../support/eventually.js';
import { toModulePage } from './guest-page.js';
import { openOfficial, useHosts, type Host } from './hosts.js';
import { returnPage } from '../../support/borrowed-page.js';

useHosts();

// The official page follows every report at once, as a host does.
const script = `import { App } from '@casement/app';
const app = new App({ name: 'sizes', version: '1.0.0' });
globalThis.grow = (height) => { document.querySelector('p').style.height = height + 'px'; };
app.connect().then(() => { document.body.dataset.connected = 'yes'; });`;

const open = async (style: string): Promise<Host> =>
  openOfficial('2.0.4', await toModulePage(script, `<style>${style}</style>`));

const heightsOf = async (host: Host): Promise<unknown[]> =>
  (await host.asked('size')).map((size) => (size as { height: number }).height); // what size-changed carries

const grow = (host: Host, height: number): Promise<void> =>
  // Put there by the script above.
  host.guest.evaluate((to) => (Reflect.get(window, 'grow') as (height: number) => void)(to), height);

/** The height of the frame and of what is in it. */
const roomOf = (host: Host): Promise<{ frame: number; content: number }> =>
  host.guest.evaluate(() => ({
    frame: window.innerHeight,
    content: document.body.getBoundingClientRect().height,
  }));

verifies('VIEW-009', 'the size is reported once per size, and follows the content both ways', async () => {
  const host = await open('html{height:100%}body{margin:10px}p{margin:0;height:80px}');
  await eventually(() => heightsOf(host)).toEqual([100]);
  await grow(host, 280);
  await eventually(() => heightsOf(host)).toEqual([100, 300]);
  await grow(host, 180);
  await eventually(() => heightsOf(host)).toEqual([100, 300, 200]);
  await returnPage(host.page);
});

test('content that grows step by step is shown at every step', async () => {
  const host = await open('body{margin:0}p{margin:0;height:200px}');
  for (let height = 200; height <= 320; height += 20) {
    await grow(host, height);
    await eventually(() => roomOf(host)).toEqual({ frame: height, content: height });
  }
  await returnPage(host.page);
});

test('content that grows while the frame still follows is shown to its end', async () => {
  const host = await open('body{margin:0}p{margin:0;height:200px}');
  await eventually(() => roomOf(host)).toEqual({ frame: 200, content: 200 });
  // Each step right after the frame has followed the last one, before anything else could be seen: with the frame.
  await host.guest.evaluate(async () => {
    for (let height = 220; height <= 280; height += 20) {
      const followed = new Promise((resolve) => {
        window.addEventListener('resize', resolve, { once: true, capture: true });
      });
      (Reflect.get(window, 'grow') as (height: number) => void)(height); // put there by the script above
      if (height < 280) await followed;
    }
  });
  await eventually(() => roomOf(host)).toEqual({ frame: 280, content: 280 });
  await returnPage(host.page);
});

describe('content that takes its height from the frame', () => {
  /** Ten frames in which nothing but the frame itself could change, and the time after which a last look is taken. */
  const rest = (host: Host): Promise<void> =>
    host.guest.evaluate(async () => {
      const end = performance.now() + 400;
      for (let n = 0; n < 10 || performance.now() < end; n += 1)
        await new Promise((resolve) => requestAnimationFrame(resolve));
    });

  test.each([
    ['is always taller', 'body{margin:0;height:calc(100vh + 20px)}'],
    ['is always smaller', 'body{margin:0;height:90vh}'],
    [
      'is tall in a low frame and low in a tall one',
      'body{margin:0;height:400px}@media (min-height:300px){body{height:200px}}',
    ],
  ])('and %s does not chase it for ever', async (_name, style) => {
    const host = await open(`${style}p{margin:0;height:10px}`);
    await eventually(async () => (await heightsOf(host)).length).toBeGreaterThan(1);
    await rest(host);
    await rest(host);
    const before = await heightsOf(host);
    await rest(host);
    expect(await heightsOf(host)).toEqual(before);
    // The first, twelve that followed the frame, and one when all was quiet.
    expect(before.length).toBeLessThanOrEqual(14);
    await returnPage(host.page);
  });

  test('to and fro ends where everything can be seen', async () => {
    const host = await open('body{margin:0;height:400px}@media (min-height:300px){body{height:200px}}');
    await eventually(async () => (await heightsOf(host)).length).toBeGreaterThan(2);
    await rest(host);
    await rest(host);
    const { frame, content } = await roomOf(host);
    expect(frame).toBeGreaterThanOrEqual(content);
    await returnPage(host.page);
  });

  test('follows again once something of its own has changed', async () => {
    const host = await open('body{margin:0;min-height:90vh}p{margin:0;height:10px}');
    await eventually(async () => (await heightsOf(host)).length).toBeGreaterThan(2);
    await rest(host);
    await grow(host, 350);
    await eventually(() => roomOf(host)).toEqual({ frame: 350, content: 350 });
    await returnPage(host.page);
  });
});
