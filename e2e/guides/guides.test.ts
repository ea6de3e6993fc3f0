import { cp, lstat, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { verifies } from '../../test/verifies.js';
import { openChat } from '../chat/example/support.js';
import { startPage } from '../host/element/example-server.js';
import { guestOf } from '../host/react/support.js';
import { closeContexts, openBrowser } from '../support/browser.js';
import { startCasement, type RunningCasement } from '../support/casement.js';
import { eventually } from '../support/eventually.js';
import { toMessages, type Recorded } from '../support/recorded.js';
import { openStage, type Stage } from '../support/stage.js';
import {
  follow,
  installPackages,
  installSome,
  listFiles,
  readFragment,
  readGuide,
  type Place,
} from './support.js';

const maxInstallBytes = 15 * 1024 * 1024;

const toGuide = (name: string) => readGuide(`docs/guide/${name}.md`);
const [firstApp, embed, chat] = await Promise.all([toGuide('first-app'), toGuide('embed'), toGuide('chat')]);
const [installDice = '', runDice = '', installReact = '', runReact = ''] = firstApp.commands;
/** The commands of the others: the last one starts a server. */
const embedCommands = embed.commands[0]?.split('\n') ?? [];
const chatCommands = chat.commands[0]?.split('\n') ?? [];

let place: Place;
let browser: Browser;

/** The installations that are begun at once, one after the other, beside the tests that do not need them yet. */
const installed = new Map<string, Promise<string>>();
let last: Promise<unknown> = Promise.resolve();

/** Begins to follow commands of a guide in a copy of the installed packages. */
const begin = (name: string, commands: readonly string[]): void => {
  const folder = last.then(async () => {
    const copy = await place.copyInstalled(name);
    for (const command of commands) await follow(command, copy);
    return copy;
  });
  installed.set(name, folder);
  // Whoever waits for the folder hears of a failure.
  last = folder.catch(() => undefined);
};

const folderOf = async (name: string): Promise<string> => {
  const folder = await installed.get(name);
  if (folder === undefined) throw new Error(`Nobody began to install ${name}.`);
  return folder;
};

beforeAll(async () => {
  [place, browser] = await Promise.all([installPackages(), openBrowser()]);
  begin('dice', [installDice]);
  begin('react-dice', [installDice, installReact]);
  begin('embed', embedCommands.slice(0, -1));
  begin('chat', chatCommands.slice(0, -1));
}, 420_000);

afterAll(async () => {
  await closeContexts();
  await last;
  await place?.remove();
}, 420_000);

/** What a folder takes on disk, as du counts it. */
const measure = async (folder: string): Promise<number> => {
  const entries = await readdir(folder, { withFileTypes: true });
  const sizes = entries.map(async (entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? measure(path) : (await lstat(path)).blocks * 512;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
};

describe('install.md', () => {
  test('packs what is for others: with licence, types and description, without build, tests and foreign paths', async () => {
    const { dependencies, overrides } = await readFragment(place.packages);
    expect(overrides).toEqual(dependencies);
    expect(Object.keys(dependencies).sort()).toEqual([
      '@casement/app',
      '@casement/chat',
      '@casement/checks',
      '@casement/example-weather-server',
      '@casement/gateway',
      '@casement/host',
      '@casement/protocol',
      '@casement/react',
      '@casement/sandbox',
      '@casement/server',
      'casement',
    ]);
    for (const name of Object.keys(dependencies)) {
      const folder = join(place.folder, 'my-app/node_modules', name);
      expect((await lstat(folder)).isSymbolicLink(), name).toBe(false);
      const files = await listFiles(folder);
      expect(files, name).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
      if (name !== 'casement')
        expect(
          files.some((file) => file.endsWith('.d.ts')),
          name,
        ).toBe(true);
      expect(
        files.filter((path) => /(?:^|\/)src\/|\.test\.|test-support|tsbuildinfo/.test(path)),
        name,
      ).toEqual([]);
      const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
      expect(
        files.filter((_, index) => texts[index]?.includes(place.repository)),
        name,
      ).toEqual([]);
    }
    const packed = (file: string): Promise<string> =>
      readFile(join(place.folder, 'my-app/node_modules', file), 'utf8');
    expect(await packed('casement/dist/page/index.html')).toContain('<!doctype html>');
    expect(await packed('@casement/sandbox/dist/static-proxy.html')).toContain('<script>');
    expect(await packed('@casement/example-weather-server/dist/dashboard.html')).toContain('<script');
  });

  test('the last command opens the inspector with the example', async () => {
    const [, , command = ''] = (await readGuide('docs/guide/install.md')).commands;
    const folder = join(place.folder, 'my-app');
    const casement = await startCasement([], { cwd: folder, program: join(folder, command) });
    onTestFinished(async () => void (await casement.stop()));
    const stage = await openStage(browser, casement.url);
    await stage.reaches('ready', 60_000);
    await (await stage.app()).waitForSelector('#dashboard[data-state="shown"]');
  });

  test('the command alone takes at most 15 MB, and brings all it needs from the tarballs', async () => {
    const folder = await installSome(place, 'command', ['casement']);
    const bytes = await measure(join(folder, 'node_modules'));
    process.stderr.write(`production install: ${(bytes / 1024 / 1024).toFixed(1)} MB\n`);
    expect(bytes).toBeLessThanOrEqual(maxInstallBytes);
  });

  test('what is packed anew is taken by npm update, whether or not the project names it', async () => {
    const commands = (await readGuide('docs/guide/install.md')).commands.at(-1)?.split('\n');
    expect(commands?.slice(1)).toEqual(['npm run pack:all -- ../packages', 'cd ../my-app', 'npm update']);
    // Other tests go on with what was packed first.
    const packages = `${place.packages}-again`;
    await cp(place.packages, packages, { recursive: true });
    const fragment = join(packages, 'casement-packages.json');
    await writeFile(fragment, (await readFile(fragment, 'utf8')).replaceAll(place.packages, packages));
    const folder = await installSome({ ...place, packages }, 'update', ['@casement/server']);
    for (const name of ['server', 'protocol']) {
      const tarball = (await readdir(packages)).find((file) => file.startsWith(`casement-${name}-`)) ?? '';
      const change =
        'tar xzf "$FILE" && echo new > package/CHANGED && tar czf "$FILE" package && rm -r package';
      await follow(change, packages, { FILE: tarball });
    }
    await follow('npm update', folder);
    for (const name of ['server', 'protocol'])
      expect(await listFiles(join(folder, 'node_modules/@casement', name))).toContain('CHANGED');
  });
});

describe('first-app.md', () => {
  const guide = firstApp;
  let casement: RunningCasement;
  let stage: Stage;

  /** Starts a command of the guide and waits until its app is on screen. */
  const show = async (folder: string, command: string) => {
    const [program = '', ...words] = command.split(' ');
    const running = await startCasement(words, { cwd: folder, program: join(folder, program) });
    const shown = await openStage(browser, running.url);
    await shown.reaches('ready');
    return { running, shown };
  };

  /** A folder in which the guide was followed up to its files. */
  const write = async (name: string): Promise<string> => {
    const folder = await folderOf(name);
    for (const { file, code } of guide.files) await writeFile(join(folder, file), code);
    return folder;
  };

  beforeAll(async () => {
    ({ running: casement, shown: stage } = await show(await write('dice'), runDice));
  }, 420_000);

  afterAll(async () => {
    await stage?.close();
    await casement?.stop();
  });

  const rolled = async () => (await stage.app()).locator('#rolled').textContent();

  /** The steps of one of the guide's walks, as `app > host name`. */
  const readWalk = (title: string): string[] => {
    const walk = new RegExp(`\\*\\*${title}\\*\\*[^\\n]*\\n\\n((?:\\d\\. .*\\n)+)`);
    const [, list = ''] = walk.exec(guide.text) ?? [];
    return [...list.matchAll(/^\d\. (\w+) → (\w+) (?:`([^`]+)`|the answer)/gm)].map(
      ([, from, to, method = 'answer']) => `${from} > ${to} ${method}`,
    );
  };

  const toStep = ({ leg, dir, method = 'answer' }: Recorded): string => {
    const other = leg === 'app' ? 'app' : 'server';
    return dir === 'in' ? `${other} > host ${method}` : `host > ${other} ${method}`;
  };
  const readSteps = async (): Promise<string[]> => toMessages(await stage.recording()).map(toStep);
  /** Of calls of tools alone: frames for a next run are made ready meanwhile, and the server answers that, too. */
  const readCalls = async (): Promise<string[]> => {
    const messages = toMessages(await stage.recording());
    const toKey = ({ leg, id }: Recorded): string => `${leg} ${String(id)}`;
    const calls = new Set(messages.filter(({ method }) => method === 'tools/call').map(toKey));
    return messages.filter((one) => one.id !== undefined && calls.has(toKey(one))).map(toStep);
  };

  test('has two files, three more for React, and the commands between them', () => {
    const react = ['react-dice.html', 'react-dice.tsx', 'vite.config.ts'];
    expect(guide.files.map(({ file }) => file)).toEqual(['dice.html', 'server.mjs', ...react]);
    expect(guide.commands).toHaveLength(4);
  });

  test('the app shows the result of the call that brought it', async () => {
    await eventually(rolled).toMatch(/^[1-6] of 6$/);
    expect((await stage.snapshot())?.failure).toBeUndefined();
  });

  verifies('S3-80', 'the handshake goes as the guide tells it', async () => {
    const walk = readWalk('The handshake.');
    expect(walk).toHaveLength(5);
    const steps = (await readSteps()).filter((step) => step.includes('app'));
    const start = steps.indexOf('app > host ui/initialize');
    const told = steps.slice(start).filter((step) => walk.includes(step));
    expect(told.slice(0, 5)).toEqual(walk);
  });

  verifies(['S3-79', 'S3-01'], 'a tool call of the page goes as the guide tells it', async () => {
    const walk = readWalk('A tool call from the page.');
    expect(walk).toHaveLength(4);
    const before = (await readCalls()).length;
    await (await stage.app()).locator('#again').click();
    await eventually(async () => (await readCalls()).slice(before)).toEqual(walk);
    await eventually(rolled).toMatch(/^[1-6] of 6$/);
  });

  test('the page in TypeScript and React is built into one file and shows the same', async () => {
    const [template] = guide.blocks.filter(({ file, language }) => file === undefined && language === 'js');
    const folder = await write('react-dice');
    const server = join(folder, 'server.mjs');
    const before = await readFile(server, 'utf8');
    await writeFile(server, before.replace(/^const template = .*$/m, template?.code.trim() ?? ''));
    const commands = runReact.split('\n');
    await follow(commands.slice(0, -1).join('\n'), folder);
    const { running, shown } = await show(folder, commands.at(-1) ?? '');
    onTestFinished(async () => {
      await shown.close();
      await running.stop();
    });
    const app = await shown.app();
    const read = () => app.locator('#rolled').textContent();
    await eventually(read).toMatch(/^[1-6] of 6$/);
    await app.locator('#again').click();
    await eventually(async () => shown.count('app', 'in', 'tools/call')).toBe(1);
    await eventually(read).toMatch(/^[1-6] of 6$/);
  }, 180_000);
});

/** Starts a server as a guide says, until the test is over. */
const start = async (command: string, cwd: string) => {
  const [program = '', ...args] = command.split(' ');
  const page = await startPage({ command: program, args, cwd });
  onTestFinished(page.close);
  return page;
};

describe('embed.md', () => {
  const pages = [embedCommands.at(-1) ?? '', /`(node react\/\S+)`/.exec(embed.text)?.[1] ?? ''];
  let folder: string;

  beforeAll(async () => {
    folder = await folderOf('embed');
  }, 420_000);

  test.each(pages)('%s is a page that shows the app', async (command) => {
    const { address } = await start(command, folder);
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    await page.goto(address);
    await page.getByLabel('City').fill('Kyoto');
    await page.getByRole('button', { name: 'Send' }).click();
    const guest = await guestOf(page);
    await guest.waitForSelector('#dashboard[data-state="shown"]', { timeout: 20_000 });
    expect(await guest.textContent('#place')).toContain('Kyoto');
  });
});

describe('chat.md', () => {
  const [, message = ''] = /write `([^`]+)`/.exec(chat.text) ?? [];

  test('its command is a chat that answers the message it names with an app', async () => {
    const shown = await openChat(browser, await start(chatCommands.at(-1) ?? '', await folderOf('chat')));
    onTestFinished(shown.close);
    await shown.send(message);
    const guest = await shown.guest();
    await guest.waitForSelector('#dashboard[data-state="shown"]', { timeout: 20_000 });
    expect(await guest.textContent('#place')).toContain('Lisbon');
    expect(shown.errors).toEqual([]);
  }, 180_000);
});
