import type { RunningGateway } from '@casement/gateway';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { closeContexts, openBrowser } from '../../support/browser.js';
import { eventually } from '../../support/eventually.js';
import type { PortKind } from './page.js';
import { startNotes } from './support.js';

let browser: Browser;
let gateway: RunningGateway;
let page: Page;
let problems: string[];

beforeAll(async () => {
  [browser, gateway] = await Promise.all([openBrowser(), startNotes()]);
});

beforeEach(async () => {
  page = await browser.newPage();
  problems = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  const port = Number(new URL(gateway.url).port);
  await page.goto(`http://casement.localhost:${port}/`);
});

afterEach(() => page.close());

afterAll(async () => {
  await closeContexts();
  await gateway?.close();
});

const show = (kind: PortKind): Promise<void> => {
  const base = `http://casement.localhost:${Number(new URL(gateway.url).port) + 1}`;
  return page.evaluate(([how, place]) => globalThis.show(how, place), [
    kind,
    { token: gateway.token, base },
  ] as const);
};

const readReport = async (): Promise<unknown> => {
  for (const frame of page.frames()) {
    const text = await frame
      .locator('#report[data-done]')
      .textContent({ timeout: 100 })
      .catch(() => null);
    if (text) return { shown: await frame.locator('#shown').textContent(), ...JSON.parse(text) };
  }
  return undefined;
};

const kinds: PortKind[] = ['handlers', 'client 2.x', 'client 1.x', 'gateway'];

describe.each(kinds)('an app over the port of %s', (kind) => {
  test('shows its result and uses its server', async () => {
    await show(kind);
    await eventually(readReport, 40_000).toMatchObject({
      shown: 'First note',
      tools: ['show_note', 'rename', 'sign_in'],
      resources: { resources: [{ uri: 'note://one', name: 'one' }] },
      templates: { resourceTemplates: [{ uriTemplate: 'note://{id}' }] },
      prompts: { prompts: [{ name: 'summarise' }] },
      read: { contents: [{ uri: 'note://one', mimeType: 'text/plain' }] },
      subscribed: {},
      renamed: { structuredContent: { title: 'Second title' } },
      progress: [
        { progressToken: 'mine', progress: 1, total: 2 },
        { progressToken: 'mine', progress: 2, total: 2 },
      ],
      updated: [{ uri: 'note://one' }],
      toolsChanged: 1,
      unsubscribed: {},
      again: { contents: [{ text: 'Second title' }] },
      signIn: {
        error: {
          code: -32042,
          message: 'Open the page to sign in',
          data: { elicitations: [{ url: 'https://example.com/in' }] },
        },
      },
      hidden: { error: { code: -32000, data: { code: 'tool-not-visible' } } },
    });
    const identity = await page.evaluate(() => globalThis.shown.port.identity);
    expect(identity).toMatch(/^[\w-]{43}$/);
    expect(await page.evaluate(() => globalThis.shown.watched())).toBe(0);
    await page.evaluate(() => globalThis.shown.app.close());
    expect(problems).toEqual([]);
  });
});
