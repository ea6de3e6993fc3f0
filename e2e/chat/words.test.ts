import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { eventually, waitUntil } from '../support/eventually.js';
import type { ChatPlan } from './support.js';
import { appReaches, guestOf, settled, useChat } from './support.js';
import { toApp } from '../support/guest.js';

const chat = useChat();

/** Names and texts of servers, models and users are not the chat's words: here each of them has `zz` in it. */
const asking = toApp(`
  const appInfo = { name: 'zzguest', version: '1' };
  await bridge.request('ui/initialize', { appInfo, appCapabilities: {}, protocolVersion: '2026-01-26' });
  bridge.notify('ui/notifications/initialized', {});
  globalThis.send = (method, params) => void bridge.request(method, params);`);
const plan: ChatPlan = {
  otherLanguage: true,
  approve: 'ask',
  servers: [
    {
      name: 'zzsrv',
      tools: [
        { name: 'zzshow', html: asking, documentUi: { permissions: { camera: {} } } },
        { name: 'zzharm', annotations: { destructiveHint: true } },
        { name: 'zzfail', fails: 'zzbroken' },
      ],
      resources: { 'ui://zzsrv/own': asking },
    },
  ],
  props: { prompts: ['zzprompt'] },
};

/** What is said on the page: texts and names, in all open shadow roots. */
const readSaid = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const said: string[] = [];
    const walk = (node: Node): void => {
      if (node instanceof Text) said.push(node.data);
      if (node instanceof Element) {
        // A code is a name.
        if (node.matches('style, script, code')) return;
        for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description'])
          said.push(node.getAttribute(name) ?? '');
        if (node.shadowRoot) walk(node.shadowRoot);
      }
      node.childNodes.forEach(walk);
    };
    walk(document.body);
    return said.map((text) => text.trim()).filter(Boolean);
  });

/** What is left of a text without the words of the page and without names. */
const strip = (text: string): string => {
  const inner = text.replace(/‹[^‹›]*›/g, ' ');
  return inner === text ? text.replace(/\S*zz\S*/g, '') : strip(inner);
};
const expectTranslated = async (page: Page, ...shown: readonly string[]): Promise<void> => {
  const said = await waitUntil(
    () => readSaid(page),
    (texts) => shown.every((word) => texts.some((text) => text.includes(`‹${word}`))),
    { what: shown.join(', ') },
  );
  expect(said.filter((text) => /\p{L}/u.test(strip(text)))).toEqual([]);
};

const say = async (page: Page, text: string): Promise<void> => {
  await page.getByRole('textbox', { name: '‹message›' }).fill(text);
  await page.getByRole('button', { name: '‹send›', exact: true }).click();
};
const script = (...calls: readonly string[]): ChatPlan['script'] => [
  ...calls.map((tool) => ({ calls: [{ tool, arguments: { zzkey: 'zzvalue' } }] })),
  { text: 'zzanswer' },
];

test('thread, composer, cards, questions of the chat and heads of apps are in the words of the page', async () => {
  const page = await chat.open({ ...plan, script: script('zzshow', 'zzfail', 'zzharm') });
  await expectTranslated(page, 'emptyTitle', 'placeholder');
  await page.getByRole('button', { name: '‹tools 3›' }).click();
  await expectTranslated(page, 'toolsTitle');
  await page.keyboard.press('Escape');
  await say(page, 'zzdo');
  await expectTranslated(page, 'approvalTitle', 'failed', 'deny');
  await expect(appReaches(page, 'call_1')).resolves.toBe('ready');
  await expectTranslated(page, 'permissionTitle', 'from zzsrv');
  await page.locator('[data-mcp-app-id="call_1"]').getByRole('button', { name: '‹expandApp›' }).click();
  await expectTranslated(page, 'waitingNote', 'close');
});

test('what an app asks for is asked in the words of the page', async () => {
  const item = { response_type: 'mcp_app', mcp_app_id: 'zzapp', title: 'zztitle' } as const;
  const page = await chat.open({
    ...plan,
    items: ['zzapp', 'zzother'].map((id) => ({
      ...item,
      mcp_app_id: id,
      server: 'zzsrv',
      resource_uri: 'ui://zzsrv/own',
    })),
  });
  const content = [{ type: 'text', text: 'zz'.repeat(3_000) }];
  const questions: readonly (readonly [string, object, string])[] = [
    ['ui/open-link', { url: 'https://zz.zz/zz' }, 'linkTitle'],
    ['ui/message', { role: 'user', content }, 'messageTitle'],
    [
      'ui/download-file',
      {
        contents: [
          { type: 'resource', resource: { uri: 'file:///zz.txt', mimeType: 'text/zz', text: 'zz' } },
        ],
      },
      'downloadTitle',
    ],
    [
      'sampling/createMessage',
      { messages: [{ role: 'user', content: content[0] }], maxTokens: 10, systemPrompt: 'zz' },
      'samplingTitle',
    ],
    ['tools/call', { name: 'zzharm', arguments: { zzkey: 1 } }, 'toolTitle'],
  ];
  for (const [index, [method, params, title]] of questions.entries()) {
    // Three questions in ten seconds are all an app may ask.
    const guest = await guestOf(page, index < 3 ? 'zzapp' : 'zzother');
    await guest.evaluate(
      // The guest's own script put it there.
      ([name, given]) =>
        (globalThis as unknown as { send(name: string, given: object): void }).send(name, given),
      [method, params] as const,
    );
    await expectTranslated(page, title, 'cancel');
    await page.keyboard.press('Escape');
    await eventually(() => page.locator('dialog[open]').count()).toBe(0);
  }
});

test('what goes wrong with an app, an answer or a server is said in the words of the page', async () => {
  const item = { response_type: 'mcp_app', mcp_app_id: 'zzapp', title: 'zztitle' } as const;
  const page = await chat.open({
    ...plan,
    maxSteps: 1,
    approve: 'all',
    script: script('zzharm', 'zzharm'),
    items: [
      { ...item, server: 'zzsrv', resource_uri: 'ui://zzsrv/none' },
      { ...item, mcp_app_id: 'zzother', server: 'zzgone', resource_uri: 'ui://zzsrv/own' },
    ],
  });
  await expectTranslated(page, 'appFailed', 'resource-missing', 'serverGone');
  await say(page, 'zzdo');
  await settled(page);
  await expectTranslated(page, 'failureTitle', 'step-limit', 'retry');
  await page.evaluate(() => {
    const refuse = () => Promise.reject(new Error('no'));
    window.chat.conversation.setServers([
      {
        name: 'zzshop',
        identity: 'zzshop',
        listTools: () => Promise.reject(window.chat.toError('server-exited', 'The shop is closed.')),
        callTool: refuse,
        readResource: refuse,
        listResources: async () => [],
        subscribe: () => () => undefined,
      },
    ]);
  });
  await expectTranslated(page, 'problem zzshop', 'server-exited');
});
