import type { IncomingHttpHeaders } from 'node:http';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeContexts, openBrowser } from '../support/browser.js';
import { startCasement, type RunningCasement } from '../support/casement.js';
import { createTempFolder } from '../support/config-file.js';
import { eventually } from '../support/eventually.js';
import { startLazyAuth } from '../support/lazy-auth.js';
import { publishedServers } from '../support/server-commands.js';
import { openInspector, readOptions, type InspectorPage } from './support.js';

const folder = createTempFolder();
const configHome = join(folder.path, 'config');
const watched = join(folder.path, 'watched.json');
const started = join(folder.path, 'started.txt');

/** A program that leaves a trace and goes on as the published server. */
const tracing = join(folder.path, 'tracing.mjs');
const [node = '', reactScript = ''] = publishedServers.basicReact;

let browser: Browser;
let casement: RunningCasement;
let inspector: InspectorPage;
let page: Page;

beforeAll(async () => {
  mkdirSync(configHome);
  writeFileSync(
    tracing,
    `import { appendFileSync } from 'node:fs';
     appendFileSync(${JSON.stringify(started)}, process.argv.slice(2).join(' ') + '\\n');
     process.argv.push('--stdio');
     await import(${JSON.stringify(reactScript)});`,
  );
  writeWatched(['first']);
  const env = { XDG_CONFIG_HOME: configHome, XDG_STATE_HOME: join(folder.path, 'state') };
  [browser, casement] = await Promise.all([
    openBrowser(),
    startCasement(['--config', watched], { env, cwd: folder.path }),
  ]);
  inspector = await openInspector(browser, casement.url);
  page = inspector.page;
});
afterAll(async () => {
  await closeContexts();
  await casement?.stop();
  folder.remove();
});

const writeWatched = (args: readonly string[]): void =>
  writeFileSync(
    watched,
    JSON.stringify({ mcpServers: { watched: { command: node, args: [tracing, ...args] } } }),
  );
const listStarts = (): string[] => {
  try {
    return readFileSync(started, 'utf8').trim().split('\n');
  } catch {
    return [];
  }
};

const toWords = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
const listed = async () => (await readOptions(inspector.servers)).map(toWords);
const dialog = (name: string | RegExp): Locator => page.getByRole('dialog', { name });
const question = () => dialog(/^(?:Run this command|Connect to this address)\?$/);
const fact = (name: RegExp): Locator =>
  question()
    .locator('.facts > div')
    .filter({ has: page.locator('dt', { hasText: name }) })
    .locator('dd');

const argumentTexts = () =>
  fact(/^Arguments/)
    .getByRole('listitem')
    .allInnerTexts();

/** Says yes as a person does, once the question takes it. */
const agree = async (): Promise<void> => {
  const yes = question().locator('button.primary[aria-disabled="false"]');
  await yes.waitFor();
  await yes.press('Enter');
};
const cancel = async (): Promise<void> => {
  await page.keyboard.press('Escape');
  await eventually(() => page.getByRole('dialog').count()).toBe(0);
};
const openAdd = async (way: 'Command' | 'Address' | 'mcp.json'): Promise<void> => {
  await inspector.button('Add a server').click();
  await dialog('Add a server').getByRole('button', { name: way }).click();
};
const paste = async (text: string): Promise<void> => {
  await openAdd('mcp.json');
  await dialog('Add a server').getByRole('textbox', { name: 'Text of an mcp.json' }).fill(text);
};
const goOn = () =>
  dialog('Add a server')
    .getByRole('button', { name: /^Continue/ })
    .click();

/** What the gateway itself knows of configured servers. */
const readEntries = async (): Promise<string> => {
  const headers = { authorization: `Bearer ${casement.token}` };
  return (await fetch(`http://localhost:${casement.port}/api/entries`, { headers })).text();
};

/** A way to the lazy-auth server that notes what is sent along it. */
const startNoting = async (
  target: string,
): Promise<{ url: string; sent: IncomingHttpHeaders[]; stop(): void }> => {
  const sent: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    sent.push(request.headers);
    const { method, headers } = request;
    const onward = forward(target, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // It listens on a port, not on a pipe.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/mcp`, sent, stop: () => void server.close().closeAllConnections() };
};

const storedTexts = () =>
  page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href]));

describe('servers in the page', () => {
  test('the first own one is pasted, seen, agreed to, and its app is on the stage', async () => {
    const config = { mcpServers: { mine: { command: node, args: [reactScript, '--stdio'] } } };
    await paste(JSON.stringify(config, null, 2));
    await dialog('Add a server').getByRole('checkbox', { name: 'mine' }).waitFor();
    await goOn();
    await eventually(() => fact(/^Program/).innerText()).toBe(node);
    expect(await argumentTexts()).toEqual([reactScript, '--stdio']);
    expect(await listed()).toContain('mine waits for you');
    await agree();
    await eventually(listed).toContain('mine 1 tool');
    await inspector.runApp();
    expect(await (await inspector.stage.app()).getByRole('button', { name: 'Get Server Time' }).count()).toBe(
      1,
    );
  });

  test('C18 a config file is started after a yes, and not again when it has changed', async () => {
    expect(listStarts()).toEqual([]);
    expect(await listed()).toContain('watched waits for you');
    await inspector.choose('watched');
    await inspector.button('Look and decide').click();
    await eventually(argumentTexts).toEqual([tracing, 'first']);
    expect(await question().innerText()).toContain(watched);
    await agree();
    await eventually(listed).toContain('watched 1 tool');
    expect(listStarts()).toEqual(['first']);

    writeWatched(['second', '--evil']);
    await eventually(listed).toContain('watched waits for you');
    await page.getByText('It has changed since you agreed to it, so it was not started.').waitFor();
    await page.reload();
    await page.getByText('It has changed since you agreed to it, so it was not started.').waitFor();
    await inspector.button('Look and decide').click();
    await eventually(argumentTexts).toEqual([tracing, 'second', '--evil']);
    // It changes once more while it is looked at.
    writeWatched(['third']);
    await question()
      .getByText('It changed while you looked: argument 2 is another, argument 3 is gone.')
      .waitFor();
    expect(await argumentTexts()).toEqual([tracing, 'third']);
    // And once more, when the page does not hear of it: its yes is to what it showed.
    let unheard = 0;
    await page.route('**/api/entries', (route) => {
      unheard += 1;
      return route.abort();
    });
    writeWatched(['fourth']);
    await eventually(readEntries).toContain('fourth');
    await eventually(() => unheard).toBeGreaterThan(0);
    await page.unroute('**/api/entries');
    await agree();
    await question().getByText('It changed while you looked: argument 2 is another.').waitFor();
    expect(await argumentTexts()).toEqual([tracing, 'fourth']);
    expect(listStarts()).toEqual(['first']);
    await agree();
    await eventually(listed).toContain('watched 1 tool');
    expect(listStarts()).toEqual(['first', 'fourth']);
  });

  test('a broken config says line and column, leads there, and the rest can be added', async () => {
    await paste('{\n  "mcpServers": {\n    "a": { "command": "node" },\n    oops\n  }\n}');
    const problems = dialog('Add a server').getByRole('list', { name: 'Problems of the text' });
    await problems.getByRole('button', { name: /^Line 4, column 5/ }).click();
    const area = dialog('Add a server').getByRole('textbox', { name: 'Text of an mcp.json' });
    expect(await area.evaluate((box: HTMLTextAreaElement) => box.value.slice(box.selectionStart))).toMatch(
      /^oops/,
    );
    await area.fill(
      JSON.stringify({ servers: { one: { command: 'a' }, two: { url: 'https://x.example/' } } }),
    );
    await dialog('Add a server').getByRole('checkbox', { name: 'one' }).uncheck();
    await goOn();
    await eventually(() => fact(/^Address/).innerText()).toBe('https://x.example/');
    await cancel();
    expect(await listed()).toContain('two waits for you');
    expect((await listed()).join()).not.toContain('one');
  });

  test('a file can be dropped anywhere', async () => {
    await page.evaluate(() => {
      const data = new DataTransfer();
      const text = '{"mcpServers":{"dropped":{"command":"node"}}}';
      data.items.add(new File([text], 'mcp.json', { type: 'application/json' }));
      document
        .querySelector('#stage')
        ?.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }));
    });
    await dialog('Add a server').getByRole('checkbox', { name: 'dropped' }).waitFor();
    await cancel();
  });

  test('an address is asked about before anything is sent there, and gets its headers afterwards', async () => {
    const remote = await startLazyAuth();
    const noting = await startNoting(remote.url);
    await openAdd('Address');
    const form = dialog('Add a server');
    await form.getByRole('textbox', { name: 'Address' }).fill(noting.url);
    await form.getByLabel(/^Bearer token/).fill('bearer-of-the-test');
    await form.getByRole('button', { name: 'Add a header' }).click();
    await form.getByRole('textbox', { name: 'Name of header 1' }).fill('User-Agent');
    await form.getByLabel('Value of header User-Agent', { exact: true }).fill('red');
    await form.getByRole('textbox', { name: /^Name \(/ }).fill('remote');
    await goOn();
    await eventually(() => fact(/^Headers/).innerText()).toContain('User-Agent');
    expect(
      await fact(/^Address/)
        .locator('strong')
        .innerText(),
    ).toBe(new URL(noting.url).host);
    expect(await fact(/^Headers/).innerText()).toContain('a secret: stored apart, not shown');
    expect(noting.sent).toEqual([]);
    await agree();
    await eventually(listed).toEqual(expect.arrayContaining([expect.stringMatching(/^remote \d+ tools?$/)]));
    expect(noting.sent[0]).toMatchObject({ authorization: 'Bearer bearer-of-the-test', 'user-agent': 'red' });
    noting.stop();
    await remote.stop();
  });

  test('an edit asks again; a stored secret stays and is never shown', async () => {
    await inspector.choose('remote');
    await inspector.button('Edit server').click();
    const form = dialog(/^Edit remote/);
    const stored = form.getByLabel('Value of header Authorization', { exact: true });
    expect(await stored.getAttribute('placeholder')).toContain('stored');
    expect(await stored.inputValue()).toBe('');
    await form.getByLabel('Value of header User-Agent', { exact: true }).fill('blue');
    await form.getByRole('button', { name: 'Save' }).click();
    await eventually(() => fact(/^Headers/).innerText()).toContain('blue');
    expect(await fact(/^Headers/).innerText()).toContain('a secret: stored apart, not shown');
    await cancel();
    expect(await listed()).toContain('remote waits for you');
    expect(await page.content()).not.toContain('bearer-of-the-test');
    expect(await storedTexts()).not.toContain('bearer-of-the-test');
    expect(JSON.stringify(await inspector.stage.recording())).not.toContain('bearer-of-the-test');
  });

  test('what a server needs to know is asked for, and nothing of it stays in the page', async () => {
    const inputs = [{ id: 'key', type: 'promptString', description: 'The key', password: true }];
    const env = { KEY: '${input:key}', NODE_OPTIONS: '--no-warnings' };
    await paste(
      JSON.stringify({ inputs, servers: { asking: { command: node, args: [tracing, 'asked'], env } } }),
    );
    await dialog('Add a server').getByRole('checkbox', { name: 'asking' }).waitFor();
    await goOn();
    await eventually(() => fact(/^Variables/).innerText()).toContain('Uses your answer to key');
    expect(
      await fact(/^Variables/)
        .locator('[data-marked]')
        .innerText(),
    ).toContain('NODE_OPTIONS');
    const field = question().getByLabel('The key (key)');
    expect(await field.getAttribute('type')).toBe('password');
    expect(await question().locator('button.primary').getAttribute('aria-disabled')).toBe('true');
    await field.fill('answer-of-the-test');
    await agree();
    await eventually(listed).toContain('asking 1 tool');
    expect(await page.content()).not.toContain('answer-of-the-test');
    expect(await storedTexts()).not.toContain('answer-of-the-test');
  });

  test('C17 E09 nothing in an entry hides what is run', async () => {
    const args = ['a\u202eb', '<img src=x onerror=alert(1)>', '--safe      ', `${'x'.repeat(9_990)} --evil`];
    const env = { NOTE: 'one\ntwo\u200b', PATH: '/evil/bin' };
    await paste(JSON.stringify({ mcpServers: { decoy: { command: 'node', args, env } } }));
    await dialog('Add a server').getByRole('checkbox', { name: 'decoy' }).waitFor();
    await goOn();
    await eventually(() =>
      fact(/^Arguments/)
        .locator('.exact')
        .first()
        .textContent(),
    ).toBe('a\\u{202e}b');
    const shown = fact(/^Arguments/).locator('.exact');
    expect(await shown.nth(1).textContent()).toBe(args[1]);
    expect(await shown.nth(2).textContent()).toBe(args[2]);
    expect(
      await fact(/^Variables/)
        .locator('.exact')
        .allTextContents(),
    ).toEqual(['NOTE', 'one\\u{a}two\\u{200b}', 'PATH', '/evil/bin']);
    // The buttons stay in sight, and the yes waits until all of it was seen.
    const yes = question().locator('button.primary');
    expect(await yes.boundingBox()).toMatchObject({ y: expect.closeTo(700, -3) });
    await question().locator('button[aria-disabled="false"]', { hasText: 'Cancel' }).waitFor();
    await question().getByText('There is more to see').waitFor();
    await question()
      .getByRole('button', { name: /^Show all .* characters of argument 4$/ })
      .click();
    expect(await shown.nth(3).textContent()).toBe(args[3]);
    expect(await yes.getAttribute('aria-disabled')).toBe('true');
    await question().getByRole('group', { name: 'What would run or be sent' }).press('End');
    await question().locator('button.primary[aria-disabled="false"]').waitFor();
    await cancel();
  });

  test('E10 a question takes no answer in its first moments, and Cancel has the focus', async () => {
    await inspector.choose('two');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    // Somebody presses all the time, from the first moment on.
    const waited = page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let shown: number | undefined;
          const press = (): void => {
            const yes = document.querySelector<HTMLElement>('dialog .primary');
            if (yes) shown ??= performance.now();
            if (shown !== undefined && yes?.getAttribute('aria-disabled') === 'false')
              return resolve(performance.now() - shown);
            yes?.click();
            requestAnimationFrame(press);
          };
          press();
        }),
    );
    await inspector.button('Look and decide').click();
    expect(await waited).toBeGreaterThan(450);
    expect(asked.filter((url) => url.endsWith('/confirm'))).toEqual([]);
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    expect(await focused()).toBe('Cancel');
    await cancel();
    expect(await focused()).toBe('Look and decide');
  });

  test('everything works by keyboard alone', async () => {
    await inspector.button('Add a server').focus();
    await page.keyboard.press('Enter');
    const line = dialog('Add a server').getByRole('textbox', { name: 'Command' });
    await line.waitFor();
    await page.keyboard.type(`"${node}" "${tracing}" typed`);
    await page.keyboard.press('Enter');
    await eventually(argumentTexts).toEqual([tracing, 'typed']);
    await question().locator('button.primary[aria-disabled="false"]').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await eventually(listStarts).toContain('typed');
    await eventually(() => page.getByRole('dialog').count()).toBe(0);
    await eventually(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Add a server');
    // The list: choose the last, move it up.
    const names = async () => (await listed()).map((text) => text.split(' ')[0]);
    const before = await names();
    await inspector.servers.focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Alt+ArrowUp');
    const moved = [...before.slice(0, -2), before.at(-1), before.at(-2)];
    await eventually(names).toEqual(moved);
    await page.reload();
    await eventually(names).toEqual(moved);
  });

  test('servers are turned off and on, and removed after a question', async () => {
    await inspector.choose('mine');
    await inspector.button('Turn off server').click();
    await eventually(listed).toContain('mine off');
    await inspector.button('Turn on server').click();
    await eventually(listed).toContain('mine 1 tool');
    await inspector.button('Remove server').click();
    await dialog('Remove mine?').getByRole('button', { name: 'Remove' }).click();
    await eventually(async () => (await listed()).join()).not.toContain('mine');
  });

  test('what is stored is listed with its place, and is gone when it was deleted', async () => {
    const texts = readdirSync(join(configHome, 'casement')).map((name) =>
      readFileSync(join(configHome, 'casement', name), 'utf8'),
    );
    // The two secrets are in one file and in no other.
    expect(texts.filter((text) => /bearer-of-the-test|answer-of-the-test/.test(text))).toHaveLength(1);
    await page.evaluate(() => localStorage.setItem('casement.arguments', '{}'));
    await inspector.button('Stored data').click();
    const shown = dialog('What is stored');
    await shown.getByText(join(configHome, 'casement', 'secrets.json')).waitFor();
    await shown.getByText('casement.arguments').waitFor();
    await shown.getByRole('checkbox', { name: /^Last arguments of tools/ }).check();
    await shown.getByRole('checkbox', { name: /^Servers that were added/ }).check();
    await shown.getByRole('checkbox', { name: /^Secrets of servers/ }).check();
    await shown.getByRole('button', { name: 'Delete the chosen (3)' }).click();
    await eventually(() => shown.getByText('casement.arguments').count()).toBe(0);
    await cancel();
    await eventually(listed).toEqual(['watched 1 tool']);
  });
});
