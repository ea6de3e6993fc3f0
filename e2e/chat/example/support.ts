import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Frame, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { borrowPage, returnPage } from '../../support/borrowed-page.js';
import { closeContexts, openBrowser } from '../../support/browser.js';
import { waitUntil } from '../../support/eventually.js';
import type { ModelServer } from './model-server.js';
import { startModelServer } from './model-server.js';

const root = join(import.meta.dirname, '..', '..', '..');

/** The key the gateway is given; the page must never see it. */
export const modelKey = 'key-of-the-test-7f3a9c';

interface ExampleOptions {
  /** Which of the example chats. */
  readonly name?: 'chat-host' | 'plain-chat';
  /** Commands of MCP servers by name; the example's own server without any. */
  readonly servers?: Readonly<Record<string, readonly string[]>>;
  /** Where the model is; the scripted one without. */
  readonly modelUrl?: string;
}

/** The example while it runs. */
export interface RunningExample {
  /** The address it printed, token in the fragment. */
  readonly address: string;
  close(): Promise<void>;
}

/** npm may end before the gateway it started has closed: the example is over when its port takes no connection. */
const hasGone = async (printed: string): Promise<void> => {
  const port = /The chat is at http:\/\/[^/]*:(\d+)/.exec(printed)?.[1];
  if (port === undefined) return;
  const isHeard = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
  await waitUntil(isHeard, (heard) => !heard, { what: 'The end of the chat', timeout: 30_000 });
};

/** Starts the example as its README says and waits for the address it prints. */
export const startChatHost = async ({
  name = 'chat-host',
  servers,
  modelUrl,
}: ExampleOptions = {}): Promise<RunningExample> => {
  const folder = mkdtempSync(join(tmpdir(), 'casement-chat-host-'));
  const file = join(folder, 'mcp.json');
  const entries = Object.entries(servers ?? {}).map(([server, [command, ...args]]) => [
    server,
    { command, args },
  ]);
  writeFileSync(file, JSON.stringify({ mcpServers: Object.fromEntries(entries) }));
  // A group of its own, so that npm and what it started end together.
  const example = spawn(
    'npm',
    ['start', '--workspace', `examples/${name}`, ...(servers ? ['--', file] : [])],
    {
      cwd: root,
      env: {
        ...process.env,
        OPENAI_API_KEY: '',
        PORT: '0',
        ...(modelUrl === undefined ? {} : { MODEL_URL: modelUrl, MODEL: 'tiny', MODEL_KEY: modelKey }),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    },
  );
  let printed = '';
  example.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const close = async (): Promise<void> => {
    rmSync(folder, { recursive: true, force: true });
    const isOver = example.exitCode !== null || example.signalCode !== null;
    if (example.pid === undefined || isOver) return;
    process.kill(-example.pid);
    await once(example, 'exit');
    await hasGone(printed);
  };
  try {
    const what = 'The address of the chat';
    const isThere = (text: string): boolean => text.includes('The chat is at ');
    await waitUntil(() => printed, isThere, { what, timeout: 60_000 });
  } catch (error) {
    await close();
    throw error;
  }
  return { address: /The chat is at (http:\S+)/.exec(printed)?.[1] ?? '', close };
};

/** Starts a server of the example again, as an operator would. */
export const restartServer = async ({ address }: RunningExample, server: string): Promise<void> => {
  const { port, hash } = new URL(address);
  const { status } = await fetch(`http://127.0.0.1:${port}/api/servers/${server}/restart`, {
    method: 'POST',
    headers: { authorization: `Bearer ${hash.slice('#token='.length)}`, 'content-type': 'application/json' },
    body: '{}',
  });
  if (status !== 200) throw new Error(`The server ${server} could not be restarted: ${status}`);
};

/** The command of the fixture server with the guests of this folder. */
export const guestServer = (name: string, pidFile?: string): string[] => [
  process.execPath,
  join(root, 'e2e', 'fixtures', 'fixture-server.mjs'),
  '--name',
  name,
  '--guests',
  '../chat/example/guests',
  ...(pidFile === undefined ? [] : ['--pid-file', pidFile]),
];

/** A chat in a page of its own, as its user sees it. */
export interface ChatPage {
  readonly page: Page;
  /** What went wrong in the page without being shown. */
  readonly errors: readonly string[];
  send(text: string): Promise<void>;
  /** The calls in the thread. */
  readonly cards: Locator;
  /** What the conversation says went wrong. */
  readonly failure: Locator;
  readonly messages: Locator;
  button(name: string | RegExp): Locator;
  /** Answers a question about a call; again, if it was still moving and the press did not count. */
  answer(name: string): Promise<void>;
  /** The document of the n-th app that is mounted. */
  guest(index?: number): Promise<Frame>;
  close(): Promise<void>;
}

interface ViewOptions {
  readonly query?: string;
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: 'light' | 'dark';
}

const depth = (frame: Frame): number => {
  const parent = frame.parentFrame();
  return parent ? depth(parent) + 1 : 0;
};

/** Opens the chat: a conversation of its own in a context that nobody else has. */
export const openChat = async (
  browser: Browser,
  { address }: RunningExample,
  { query = '', viewport = { width: 1280, height: 800 }, colorScheme = 'light' }: ViewOptions = {},
): Promise<ChatPage> => {
  const page = await borrowPage(browser, { viewport, colorScheme });
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    // What an app says, requests that a test makes fail, and why an app cannot be shown are not the page's mistakes; a
    // refused policy is.
    const isOwn = message.location().url.startsWith(new URL(address).origin);
    const isExpected = /^(?:Failed to load resource|\[Casement\])/.test(message.text());
    if (message.type() === 'error' && isOwn && !isExpected) errors.push(message.text());
  });
  await page.goto(address.replace('#', `${query}#`));
  const composer = page.getByRole('textbox', { name: 'Message' });
  const button = (name: string | RegExp): Locator =>
    page.getByRole('button', { name, exact: typeof name === 'string' });
  await composer.waitFor();
  return {
    page,
    errors,
    async send(text) {
      await composer.fill(text);
      await composer.press('Enter');
    },
    cards: page.locator('.casement-tool'),
    failure: page.locator('.casement-failure'),
    messages: page.locator('li[data-role]'),
    button,
    async answer(name) {
      await button(name).waitFor();
      const press = async (): Promise<number> => {
        await button(name)
          .click({ timeout: 2000 })
          .catch(() => undefined);
        return button(name).count();
      };
      await waitUntil(press, (left) => left === 0, { what: `the answer ${name}` });
    },
    guest: async (index = 0) => {
      const find = (): Frame | undefined => page.frames().filter((frame) => depth(frame) === 2)[index];
      const what = `the frame of app ${index}`;
      const frame = await waitUntil(find, (found) => found !== undefined, { what });
      if (!frame) throw new Error('unreachable: an absent frame does not pass');
      return frame;
    },
    close: () => returnPage(page),
  };
};

/** How many tools the chat says the model is offered. */
export const countTools = async (chat: ChatPage): Promise<number> =>
  Number.parseInt((await chat.button(/^\d+ tools?$/).textContent()) ?? '0');

/** Opens the demo and waits until its first app has its final height, so that nothing moves under the pointer. */
export const openDemo = async (
  browser: Browser,
  example: RunningExample,
  view: Omit<ViewOptions, 'query'> = {},
): Promise<ChatPage> => {
  const chat = await openChat(browser, example, { ...view, query: '?demo' });
  const guest = await chat.guest();
  const frame = chat.page.locator('[data-mcp-app-id="counter-inline"] iframe');
  const fits = async (): Promise<boolean> => {
    const wanted = await guest.evaluate(() => document.documentElement.getBoundingClientRect().height);
    const { height = 0 } = (await frame.boundingBox()) ?? {};
    return Math.abs(wanted - height) < 2;
  };
  await waitUntil(fits, Boolean, { what: 'the height of the first app' });
  return chat;
};

/** The example with a model for the tests of a file; after each test its chat must have kept quiet about nothing. */
export const useChatHost = (servers: ExampleOptions['servers'] = { boards: guestServer('boards') }) => {
  // Filled before the first test runs; `chat` by the test itself.
  const host = {} as { browser: Browser; model: ModelServer; example: RunningExample; chat: ChatPage };
  beforeAll(async () => {
    [host.browser, host.model] = await Promise.all([openBrowser(), startModelServer()]);
    host.example = await startChatHost({ servers, modelUrl: host.model.url });
  });
  afterAll(async () => {
    await closeContexts();
    await host.example?.close();
    await host.model?.close();
  });
  afterEach(async () => {
    expect(host.chat.errors).toEqual([]);
    await host.chat.close();
  });
  return host;
};
