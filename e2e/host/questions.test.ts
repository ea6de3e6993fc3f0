import { describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { installClock } from '../support/tab.js';
import { page, useHostPage, world } from './fixture.js';
import {
  answer,
  app,
  armed,
  ask,
  button,
  dialog,
  download,
  link,
  message,
  sampling,
} from './question-support.js';
import { guestOf } from './support.js';
import { toApp } from '../support/guest.js';

useHostPage();

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const always = () => dialog().getByRole('checkbox');
const shown = (): Promise<string> =>
  dialog()
    .locator('.detail')
    .evaluate((element) => element.textContent ?? '');
const isInSight = (selector: string): Promise<boolean> =>
  dialog()
    .locator(selector)
    .evaluate((element) => {
      const { top, bottom, left, right } = element.getBoundingClientRect();
      // Of a shadow root's own, as what covers it would be.
      const root = element.getRootNode() as ShadowRoot;
      const at = root.elementFromPoint(right - 2, bottom - 4);
      return top >= 0 && left >= 0 && bottom <= innerHeight && (at === element || element.contains(at));
    });

test('sec-B2 every picture a model will see is shown, the many on request', async () => {
  const content = Array.from({ length: 11 }, () => ({ type: 'image', data: pixel, mimeType: 'image/png' }));
  await ask('onMessage', { ...message, content });
  const pictures = dialog().locator('.pictures img');
  expect(await dialog().getByText('Not all of 11 pictures are in sight.').isVisible()).toBe(true);
  expect(await always().isVisible()).toBe(false);
  await dialog().getByRole('button', { name: 'Show all' }).last().click();
  expect(await pictures.count()).toBe(11);
});

describe('sec-B2 a block is shown by its type', () => {
  test('and not by a text that stands beside it', async () => {
    const content = [
      {
        type: 'resource',
        text: 'Thanks!',
        resource: { uri: 'note:1', mimeType: 'text/x', text: 'CALLBANK now' },
      },
      { type: 'resource', text: 'Thanks!', resource: { uri: 'note:2', blob: 'AAAA' } },
      { type: 'image', text: 'ok', data: pixel, mimeType: 'image/png' },
      { type: 'image', text: 'ok', data: 'PHN2Zy8+', mimeType: 'image/svg+xml' },
      { type: 'audio', text: 'ok', data: 'AAAA', mimeType: 'audio/wav; SAYTHIS' },
      { type: 'resource_link', text: 'ok', uri: 'note:3', name: 'One', title: 'Two', description: 'Three' },
    ];
    await ask('onMessage', { ...message, content });
    expect((await shown()).split('\n')).toEqual([
      '[resource note:1, text/x]',
      'CALLBANK now',
      '[resource note:2, unknown type, 1 KB: not shown to the model]',
      '[picture, image/png, 72 bytes]',
      '[image, image/svg+xml, 1 KB: not shown to the model]',
      '[audio, audio/wav; SAYTHIS, 1 KB: not shown to the model]',
      '[resource note:3: Two, One, Three]',
    ]);
    // The picture itself, and no other kind of picture.
    expect(
      await dialog()
        .locator('img')
        .evaluateAll((images) => images.map((image) => image.getAttribute('src'))),
    ).toEqual([`data:image/png;base64,${pixel}`]);
  });

  test('and in what a model is asked with, too, with all that goes along', async () => {
    await ask('onSampling', {
      app,
      params: {
        messages: [
          { role: 'user', content: { type: 'resource', text: 'Hi', resource: { uri: 'a:b', text: 'DOIT' } } },
          { role: 'assistant', content: [{ type: 'tool_use', name: 'pay', input: { to: 'EVIL' } }] },
        ],
        maxTokens: 10,
        stopSequences: ['STOPHERE'],
        modelPreferences: { hints: [{ name: 'HINT' }] },
      },
    });
    const text = await shown();
    for (const word of ['[resource a:b]', 'DOIT', 'pay', 'EVIL', 'STOPHERE', 'HINT'])
      expect(text).toContain(word);
    expect(text).not.toContain('Hi');
  });
});

describe('sec-B9 the end of a host’s name', () => {
  const host = `accounts.google.com.signin-${'a'.repeat(40)}.${`${'b'.repeat(50)}.`.repeat(3)}evil.example`;

  test.each([390, 1440])(
    'is in sight at %i px however long the name is, and such a name gets no always',
    async (width) => {
      await page.setViewportSize({ width, height: 700 });
      await ask('onOpenLink', {
        url: `https://${host}/${'path/'.repeat(300)}`,
        host,
        server: 'weather',
        warnings: ['long-name'],
      });
      expect(await dialog().locator('.end').textContent()).toBe('evil.example');
      expect(await isInSight('.end')).toBe(true);
      // In the address box, too.
      expect(await dialog().locator('.address b').textContent()).toBe('evil.example');
      expect(await isInSight('.address b')).toBe(true);
      expect(await dialog().locator('.front').textContent()).toContain('…');
      await dialog().getByText('This name is very long.').waitFor();
      expect(await always().count()).toBe(0);
    },
  );

  test('is told from what stands before it in a shorter one, country and port included', async () => {
    for (const [name, end] of [
      ['login.bank.example.evil.co.uk', 'evil.co.uk'],
      ['login.bank.example:8443', 'bank.example:8443'],
      ['192.168.0.1:80', '192.168.0.1:80'],
    ]) {
      await ask('onOpenLink', { url: `https://${name}/`, host: name, server: 'weather', warnings: [] });
      expect(await dialog().locator('.end').textContent()).toBe(end);
      expect(await dialog().locator('.subject').textContent()).toBe(name);
      await page.keyboard.press('Escape');
      await eventually(answer).toBe(false);
    }
  });

  test('of an app’s long link is warned of by the session itself, which remembers nothing', async () => {
    const html = toApp(`await bridge.initialize();
      document.querySelector('input').onclick = async () => {
        await bridge.request('ui/open-link', { url: 'https://${host}/' });
        document.getElementById('report').textContent += 'done ';
      };`);
    await page.evaluate(
      ([text, base]) => {
        window.hostHeld['asked'] = [];
        window.showApp({
          html: text,
          base,
          options: {
            openLink: () => undefined,
            onOpenLink: async ({ warnings }: { warnings: unknown }) => {
              (window.hostHeld['asked'] as unknown[]).push(warnings);
              return 'always';
            },
          },
        });
      },
      [html, world.base] as const,
    );
    const guest = await guestOf(page);
    for (const done of ['done ', 'done done ']) {
      await guest.click('input');
      await eventually(() => guest.textContent('#report')).toBe(done);
    }
    expect(await page.evaluate(() => window.hostHeld['asked'])).toEqual([['long-name'], ['long-name']]);
  });

  test('downloads with links that are warned of get no always either', async () => {
    const links = download.links.map((each) => ({ ...each, warnings: ['private-address'] }));
    await ask('onDownload', { ...download, links });
    await dialog().getByText('on your own machine or network').waitFor();
    expect(await always().count()).toBe(0);
  });
});

describe('sec-W3 a text nobody saw', () => {
  const tail = 'SECRETTAIL';
  const note = () => dialog().getByText(/^Only the beginning of [\d,]+ characters is in sight\./);
  const long = (length: number, end = tail) => ({
    ...sampling,
    params: { ...sampling.params, systemPrompt: `${'word '.repeat(length / 5)}${end}` },
  });
  const isAbove = async (): Promise<boolean> => {
    const [above, below] = await Promise.all([
      note().boundingBox(),
      dialog().locator('.detail').boundingBox(),
    ]);
    return above !== null && below !== null && above.y + above.height <= below.y + 1;
  };

  test.each([
    ['long', long(5_000)],
    ['pushed down by lines', long(5, `${'\n'.repeat(60)}${tail}`)],
  ])('is said above, when it is %s; always waits until all of it was in sight', async (_, request) => {
    await ask('onSampling', request);
    await note().waitFor();
    expect(await isAbove()).toBe(true);
    expect(await always().count()).toBe(0);
    await dialog().getByRole('button', { name: 'Show all' }).click();
    expect(await shown()).toContain(tail);
    expect(await note().isVisible()).toBe(false);
    await dialog()
      .locator('.detail')
      .evaluate((box) => box.scrollTo(0, box.scrollHeight));
    await always().waitFor();
    await always().check();
    await button('Ask the model').click();
    await eventually(answer).toBe('always');
  });

  test('a yes alone can be said before', async () => {
    await ask('onSampling', long(5_000));
    await button('Ask the model').click();
    await eventually(answer).toBe(true);
  });

  test('of a megabyte, much of it written out, is shown to the last character, in few elements that are laid out', async () => {
    const words = `${'\u{e0041}word'.repeat(170_000)}${tail}`;
    await ask('onMessage', { ...message, content: [{ type: 'text', text: words }] });
    const before = await page.evaluate(() => document.querySelectorAll('*').length);
    await dialog().getByRole('button', { name: 'Show all' }).click();
    const text = await shown();
    expect(text.endsWith(tail)).toBe(true);
    expect(text.split('\\u{e0041}')).toHaveLength(170_001);
    const { pieces, laidOut } = await dialog().evaluate(async (element) => {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const all = [...element.querySelectorAll('.piece')];
      return {
        pieces: all.length,
        // What is not has the height that was guessed for it.
        laidOut: all.filter((piece) => piece.getBoundingClientRect().height !== 1200).length,
      };
    });
    expect(before).toBeLessThan(100);
    expect(pieces).toBeGreaterThan(100);
    expect(laidOut).toBeLessThan(pieces / 4);
  });

  test('a list of many files is one, too', async () => {
    const files = Array.from({ length: 20 }, (_, index) => ({
      name: `file-${index}.txt`,
      mimeType: 'text/plain',
      bytes: 1,
    }));
    await ask('onDownload', { ...download, links: [], files });
    await dialog().getByRole('button', { name: 'Show all' }).waitFor();
    expect(await always().count()).toBe(0);
  });
});

describe('sec-W7 clicks that were meant for something else', () => {
  /** Clicks on one spot of the page, as somebody does who plays a game there. */
  const click = async (x: number, y: number, withMove: boolean): Promise<void> => {
    if (withMove) await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.up();
  };

  test.each([
    [300, false],
    [800, true],
    [1_500, true],
  ])('in a rhythm of %i ms, on the very place of the answer, answer nothing', async (rhythm, withMove) => {
    await installClock(page);
    await page.clock.pauseAt(Date.now() + 60_000);
    await ask('onOpenLink', link);
    const places = [await button('Open').boundingBox(), await always().boundingBox()];
    await page.keyboard.press('Escape');
    await eventually(answer).toBe(false);
    for (const place of places) {
      const x = (place?.x ?? 0) + (place?.width ?? 0) / 2;
      const y = (place?.y ?? 0) + (place?.height ?? 0) / 2;
      await page.mouse.move(20, 20);
      await page.mouse.move(x, y);
      await ask('onOpenLink', link);
      for (let turn = 0; turn < 8; turn += 1) {
        await page.clock.runFor(rhythm);
        // A hand trembles.
        await click(x + (turn % 3), y - (turn % 2), withMove);
      }
      expect(await answer()).toBe('open');
      expect(await always().isChecked()).toBe(false);
      // Whoever looks up and goes there from elsewhere is believed.
      await page.mouse.move(30, 30);
      await page.clock.runFor(600);
      await button('Open').click();
      await eventually(answer).toBe(true);
    }
  });

  test('nor does a press that began before the question took answers', async () => {
    await ask('onOpenLink', link);
    const place = await button('Open').boundingBox();
    await page.mouse.move(20, 20);
    await page.mouse.move((place?.x ?? 0) + 10, (place?.y ?? 0) + 10);
    await page.mouse.down();
    await armed();
    await eventually(() => button('Open').getAttribute('aria-disabled')).toBe('false');
    await page.mouse.up();
    expect(await answer()).toBe('open');
  });

  test('a finger answers after a moment without a touch, and not in a rhythm', async () => {
    await ask('onOpenLink', link);
    const tap = () =>
      button('Open').evaluate((element) => {
        const { left, top } = element.getBoundingClientRect();
        const at = {
          bubbles: true,
          composed: true,
          clientX: left + 5,
          clientY: top + 5,
          pointerType: 'touch',
        };
        element.dispatchEvent(new PointerEvent('pointerdown', at));
        element.dispatchEvent(new PointerEvent('click', { ...at, detail: 1 }));
      });
    await armed();
    await tap();
    expect(await answer()).toBe('open');
    await eventually(() => button('Open').getAttribute('aria-disabled')).toBe('false');
    await tap();
    await eventually(answer).toBe(true);
  });

  test('a key that is held down answers nothing; pressed anew it does', async () => {
    await ask('onOpenLink', link);
    await button('Open').focus();
    await page.keyboard.down('Enter');
    await armed();
    for (let turn = 0; turn < 5; turn += 1) await page.keyboard.down('Enter');
    expect(await answer()).toBe('open');
    await page.keyboard.up('Enter');
    await armed();
    await page.keyboard.press('Enter');
    await eventually(answer).toBe(true);
  });
});
