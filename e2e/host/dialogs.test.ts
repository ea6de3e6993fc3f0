import { describe, expect, test } from 'vitest';
import { verifies } from '../../test/verifies.js';
import { eventually } from '../support/eventually.js';
import { installClock } from '../support/tab.js';
import { page, renewPage, useHostPage, world } from './fixture.js';
import {
  answer,
  app,
  armed,
  ask,
  button,
  dialog,
  download,
  focused,
  link,
  message,
  sampling,
} from './question-support.js';
import { readFaults } from '../support/axe.js';
import { guestOf, show } from './support.js';
import { toApp } from '../support/guest.js';

useHostPage();

verifies(
  ['S5-93'],
  'the link question names the host first, then who asks, then the whole address; focus is on Cancel and stays inside',
  async () => {
    await page.locator('#field').focus();
    await ask('onOpenLink', link);
    const words = await dialog().evaluate((element) =>
      [...element.querySelectorAll('h2, p, .detail, label')].map((part) => part.textContent),
    );
    expect(words).toEqual([
      'Open this page?',
      'example.com',
      'An app of the server weather asks to open it in a new tab.',
      'https://example.com/path?q=1',
      'Always open links to https://example.com for weather',
    ]);
    expect(await page.getByRole('dialog', { name: 'Open this page?' }).count()).toBe(1);
    expect(await focused()).toBe('Cancel');
    // Round and round by Tab: the page behind is never reached.
    const field = page.locator('#field');
    for (let step = 0; step < 8; step += 1) {
      await page.keyboard.press('Tab');
      expect(await field.evaluate((element) => element.matches(':focus'))).toBe(false);
    }
    await armed();
    await button('Open').click();
    await eventually(answer).toBe(true);
    expect(await dialog().count()).toBe(0);
    expect(await field.evaluate((element) => element.matches(':focus'))).toBe(true);
  },
);

test.each([
  ['onOpenLink', link, 'Open'],
  ['onMessage', message, 'Send'],
  ['onDownload', download, 'Save'],
  ['onSampling', sampling, 'Ask the model'],
] as const)('%s: yes, always, no, Escape and an app that went away', async (hook, request, allow) => {
  await ask(hook, request);
  await armed();
  await button(allow).click();
  await eventually(answer).toBe(true);
  await ask(hook, request);
  await dialog().getByRole('checkbox').check();
  await armed();
  await button(allow).press('Enter');
  await eventually(answer).toBe('always');
  await ask(hook, request);
  await armed();
  await button('Cancel').click();
  await eventually(answer).toBe(false);
  await ask(hook, request);
  await dialog().waitFor();
  await page.keyboard.press('Escape');
  await eventually(answer).toBe(false);
  await ask(hook, request);
  await dialog().waitFor();
  await page.evaluate(() => (window.hostHeld['controller'] as AbortController).abort());
  await eventually(answer).toBe(false);
  expect(await dialog().count()).toBe(0);
  await ask(hook, request, { memory: false });
  expect(await dialog().getByRole('checkbox').count()).toBe(0);
});

test('E10 a click that was meant for what was there before does not answer: half a second has to pass, without a press', async () => {
  await installClock(page);
  await page.clock.pauseAt(Date.now() + 60_000);
  await ask('onOpenLink', link);
  await page.clock.runFor(490);
  await button('Open').click({ force: true });
  await button('Cancel').click({ force: true });
  expect(await button('Open').getAttribute('aria-disabled')).toBe('true');
  expect(await answer()).toBe('open');
  await page.clock.runFor(490);
  await button('Cancel').click({ force: true });
  expect(await answer()).toBe('open');
  await page.mouse.move(20, 20);
  await page.clock.runFor(520);
  await button('Open').click();
  await eventually(answer).toBe(true);
});

test('T20 E08 while a question is open every other is answered with no, whoever asks', async () => {
  await ask('onOpenLink', link);
  await dialog().waitFor();
  const others = await page.evaluate(
    ([asked, said]) =>
      Promise.all([
        window.hostModule.createConsentDialogs().onOpenLink(asked),
        window.hostModule.createConsentDialogs().onMessage(said as never),
      ]),
    [link, message] as const,
  );
  expect(others).toEqual([false, false]);
  expect(await dialog().count()).toBe(1);
});

test('T9 a frame that takes the focus while a question is open gets no key', async () => {
  const html = toApp(`await bridge.initialize(); globalThis.keys = 0;
    addEventListener('keydown', () => (globalThis.keys += 1));
    globalThis.steal = () => { window.focus(); document.querySelector('input').focus(); };`);
  await show(page, { html, base: world.base });
  await ask('onOpenLink', link);
  await dialog().waitFor();
  const guest = await guestOf(page);
  // The guest's own script put them there.
  await guest.evaluate(() => (globalThis as unknown as { steal(): void }).steal());
  await eventually(focused).toBe('Cancel');
  await page.keyboard.press('Escape');
  await eventually(answer).toBe(false);
  expect(await guest.evaluate(() => (globalThis as unknown as { keys: number }).keys)).toBe(0);
});

test('E05 E06 a name in look-alike letters and an address of one’s own network are warned of, without always', async () => {
  await ask('onOpenLink', {
    url: 'https://xn--pple-43d.com/',
    host: 'xn--pple-43d.com',
    server: 'weather',
    warnings: ['look-alike', 'private-address'],
  });
  await dialog().getByText('xn--pple-43d.com', { exact: true }).waitFor();
  await dialog().getByText('can look like another name').waitFor();
  await dialog().getByText('on your own machine or network').waitFor();
  expect(await dialog().getByRole('checkbox').count()).toBe(0);
});

const spoof = `${'\n'.repeat(200)}\u202Egro.knab\u202C <img src=x onerror="window.hostHeld.ran = true"> ${'long'.repeat(3_000)}`;

test.each([
  ['onOpenLink', { ...link, url: `https://example.com/${'a/'.repeat(900)}`, server: spoof }],
  ['onMessage', { ...message, content: [{ type: 'text', text: spoof }], app: { ...app, server: spoof } }],
  [
    'onDownload',
    {
      server: spoof,
      links: [],
      files: Array.from({ length: 50 }, () => ({ name: spoof, mimeType: '', bytes: 1 })),
    },
  ],
  [
    'onSampling',
    {
      app: { ...app, info: { name: spoof, version: '1' } },
      params: {
        messages: [{ role: 'user', content: { type: 'text', text: spoof } }],
        maxTokens: 9,
        systemPrompt: spoof,
      },
    },
  ],
] as const)(
  'E09 %s: long, many-lined and turning text moves no button and runs nothing',
  async (hook, request) => {
    for (const size of [
      { width: 900, height: 700 },
      { width: 390, height: 600 },
    ]) {
      await page.setViewportSize(size);
      await ask(hook, request);
      const box = await dialog().boundingBox();
      expect(box?.y).toBeGreaterThanOrEqual(0);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(size.height);
      expect(box?.width).toBeLessThanOrEqual(460);
      for (const name of await dialog().getByRole('button').allTextContents()) {
        const place = await button(name).boundingBox();
        expect((place?.y ?? 0) + (place?.height ?? 0)).toBeLessThanOrEqual(
          (box?.y ?? 0) + (box?.height ?? 0),
        );
        expect((place?.x ?? 0) + (place?.width ?? 0)).toBeLessThanOrEqual((box?.x ?? 0) + (box?.width ?? 0));
      }
      // What is decided on stands above everything else of theirs, in sight.
      const subject = await dialog().locator('.subject').boundingBox();
      expect(subject?.y).toBeGreaterThan(box?.y ?? 0);
      expect((subject?.y ?? 0) - (box?.y ?? 0)).toBeLessThan(60);
      expect(await dialog().evaluate((element) => element.textContent?.includes('\u202E'))).toBe(false);
      await page.keyboard.press('Escape');
      await eventually(answer).toBe(false);
    }
    expect(await page.evaluate(() => window.hostHeld['ran'])).toBeUndefined();
  },
);

test('T21 a message stands under the name of its app and server, with what is not text named', async () => {
  const content = [
    { type: 'text', text: 'See\nthis.' },
    { type: 'image', data: 'AAAA'.repeat(1024), mimeType: 'image/png' },
    { type: 'resource_link', uri: 'file:///notes', name: 'Notes' },
  ];
  await ask('onMessage', { ...message, content });
  expect(await dialog().locator('.subject').textContent()).toBe('Forecast');
  await dialog().getByText('This app of the server weather asks to add it to the conversation.').waitFor();
  expect(await dialog().locator('.detail').textContent()).toBe(
    'See\nthis.\n[picture, image/png, 3.0 KB]\n[resource file:///notes: Notes]',
  );
});

test('a remembered message is not asked about again', async () => {
  await ask('onMessage', { ...message, remembered: true });
  await eventually(answer).toBe(true);
  expect(await dialog().count()).toBe(0);
});

test('files are listed with their sizes, and links with where they lead', async () => {
  await ask('onDownload', download);
  await dialog().getByRole('heading', { name: 'Save these 3 files?' }).waitFor();
  expect(await dialog().getByRole('listitem').allTextContents()).toEqual([
    'report.csvtext/csv, 1.5 KB',
    'map.pngimage/png, 5.0 MB',
    'https://files.example.com/all.zipopens at files.example.com',
  ]);
});

test('the model is asked only with its text and tokens in sight', async () => {
  await ask('onSampling', sampling);
  await dialog().getByText('up to 1,500 tokens').waitFor();
  expect(await dialog().locator('.text').allTextContents()).toEqual([
    'system: Be short.',
    'user: Summarise the week.',
  ]);
});

test('an app’s link goes through the dialog: no opens nothing, yes opens it', async () => {
  const html = toApp(`await bridge.initialize();
    const button = document.body.appendChild(document.createElement('button'));
    button.textContent = 'go';
    button.onclick = async () => {
      const { result, error } = await bridge.request('ui/open-link', { url: 'https://example.com/x' });
      document.getElementById('report').textContent += result?.isError || error ? 'no ' : 'yes ';
    };`);
  await page.evaluate(
    ([text, base]) => {
      const opened: string[] = [];
      window.hostHeld['opened'] = opened;
      window.showApp({
        html: text,
        base,
        options: { ...window.hostModule.createConsentDialogs(), openLink: (url: string) => opened.push(url) },
      });
    },
    [html, world.base] as const,
  );
  const guest = await guestOf(page);
  await guest.getByRole('button', { name: 'go' }).click();
  await armed();
  await button('Cancel').click();
  await eventually(() => guest.textContent('#report')).toBe('no ');
  await guest.getByRole('button', { name: 'go' }).click();
  await armed();
  await button('Open').click();
  await eventually(() => guest.textContent('#report')).toBe('no yes ');
  expect(await page.evaluate(() => window.hostHeld['opened'])).toEqual(['https://example.com/x']);
});

describe.each([
  { colorScheme: 'light', width: 1440 },
  { colorScheme: 'dark', width: 1440 },
  { colorScheme: 'light', width: 390 },
  { colorScheme: 'dark', width: 390 },
] as const)('in $colorScheme at $width px nothing serious is found', ({ colorScheme, width }) => {
  test('in any of the dialogs, before and after they take an answer', async () => {
    await renewPage({ colorScheme, viewport: { width, height: 844 } });
    const warned = { ...link, warnings: ['look-alike'] };
    for (const [hook, request] of [
      ['onOpenLink', warned],
      ['onMessage', message],
      ['onDownload', download],
      ['onSampling', sampling],
    ] as const) {
      await ask(hook, request);
      expect(await readFaults(page)).toEqual([]);
      await armed();
      expect(await readFaults(page)).toEqual([]);
      await button('Cancel').click();
      await eventually(answer).toBe(false);
    }
  });
});

test('a page gives the dialogs its own accent by variables, and the rest of its look by parts', async () => {
  await page.evaluate(() => {
    document.body.style.setProperty('--casement-accent', 'rgb(120, 20, 60)');
    document.body.style.setProperty('--casement-on-accent', 'rgb(255, 240, 200)');
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('[data-casement-dialog]::part(cancel) { border-color: rgb(1, 2, 3) }');
    document.adoptedStyleSheets.push(sheet);
  });
  await ask('onOpenLink', link);
  const allow = button('Open').and(page.locator('[aria-disabled="false"]'));
  await page.mouse.move(10, 10);
  await page.mouse.move(200, 200);
  await allow.waitFor();
  const look = await page.evaluate(() => {
    const root = document.querySelector('[data-casement-dialog]')?.shadowRoot;
    const styleOf = (part: string) => {
      const element = root?.querySelector(`[part="${part}"]`);
      return element ? getComputedStyle(element) : undefined;
    };
    return {
      ground: styleOf('allow')?.backgroundColor,
      text: styleOf('allow')?.color,
      line: styleOf('cancel')?.borderTopColor,
      parts: [...(root?.querySelectorAll('[part]') ?? [])]
        .map((element) => element.getAttribute('part'))
        .sort(),
    };
  });
  expect(look).toEqual({
    ground: 'rgb(120, 20, 60)',
    text: 'rgb(255, 240, 200)',
    line: 'rgb(1, 2, 3)',
    parts: ['actions', 'allow', 'always', 'body', 'cancel', 'dialog', 'subject', 'title'],
  });
});
