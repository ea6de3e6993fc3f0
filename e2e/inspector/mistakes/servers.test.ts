import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openInspector, readOptions, type InspectorPage } from '../support.js';
import { callApi } from '../../support/api.js';
import { closeContexts, openBrowser } from '../../support/browser.js';
import { runCasement, startCasement } from '../../support/casement.js';
import { createTempFolder, writeConfig } from '../../support/config-file.js';
import { eventually, waitUntil } from '../../support/eventually.js';
import { fixtureServer } from '../../support/server-commands.js';

const awkward = (options: Record<string, unknown>): string[] => [
  process.execPath,
  join(import.meta.dirname, 'awkward-server.mjs'),
  JSON.stringify(options),
];

const folder = createTempFolder();
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(async () => {
  await closeContexts();
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
    for (const unseen of ['\u001b', '\u202e']) expect(entries).not.toContain(unseen);
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

describe('a server that was typed is shown by what it calls itself', () => {
  const listed = async ({ servers }: InspectorPage) =>
    (await readOptions(servers)).map((text) => text.replaceAll(/\s+/g, ' ').trim());

  test('in list, call and title; links and the API go on by the old name', async () => {
    const info = { name: 'weather-mcp', title: 'Weather \u202eof\u0000 Lisbon', version: '1.0.0' };
    const casement = await startCasement(['--', ...awkward({ info })]);
    onTestFinished(async () => void (await casement.stop()));
    expect(casement.servers).toEqual([{ name: 'awkward-server', status: 'ready' }]);
    const link = { server: 'awkward-server', tool: 'good' };
    const inspector = await openInspector(browser, casement.url, link);
    onTestFinished(() => inspector.close());
    await eventually(() => listed(inspector)).toEqual(['Weather \ufffdof\ufffd Lisbon 2 tools']);
    await eventually(() => inspector.page.title()).toBe('good · Weather \ufffdof\ufffd Lisbon · Casement');
    expect(await inspector.page.getByRole('combobox', { name: 'Server', exact: true }).innerText()).toBe(
      'Weather \ufffdof\ufffd Lisbon',
    );
    expect(await inspector.page.getByRole('region', { name: 'Servers' }).innerText()).toContain(
      '· stdio · awkward-server',
    );
    expect(new URL(inspector.page.url()).searchParams.get('server')).toBe('awkward-server');
  });

  test('in questions, never by a name that the user gave to another', async () => {
    const config = writeConfig(folder.path, { Bank: awkward({ info: { name: 'x', version: '1' } }) });
    const inspector = await open(['--config', config, '--', ...fixtureServer({ name: 'bank' })]);
    await eventually(() => listed(inspector)).toEqual([
      expect.stringMatching(/^bank \(2\) \d+ tools$/),
      'Bank 2 tools',
    ]);
    await inspector.choose('bank (2)', 'well-behaved');
    await inspector.runApp();
    await (
      await inspector.stage.app()
    ).evaluate(() => {
      // The guest's own script put it there.
      const { bridge } = globalThis as unknown as {
        bridge: { request(method: string, params: object): Promise<unknown> };
      };
      void bridge.request('ui/message', { role: 'user', content: [{ type: 'text', text: 'Hello' }] });
    });
    const dialog = inspector.page.getByRole('dialog', { name: 'Send this message as yours?' });
    await eventually(() => dialog.textContent()).toContain('bank (2)');
    await inspector.page.keyboard.press('Escape');
  });
});

describe('a template file', () => {
  const file = join(folder.path, 'app.html');
  const uri = 'ui://template/app.html';
  const toDocument = (title: string): string => `<!doctype html><title>${title}</title><h1>${title}</h1>`;
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
  const write = (title: string): void => {
    // As editors do: written beside it, then put in its place.
    writeFileSync(`${file}.new`, toDocument(title));
    renameSync(`${file}.new`, file);
  };
  const server = [process.execPath, join(import.meta.dirname, 'template-server.mjs'), file];

  test('that is replaced is announced, and its new hash listed, before anybody reads it', async () => {
    write('one');
    const casement = await startCasement(['--', ...server]);
    onTestFinished(async () => void (await casement.stop()));
    const inspector = await openInspector(browser, casement.url);
    onTestFinished(() => inspector.close());
    const { stage } = inspector;
    const listed = async () =>
      JSON.stringify((await callApi(casement, 'GET', '/api/servers/template-server/resources')).body);
    const announced = () => stage.count('server', 'in', 'notifications/resources/list_changed');
    await eventually(() => inspector.tools.getByRole('option').count()).toBe(1);
    expect(await announced()).toBe(0);
    write('two');
    await eventually(announced).toBe(1);
    expect(await listed()).toContain(sha256(toDocument('two')));
    // A build that empties its folder first.
    rmSync(file);
    write('three');
    await eventually(announced).toBeGreaterThan(1);
    await eventually(listed).toContain(sha256(toDocument('three')));
    expect(await stage.count('server', 'out', 'resources/read')).toBeLessThanOrEqual(1);
  });

  test('that is gone while it is built is said to be, and the app comes when it is back', async () => {
    write('one');
    const inspector = await open(['--', ...server]);
    await eventually(() => inspector.tools.getByRole('option').count()).toBe(1);
    rmSync(file);
    await inspector.stage.run();
    await inspector.stage.reaches('failed');
    const text = await waitUntil(
      () => inspector.failure.innerText(),
      (shown) => shown.includes('Fix'),
      { what: 'the failure card' },
    );
    expect(text).toContain('resource-unreadable');
    expect(text).toContain(
      `The server "Templates" lists ${uri} but could not read it: The template file app.html does not exist at the moment. Build the app, or correct the path.`,
    );
    expect(text).toContain(
      'The address is right: the server has the resource and failed when it read it. Its own words are above.',
    );
    expect(text).toContain('Mend what the server says, then try again');
    expect(text).not.toContain(folder.path);
    write('back');
    await inspector.button('Try again').click();
    const app = () => inspector.stage.app().then((frame) => frame.locator('h1').textContent());
    await eventually(app).toBe('back');
  });
});

test.each([
  {
    what: 'the nearest addresses of the list and its templates',
    options: {
      resources: ['ui://awkward/daschboard.html', 'ui://other/thing.html', 'note://x'],
      templates: ['ui://awkward/{dashboard}.html'],
    },
    hint: 'Did you mean ui://awkward/daschboard.html or ui://awkward/{dashboard}.html?',
  },
  {
    what: 'the apps there are',
    options: { resources: ['ui://a/1', 'ui://a/2', 'ui://a/3', 'ui://a/4', 'note://x'] },
    hint: 'It lists ui://a/1, ui://a/2, ui://a/3 and 1 more.',
  },
  { what: 'that there are none', options: {}, hint: 'It lists no resource.' },
])('a wrong ui:// address is answered with $what', async ({ options, hint }) => {
  const { resources = [], templates = [] } = options;
  const inspector = await open([
    '--',
    ...awkward({
      resourceUri: 'ui://awkward/dashboard.html',
      resources: resources.map((uri) => ({ uri, name: uri })),
      templates: templates.map((uriTemplate) => ({ uriTemplate, name: uriTemplate })),
    }),
  ]);
  await inspector.choose('awkward', 'good');
  await inspector.stage.run();
  await inspector.stage.reaches('failed');
  const text = () => inspector.failure.innerText();
  await eventually(text).toContain('resource-missing');
  expect(await text()).toContain(
    'The server "awkward" did not give the resource ui://awkward/dashboard.html: Resource ui://awkward/dashboard.html not found',
  );
  expect(await text()).toContain(
    `Check that the address in the tool matches a resource the server registers. ${hint}`,
  );
});

test('an answer that is not JSON is said at once beside the call, and in list and timeline', async () => {
  const inspector = await open(['--', ...awkward({})]);
  await inspector.choose('awkward', 'broken-answer');
  await inspector.stage.run();
  const warning = inspector.page.getByRole('status', { name: 'Warning about the call' });
  await eventually(() => warning.innerText()).toMatch(
    /^The server just sent a line that is not JSON, which may have been the answer: \{"jsonrpc":"2\.0".* The call waits on until its time limit\. Send each message as one whole line of JSON\.$/,
  );
  expect(await inspector.page.getByText('Running…').isVisible()).toBe(true);
  await eventually(() => findings(inspector)).toEqual([
    expect.stringMatching(
      /^While an answer was waited for, the server wrote a line that is not JSON: "\{.*"\. Send each message as one whole line of JSON\.$/,
    ),
  ]);
  expect(await timeline(inspector)).toContain('While an answer was waited for');
  await inspector.stage.cancel();
  await eventually(() => warning.count()).toBe(0);
});

describe('a server that takes its time to start', () => {
  const slow = { startMs: 5_500, log: ['fetching a package', 'still \u001b[31mfetching\u001b[0m'] };

  test('is spoken of in the terminal, with its last words', async () => {
    const casement = await startCasement(['--', ...awkward(slow)]);
    onTestFinished(async () => void (await casement.stop()));
    expect(casement.stderr()).toMatch(
      /^casement: waiting for "awkward-server" to answer, 2 s so far; its last words: still fetching\n/,
    );
    expect(casement.stdout().trimEnd().split('\n')).toHaveLength(1);
  });

  test('is spoken of in the page, with what it writes', async () => {
    const inspector = await open(['--', ...awkward(slow)]);
    await inspector.button('Restart server').click();
    const section = inspector.page.getByRole('region', { name: 'Servers' });
    await eventually(() => section.innerText()).toMatch(
      /Starting: it has not answered yet\. What it writes meanwhile is below\.[^]*fetching a package\nstill fetching/,
    );
    await eventually(() => inspector.tools.getByRole('option').count()).toBe(2);
  });
});
