import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openInspector, readOptions, type InspectorPage } from '../inspector/support.js';
import { launchBrowser } from '../support/browser.js';
import { runCasement, startCasement } from '../support/casement.js';
import { createTempFolder, writeConfig } from '../support/config-file.js';
import { eventually } from '../support/eventually.js';

const awkward = (options: Record<string, unknown>): string[] => [
  process.execPath,
  join(import.meta.dirname, 'awkward-server.mjs'),
  JSON.stringify(options),
];

const folder = createTempFolder();
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  folder.remove();
});

/** Starts casement with these arguments and opens its page. */
const open = async (args: readonly string[]): Promise<InspectorPage> => {
  const casement = await startCasement(args);
  onTestFinished(async () => {
    await casement.stop();
  });
  const inspector = await openInspector(browser, casement.url);
  onTestFinished(() => inspector.close());
  return inspector;
};

const offered = async ({ tools }: InspectorPage) => (await readOptions(tools)).map((text) => text.trim());

const findings = async ({ page }: InspectorPage): Promise<string[]> =>
  page.getByRole('list', { name: 'Findings about the server' }).getByRole('listitem').allInnerTexts();

/** The sentences of the timeline. */
const timeline = async (inspector: InspectorPage): Promise<string> => {
  await inspector.tab('Timeline').click();
  return (await inspector.entries.getByRole('option').allInnerTexts()).join('\n');
};

describe('one entry that spoils a list is left out and named, the others are shown', () => {
  test.each([
    {
      lists: ['deep'],
      says: 'tools/list: entry 3 "deep" was left out: its inputSchema is nested more than 128 levels deep.',
      fix: 'Describe it in fewer levels; a schema that repeats itself can use "$defs" and "$ref".',
    },
    {
      lists: ['long'],
      says: 'tools/list: entry 3 "long" was left out: its description makes it longer than 1 MB or 100000 values.',
      fix: 'Shorten it: a list is read by people and models. Give large data as a resource.',
    },
  ])('a tool that is $lists', async ({ lists, says, fix }) => {
    const inspector = await open(['--', ...awkward({ lists })]);
    await eventually(() => offered(inspector)).toEqual(['good', 'broken-answer']);
    await eventually(() => findings(inspector)).toEqual([`${says} ${fix}`]);
    expect(await timeline(inspector)).toContain(says);
  });

  test.each([false, true])('entries of wrong types (2026-07-28: %s)', async (modern) => {
    const inspector = await open(['--', ...awkward({ lists: ['malformed'], modern })]);
    await eventually(() => offered(inspector)).toEqual(['good', 'broken-answer']);
    const found = await findings(inspector);
    expect(found).toHaveLength(3);
    for (const [index, text] of found.entries()) {
      expect(text).toContain(`tools/list: entry ${index + 3}`);
      expect(text).toContain('was left out: ');
      expect(text).toContain('Correct the entry; the others are shown.');
    }
    expect(found[2]).toContain('entry 5 "no-schema"');
  });
});

describe('what a server writes to stdout before the handshake', () => {
  const noise = ['Server listening on port 3000', '\u001b[32mgreen\u001b[0m \u202eevil'];
  const says = 'wrote "Server listening on port 3000" to stdout, which is for protocol messages alone';
  const fix = 'Write what is for people to stderr, for example with console.error.';

  test('is a finding, and in the timeline, of a server that works all the same', async () => {
    const inspector = await open(['--', ...awkward({ noise })]);
    await eventually(() => findings(inspector)).toEqual([`The server ${says}. ${fix}`]);
    const entries = await timeline(inspector);
    expect(entries).toContain('Server listening on port 3000');
    expect(entries).toContain('green');
    expect(entries).not.toMatch(/[\u001b\u202e]/u);
  });

  test('is the reason where it does not connect, in page and terminal', async () => {
    const server = awkward({ noise, exit: 3 });
    const config = writeConfig(folder.path, { loud: server, fine: awkward({}) });
    const inspector = await open(['--config', config]);
    await inspector.choose('loud');
    const alert = inspector.page.getByRole('region', { name: 'Servers' }).getByRole('alert');
    await eventually(() => alert.textContent()).toBe(
      `The server "loud" exited (code 3). Before that it ${says}. ${fix} server-exited`,
    );
    const { code, stderr } = await runCasement(['--json', '--no-open', '--port', '0', '--', ...server]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `casement: The server "awkward-server" exited (code 3). Before that it ${says}; write what is for people to stderr, for example with console.error.\n`,
    });
  });
});

describe('a command that cannot be run says what is not there, and what was most likely meant', () => {
  const run = async (...command: string[]) => {
    const { code, stdout, stderr } = await runCasement(['--json', '--no-open', '--port', '0', ...command], {
      cwd: folder.path,
    });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    return stderr;
  };
  beforeAll(() => {
    writeFileSync(join(folder.path, 'server.js'), '');
    mkdirSync(join(folder.path, 'empty'));
  });

  test('a program that is not there', async () => {
    expect(await run('nodee', 'server.js')).toBe(
      'casement: There is no program "nodee" on the PATH; the nearest name there is "node".\n',
    );
    expect(await run('no-such-program-at-all')).toBe(
      'casement: There is no program "no-such-program-at-all" on the PATH; install it, or correct the name.\n',
    );
  });

  test('a script that is not there', async () => {
    const file = join(folder.path, 'servr.js');
    expect(await run('node', 'servr.js')).toBe(
      `casement: There is no file "servr.js" for node to run; it is looked for as "${file}". The nearest name there is "server.js".\n`,
    );
  });

  test('a folder, and a file that is no program', async () => {
    expect(await run('node', 'empty')).toBe(
      'casement: "empty" is a folder: node finds nothing to run in it; name the file in that folder that starts the server.\n',
    );
    expect(await run('./empty')).toBe(
      'casement: "./empty" is a folder, not a program; name the program that starts the server, for example node and the file in that folder.\n',
    );
    const hint =
      'start it with its program, for example "node server.js", or make it executable and write its path.\n';
    expect(await run('server.js')).toBe(
      `casement: There is no program "server.js" on the PATH; it is a file: ${hint}`,
    );
  });

  test('the page says the same of one of several', async () => {
    const config = writeConfig(folder.path, { typo: ['nodee', 'server.js'], fine: awkward({}) });
    const inspector = await open(['--config', config]);
    await inspector.choose('typo');
    const alert = inspector.page.getByRole('region', { name: 'Servers' }).getByRole('alert');
    await eventually(() => alert.textContent()).toBe(
      'There is no program "nodee" on the PATH. The nearest name there is "node". command-invalid',
    );
  });
});
