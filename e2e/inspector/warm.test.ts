import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { shownFrame } from '../support/stage.js';
import { installClock } from '../support/tab.js';
import { browser, casement, useCasement } from '../support/use-casement.js';
import { openInspector, type InspectorPage } from './support.js';

let folder = '';
let locked: Server | undefined;

/** A server over HTTP that wants a sign-in for every read. */
const startLocked = async (): Promise<string> => {
  const tool = {
    name: 'show',
    inputSchema: { type: 'object' },
    _meta: { ui: { resourceUri: 'ui://locked/app' } },
  };
  const results: Record<string, unknown> = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {}, resources: {} },
      serverInfo: { name: 'locked', version: '1.0.0' },
    },
    ping: {},
    'tools/list': { tools: [tool] },
    'resources/list': { resources: [] },
    'tools/call': { content: [] },
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method } = JSON.parse(Buffer.concat(chunks).toString());
    if (id === undefined) return void response.writeHead(202).end();
    if (method === 'resources/read')
      return void response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
    const result = results[method];
    const body = result ? { result } : { error: { code: -32601, message: 'No method' } };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
  });
  locked = server;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A TCP server always reports an AddressInfo.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
};

const behave = (how: Record<string, unknown> = {}): void => {
  // Whole at any moment somebody reads it.
  writeFileSync(join(folder, 'next.json'), JSON.stringify(how));
  renameSync(join(folder, 'next.json'), join(folder, 'now.json'));
};
const forgetAsked = (): void => writeFileSync(join(folder, 'asked.txt'), '');
/** How often the server was asked for each thing since then. */
const readAsked = (): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const method of readFileSync(join(folder, 'asked.txt'), 'utf8').trim().split('\n'))
    if (method !== '') counts[method] = (counts[method] ?? 0) + 1;
  return counts;
};

useCasement(async (path) => {
  folder = join(path, 'changing');
  mkdirSync(folder);
  behave();
  forgetAsked();
  const script = join(import.meta.dirname, '..', 'fixtures', 'changing-server.mjs');
  return { changing: [process.execPath, script, folder], locked: { url: await startLocked() } };
});
afterAll(() => locked?.close());

const stepsOf = async ({ stage }: InspectorPage): Promise<string[]> =>
  (await stage.recording()).flatMap(({ raw }) => {
    const { type, step, reason, tool } = Object(raw);
    return type === 'warm' ? [[step, tool, reason].filter(Boolean).join(' ')] : [];
  });
const titleOf = async ({ stage }: InspectorPage): Promise<string> => (await stage.app()).title();

/** The inspector with a tool chosen, before anything was run. */
const open = async (how: Record<string, unknown> = {}, tool = 'show', server = 'changing') => {
  behave(how);
  const inspector = await openInspector(browser, casement.url, { server, tool });
  onTestFinished(() => inspector.close());
  return inspector;
};
const openWarm = async (how: Record<string, unknown> = {}): Promise<InspectorPage> => {
  const inspector = await open(how);
  await eventually(() => stepsOf(inspector)).toEqual(['prepared show']);
  return inspector;
};
const run = async (inspector: InspectorPage): Promise<void> => {
  await inspector.button('Run').click();
  await inspector.stage.reaches('ready');
};
/** What a person sees of the stage before a run. */
const isQuiet = async ({ page, stage, failure }: InspectorPage): Promise<void> => {
  expect(await stage.status()).toBe('idle');
  expect(await failure.count()).toBe(0);
  expect(await page.locator('dialog[open]').count()).toBe(0);
  expect(await page.getByText('Choose a tool and run it').isVisible()).toBe(true);
};

describe('a chosen tool', () => {
  test('has its frames ready, and running it costs the server one more read', async () => {
    // What the first load asks for is over before it is counted.
    const inspector = await openWarm();
    forgetAsked();
    await inspector.page.reload();
    await eventually(() => stepsOf(inspector)).toEqual(['prepared show']);
    await isQuiet(inspector);
    expect(await inspector.page.locator('#stage iframe').count()).toBe(1);
    expect(await inspector.page.locator(shownFrame).count()).toBe(0);
    expect(readAsked()).toEqual({ 'tools/list': 1, 'resources/read': 1, 'resources/list': 1 });
    await run(inspector);
    expect(await titleOf(inspector)).toBe('first');
    expect(await stepsOf(inspector)).toEqual(['prepared show', 'used show']);
    expect(readAsked()).toEqual({
      'tools/list': 1,
      'resources/read': 2,
      'resources/list': 1,
      'tools/call': 1,
    });
  });

  test('is run again in frames that were made ready meanwhile, without another read for them', async () => {
    const inspector = await openWarm();
    await run(inspector);
    await eventually(() => stepsOf(inspector)).toEqual(['prepared show', 'used show', 'prepared show']);
    expect(await inspector.page.locator('#stage iframe').count()).toBe(2);
    forgetAsked();
    await inspector.stage.run();
    await inspector.stage.reaches('ready');
    expect((await stepsOf(inspector)).slice(3)).toEqual(['used show']);
    expect(readAsked()).toEqual({ 'resources/read': 1, 'tools/call': 1 });
    // What is closed takes the frames beside it along.
    await eventually(async () => (await stepsOf(inspector)).length).toBe(5);
    await inspector.stage.closeApp();
    await inspector.stage.reaches('closed');
    expect((await stepsOf(inspector)).at(-1)).toBe('dropped show app-ended');
    expect(await inspector.page.locator('#stage iframe').count()).toBe(0);
  });

  test('has nothing loaded beside its app while somebody works in it', async () => {
    const inspector = await openWarm();
    await installClock(inspector.page);
    await run(inspector);
    await (await inspector.stage.app()).locator('h1').click();
    await inspector.page.clock.runFor(10_000);
    expect(await stepsOf(inspector)).toEqual(['prepared show', 'used show']);
    await inspector.page.locator(shownFrame).evaluate((frame: HTMLElement) => frame.blur());
    await inspector.page.clock.runFor(1_600);
    await eventually(() => stepsOf(inspector)).toEqual(['prepared show', 'used show', 'prepared show']);
  });

  test('that changes while somebody goes through ten of them has one pair of frames at a time', async () => {
    const inspector = await openWarm();
    await inspector.page.evaluate(() => {
      const count = (): void => {
        const { dataset } = document.documentElement;
        const now = document.querySelectorAll('#stage iframe').length;
        dataset.mostFrames = String(Math.max(Number(dataset.mostFrames ?? 0), now));
      };
      new MutationObserver(count).observe(document.body, { childList: true, subtree: true });
    });
    for (let index = 0; index < 9; index += 1) await inspector.choose('changing', `other_${index}`);
    await eventually(async () => (await stepsOf(inspector)).at(-1)).toBe('prepared other_8');
    expect(await inspector.page.locator('html').getAttribute('data-most-frames')).toBe('1');
    await run(inspector);
    expect((await inspector.stage.snapshot())?.resource?.uri).toBe('ui://changing/other_8');
  });

  test('loses its frames with the settings that decide about them', async () => {
    const inspector = await openWarm();
    await inspector.toolbar
      .getByRole('combobox', { name: 'Storage', exact: true })
      .selectOption('persistent');
    await eventually(() => stepsOf(inspector)).toEqual(['prepared show', 'dropped show settings']);
    await run(inspector);
    expect(await inspector.page.locator(shownFrame).getAttribute('credentialless')).toBeNull();
  });
});

describe('between the choice and the run', () => {
  test('other HTML has frames of its own, and what was read before is not shown', async () => {
    const inspector = await openWarm();
    behave({ html: 'second' });
    await run(inspector);
    expect(await titleOf(inspector)).toBe('second');
    expect(await stepsOf(inspector)).toEqual(['prepared show', 'dropped show html-changed']);
    await inspector.tab('Timeline').click();
    await inspector.panel.getByRole('searchbox').fill('other HTML');
    await eventually(() => inspector.entries.innerText()).toContain(
      'No frames wait for show any more: the server has other HTML than before.',
    );
  });

  test('two quick presses show one app, and both calls reach the server', async () => {
    const inspector = await openWarm();
    forgetAsked();
    await inspector.button('Run').dblclick();
    await eventually(() => readAsked()['tools/call']).toBe(2);
    await inspector.stage.reaches('ready');
    expect(await titleOf(inspector)).toBe('first');
    await eventually(() => inspector.page.locator(shownFrame).count()).toBe(1);
  });

  test('another policy has frames of its own', async () => {
    const inspector = await openWarm();
    behave({ html: 'second', ui: { csp: { connectDomains: ['https://api.example.com'] } } });
    await run(inspector);
    expect(await titleOf(inspector)).toBe('second');
    expect((await inspector.stage.snapshot())?.policy?.effective.connect).toEqual([
      'https://api.example.com',
    ]);
    expect(await stepsOf(inspector)).toEqual(['prepared show', 'dropped show policy-changed']);
    await inspector.tab('Timeline').click();
    await inspector.panel.getByRole('searchbox').fill('another policy');
    await eventually(() => inspector.entries.innerText()).toContain(
      'No frames wait for show any more: the run asked for another policy.',
    );
  });

  test('a tool that is renamed takes its frames along, and the new one has its own', async () => {
    const inspector = await openWarm();
    behave({ tool: 'show_again', html: 'renamed' });
    await eventually(async () => (await stepsOf(inspector)).slice(0, 2)).toEqual([
      'prepared show',
      'dropped show server-changed',
    ]);
    await inspector.choose('changing', 'show_again');
    await run(inspector);
    expect(await titleOf(inspector)).toBe('renamed');
    expect((await inspector.stage.snapshot())?.resource?.uri).toBe('ui://changing/show_again');
    // The next page must not hear of the change back.
    behave();
    await inspector.tools.getByText('show', { exact: true }).waitFor();
  });

  test('a read that hangs is given up without a word, and the run reads for itself', async () => {
    const inspector = await open({ read: 'hangs' });
    await eventually(() => stepsOf(inspector)).toEqual(['dropped show read-slow']);
    await isQuiet(inspector);
    behave({ html: 'second' });
    await run(inspector);
    expect(await titleOf(inspector)).toBe('second');
  });

  test('a read that demands a sign-in is no question and no error before the run', async () => {
    const inspector = await open({ read: '-32042' });
    await eventually(() => stepsOf(inspector)).toEqual(['dropped show read-failed']);
    await isQuiet(inspector);
    await inspector.button('Run').click();
    await eventually(() => inspector.stage.status()).toBe('failed');
    expect(await inspector.failure.innerText()).toContain('Sign in first.');
  });

  test('neither is one that is answered with 401', async () => {
    const inspector = await open({}, 'show', 'locked');
    await eventually(() => stepsOf(inspector)).toEqual(['dropped show read-failed']);
    await isQuiet(inspector);
    await inspector.button('Run').click();
    await eventually(() => inspector.stage.failure()).toBe('server-sign-in');
  });

  // The last one: the server is gone afterwards.
  test('a server that dies leaves no frames, and its app is not shown', async () => {
    const inspector = await openWarm();
    behave({ read: 'dies' });
    await inspector.button('Run').click();
    await eventually(() => inspector.stage.status()).toBe('failed');
    expect(await inspector.stage.failure()).toBe('server-lost');
    expect(await stepsOf(inspector)).toEqual(['prepared show', 'dropped show run-failed']);
    await eventually(() => inspector.page.locator('#stage iframe').count()).toBe(0);
  });
});
