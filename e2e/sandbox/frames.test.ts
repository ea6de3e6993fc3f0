import type { Frame } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import { verifies } from '../../test/verifies.js';
import { eventually } from '../support/eventually.js';
import { toMessages } from '../support/recorded.js';
import { fixtureServer } from '../support/server-commands.js';
import { openStage, type Stage } from '../support/stage.js';
import { browser, casement, useCasement } from '../support/use-casement.js';

let stage: Stage;

const show = async (tool: string): Promise<Stage> => {
  const [{ name: server = '' } = {}] = casement.servers;
  const shown = await openStage(browser, casement.url, { server, tool, args: {}, run: true });
  await shown.reaches('ready');
  return shown;
};

useCasement(['--', ...fixtureServer()]);

beforeAll(async () => {
  stage = await show('bordered');
});

const originOf = (frame: Frame) => frame.evaluate(() => self.origin);

const proxyOf = (app: Frame): Frame => {
  const proxy = app.parentFrame();
  if (!proxy) throw new Error('the app has no parent frame');
  return proxy;
};

const attributeOf = async (frame: Frame, name: string): Promise<string> =>
  (await (await frame.frameElement()).getAttribute(name)) ?? '';

verifies(
  ['HOST-024', 'HOST-025', 'SANDBOX-001', 'S1-05', 'S1-74', 'S2-01'],
  'page, proxy and app are three frames on three origins',
  async () => {
    const app = await stage.app();
    const proxy = proxyOf(app);
    expect(proxy.parentFrame()).toBe(stage.page.mainFrame());
    const origins = await Promise.all([stage.page.mainFrame(), proxy, app].map(originOf));
    expect(new Set(origins).size).toBe(3);
    expect(origins[1]).toBe(casement.sandboxOrigin);
  },
);

verifies(
  ['HOST-026', 'HOST-033', 'SANDBOX-002', 'SANDBOX-015', 'S4-15'],
  'both frames are sandboxed, without popups, navigation of the top, dialogs or downloads',
  async () => {
    const app = await stage.app();
    for (const frame of [proxyOf(app), app]) {
      const tokens = (await attributeOf(frame, 'sandbox')).split(' ');
      expect(tokens.sort()).toEqual(['allow-forms', 'allow-same-origin', 'allow-scripts']);
    }
    expect(await app.evaluate(() => window.open('https://example.com/') === null)).toBe(true);
    const navigated = await app.evaluate(() => {
      try {
        if (window.top) window.top.location.href = 'https://example.com/';
        return 'allowed';
      } catch (error) {
        return error instanceof DOMException ? error.name : 'other';
      }
    });
    expect(navigated).toBe('SecurityError');
    expect(stage.context.pages()).toHaveLength(1);
  },
);

verifies(
  ['HOST-027', 'HOST-028', 'S1-80', 'S1-85', 'S1-91'],
  'the proxy is handed the HTML as the server gave it',
  async () => {
    const messages = toMessages(await stage.recording());
    const handed = messages.filter(({ method }) => method === 'ui/notifications/sandbox-resource-ready');
    expect(handed).toHaveLength(1);
    expect(handed[0]).toMatchObject({ leg: 'app', dir: 'out' });
    const html = String(handed[0]?.params?.html);
    expect(html).toContain('<title>Guest that wants a border</title>');
    const read = messages.find(
      ({ leg, dir, result }) => leg === 'server' && dir === 'in' && hasContents(result),
    );
    expect(read?.result).toMatchObject({ contents: [{ text: html }] });
    const ready = messages.findIndex(({ method }) => method === 'ui/notifications/sandbox-proxy-ready');
    expect(ready).toBeGreaterThanOrEqual(0);
    expect(ready).toBeLessThan(messages.findIndex(({ method }) => method === handed[0]?.method));
  },
);

const hasContents = (result: unknown): boolean =>
  typeof result === 'object' && result !== null && 'contents' in result;

verifies('HOST-014', 'a wanted border is drawn and an unwanted one is not', async () => {
  const borderOf = async (shown: Stage): Promise<number> =>
    shown.page.locator('#stage iframe').evaluate((frame) => {
      const boxes = [frame, frame.parentElement].filter((box) => box !== null);
      return Math.max(...boxes.map((box) => parseFloat(getComputedStyle(box).borderTopWidth)));
    });
  expect(await borderOf(stage)).toBeGreaterThan(0);
  const plain = await show('borderless');
  expect(await borderOf(plain)).toBe(0);
  await plain.close();
});

verifies(
  ['HOST-055', 'HOST-083'],
  'the app is offered themed colours, and no sampling that would not work',
  async () => {
    const answer = toMessages(await stage.recording()).find(
      ({ leg, dir, result }) =>
        leg === 'app' && dir === 'out' && JSON.stringify(result ?? {}).includes('hostContext'),
    );
    expect(JSON.stringify(answer?.result)).toMatch(/"--color-text-primary":"light-dark\(/);
    expect(answer?.result).toMatchObject({ hostCapabilities: { serverTools: {}, logging: {} } });
    expect(answer?.result).not.toMatchObject({ hostCapabilities: { sampling: {} } });
  },
);

verifies('S1-104', 'an MCP App finds no window.openai', async () => {
  expect(await (await stage.app()).evaluate(() => 'openai' in window)).toBe(false);
});

verifies(
  ['S1-72', 'S1-122', 'S2-42', 'S3-78', 'S4-12'],
  'the domains an app declares are in force, and what was dropped is said',
  async () => {
    const { policy } = (await stage.snapshot()) ?? {};
    expect(policy?.csp).toContain('connect-src');
    expect(policy?.csp).toContain('https://api.example.com');
    expect(policy?.csp).not.toContain('evil');
    expect(policy?.dropped.map(({ value }) => value)).toContain(
      "https://evil.example; script-src 'unsafe-eval'",
    );
    const facts = stage.page.locator('#state');
    expect(await facts.textContent()).toContain('evil.example');
    expect(await facts.textContent()).toContain((await stage.snapshot())?.resource?.uri);
    // The browser holds the app to it: what was not declared is stopped by the policy and told.
    const app = await stage.app();
    expect(await attributeOf(app, 'sandbox')).toContain('allow-scripts');
    await app.evaluate(() => fetch('https://undeclared.example/').catch(() => undefined));
    const violations = async () => JSON.stringify((await stage.snapshot())?.violations);
    await eventually(violations).toContain('https://undeclared.example/');
  },
);
