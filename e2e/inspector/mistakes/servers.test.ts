import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openInspector, readOptions, type InspectorPage } from '../support.js';
import { callApi } from '../../support/api.js';
import { closeContexts, openBrowser } from '../../support/browser.js';
import { runCasement, startCasement, type RunningCasement } from '../../support/casement.js';
import { createTempFolder, writeConfig } from '../../support/config-file.js';
import { eventually, waitUntil } from '../../support/eventually.js';
import { fixtureServer } from '../../support/server-commands.js';
import { expectTold, lastClick, startReading } from '../../support/told.js';

const awkward = (options: Record<string, unknown>): string[] => [
  process.execPath,
  join(import.meta.dirname, 'awkward-server.mjs'),
  JSON.stringify(options),
];

/** What these write to stdout before the handshake. */
const noise = ['Server listening on port 3000', '\u001b[32mgreen\u001b[0m \u202eevil'];
const loud = awkward({ noise, exit: 3 });

/** A server whose tool names an address it does not have, beside those it has. */
const misaddressed = (resources: readonly string[] = [], templates: readonly string[] = []): string[] =>
  awkward({
    resourceUri: 'ui://awkward/dashboard.html',
    resources: resources.map((uri) => ({ uri, name: uri })),
    templates: templates.map((uriTemplate) => ({ uriTemplate, name: uriTemplate })),
  });

/** The servers that need no terminal of their own: one command runs them all, each test looks at one of them. */
const shared = {
  fine: awkward({}),
  deep: awkward({ lists: ['deep'] }),
  long: awkward({ lists: ['long'] }),
  malformed: awkward({ lists: ['malformed'] }),
  'malformed-modern': awkward({ lists: ['malformed'], modern: true }),
  noisy: awkward({ noise }),
  loud,
  typo: ['nodee', 'server.js'],
  'near-address': misaddressed(
    ['ui://awkward/daschboard.html', 'ui://other/thing.html', 'note://x'],
    ['ui://awkward/{dashboard}.html'],
  ),
  'other-addresses': misaddressed(['ui://a/1', 'ui://a/2', 'ui://a/3', 'ui://a/4', 'note://x']),
  'no-address': misaddressed(),
};

const folder = createTempFolder();
let browser: Browser;
let casement: RunningCasement;

beforeAll(async () => {
  const config = writeConfig(folder.path, shared);
  [casement, browser] = await Promise.all([
    startCasement(['--config', config, '--trust-config']),
    openBrowser(),
  ]);
});

afterAll(async () => {
  await closeContexts();
  await casement?.stop();
  folder.remove();
});

/** Runs a command that does not start; returns its code and its last words, after those about the waiting. */
const refused = async (args: readonly string[], cwd?: string) => {
  const options = cwd === undefined ? {} : { cwd };
  const { code, stdout, stderr } = await runCasement(
    ['--json', '--no-open', '--port', '0', ...args],
    options,
  );
  return { code, stdout, stderr: stderr.replaceAll(/^casement: waiting for .*\n/gm, '') };
};

/** Opens the page of a command, which shows one of its servers. */
const openPage = async (
  url: string,
  link: { server?: string; tool?: string } = {},
): Promise<InspectorPage> => {
  const inspector = await openInspector(browser, url, link);
  onTestFinished(() => inspector.close());
  return inspector;
};

/** Opens the page of the shared command with one of its servers chosen. */
const openAt = async (server: keyof typeof shared): Promise<InspectorPage> => {
  const inspector = await openPage(casement.url);
  await inspector.choose(server);
  return inspector;
};

let reading: Promise<InspectorPage> | undefined;

/** The same for tests that only read: they share a page. */
const lookAt = async (server: keyof typeof shared): Promise<InspectorPage> => {
  reading ??= openInspector(browser, casement.url);
  const inspector = await reading;
  await inspector.choose(server);
  await inspector.servers
    .getByRole('option', { selected: true })
    .filter({ has: inspector.page.getByText(server, { exact: true }) })
    .waitFor();
  return inspector;
};

/** Starts the server that is looked at anew: from then on the page remembers what is to be read on it, and when. */
const restart = async ({ page, button }: InspectorPage): Promise<void> => {
  await startReading(page);
  await button('Restart server').click();
};

/** Starts casement with these arguments, for this test alone. */
const startOwn = async (args: readonly string[]): Promise<RunningCasement> => {
  const own = await startCasement(args);
  onTestFinished(async () => void (await own.stop()));
  return own;
};

const offered = async ({ tools }: InspectorPage) => (await readOptions(tools)).map((text) => text.trim());

const findings = async ({ page }: InspectorPage): Promise<string[]> =>
  page.getByRole('list', { name: 'Findings about the server' }).getByRole('listitem').allInnerTexts();

/** The entries of the timeline that are found by this sentence, once one of them says it. */
const timeline = async (inspector: InspectorPage, sentence: string): Promise<string> => {
  await inspector.tab('Timeline').click();
  // A search cannot have quotation marks in it.
  const [longest = ''] = sentence.split('"').sort((one, other) => other.length - one.length);
  await inspector.page.getByRole('searchbox', { name: 'Search timeline' }).fill(`"${longest.trim()}"`);
  const read = async () => (await inspector.entries.getByRole('option').allInnerTexts()).join('\n');
  return waitUntil(read, (text) => text.includes(sentence), { what: `"${sentence}" in the timeline` });
};

describe('one entry that spoils a list is left out and named, the others are shown', () => {
  test.each([
    {
      server: 'deep' as const,
      says: 'tools/list: entry 3 "deep" was left out: its inputSchema is nested more than 128 levels deep.',
      fix: 'Describe it in fewer levels; a schema that repeats itself can use "$defs" and "$ref".',
    },
    {
      server: 'long' as const,
      says: 'tools/list: entry 3 "long" was left out: its description makes it longer than 1 MB or 100000 values.',
      fix: 'Shorten it: a list is read by people and models. Give large data as a resource.',
    },
  ])('a tool that is $server', async ({ server, says, fix }) => {
    const inspector = await lookAt(server);
    await eventually(() => offered(inspector)).toEqual(['good', 'broken-answer']);
    await eventually(() => findings(inspector)).toEqual([`${says} ${fix}`]);
    await timeline(inspector, says);
  });

  test.each([false, true])('entries of wrong types (2026-07-28: %s)', async (modern) => {
    const inspector = await lookAt(modern ? 'malformed-modern' : 'malformed');
    await eventually(() => offered(inspector)).toEqual(['good', 'broken-answer']);
    await eventually(() => findings(inspector)).toHaveLength(3);
    const found = await findings(inspector);
    for (const [index, text] of found.entries()) {
      expect(text).toContain(`tools/list: entry ${index + 3}`);
      expect(text).toContain('was left out: ');
      expect(text).toContain('Correct the entry; the others are shown.');
    }
    expect(found[2]).toContain('entry 5 "no-schema"');
  });
});

describe('what a server writes to stdout before the handshake', () => {
  const says = 'wrote "Server listening on port 3000" to stdout, which is for protocol messages alone';
  const fix = 'Write what is for people to stderr, for example with console.error.';

  test('is a finding, and in the timeline, of a server that works all the same', async () => {
    const inspector = await lookAt('noisy');
    await eventually(() => findings(inspector)).toEqual([`The server ${says}. ${fix}`]);
    await restart(inspector);
    await expectTold(inspector.page, 'page', [`The server ${says}.`, fix], lastClick);
    await timeline(inspector, 'Server listening on port 3000');
    const entries = await timeline(inspector, 'green');
    for (const unseen of ['\u001b', '\u202e']) expect(entries).not.toContain(unseen);
  });

  test('is the reason where it does not connect, in page and terminal', async () => {
    const inspector = await lookAt('loud');
    const alert = inspector.page.getByRole('region', { name: 'Servers' }).getByRole('alert');
    await eventually(() => alert.textContent()).toBe(
      `The server "loud" exited (code 3). Before that it ${says}. ${fix} server-exited`,
    );
    await restart(inspector);
    await expectTold(inspector.page, 'page', [`Before that it ${says}. ${fix}`], lastClick);
    const { code, stderr } = await refused(['--', ...loud]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `casement: The server "awkward-server" exited (code 3). Before that it ${says}; write what is for people to stderr, for example with console.error.\n`,
    });
  });
});

describe('a command that cannot be run says what is not there, and what was most likely meant', () => {
  const run = async (...command: string[]) => {
    const { code, stdout, stderr } = await refused(command, folder.path);
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
    const inspector = await lookAt('typo');
    const alert = inspector.page.getByRole('region', { name: 'Servers' }).getByRole('alert');
    const words = 'There is no program "nodee" on the PATH. The nearest name there is "node".';
    await eventually(() => alert.textContent()).toBe(`${words} command-invalid`);
    await restart(inspector);
    await expectTold(inspector.page, 'page', [words], lastClick);
  });
});

describe('a server that was typed is shown by what it calls itself', () => {
  const listed = async ({ servers }: InspectorPage) =>
    (await readOptions(servers)).map((text) => text.replaceAll(/\s+/g, ' ').trim());

  test('in list, call and title; links and the API go on by the old name', async () => {
    const info = { name: 'weather-mcp', title: 'Weather \u202eof\u0000 Lisbon', version: '1.0.0' };
    const own = await startOwn(['--', ...awkward({ info })]);
    expect(own.servers).toEqual([{ name: 'awkward-server', status: 'ready' }]);
    const inspector = await openPage(own.url, { server: 'awkward-server', tool: 'good' });
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
    // A folder of its own: the shared command follows the file of the other.
    const place = createTempFolder();
    onTestFinished(() => place.remove());
    const config = writeConfig(place.path, { Bank: awkward({ info: { name: 'x', version: '1' } }) });
    const own = await startOwn([
      '--config',
      config,
      '--trust-config',
      '--',
      ...fixtureServer({ name: 'bank' }),
    ]);
    const inspector = await openPage(own.url);
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
  let templates: RunningCasement;

  beforeAll(async () => {
    write('one');
    templates = await startCasement(['--', ...server]);
  });
  afterAll(async () => void (await templates?.stop()));

  test('that is replaced is announced, and its new hash listed, before anybody reads it', async () => {
    const inspector = await openPage(templates.url);
    const { stage } = inspector;
    const listed = async () =>
      JSON.stringify((await callApi(templates, 'GET', '/api/servers/template-server/resources')).body);
    const announced = () => stage.count('server', 'in', 'notifications/resources/list_changed');
    const announcedAt = async (): Promise<number> =>
      (await stage.recording()).find(({ raw }) => JSON.stringify(raw).includes('resources/list_changed'))
        ?.t ?? NaN;
    await eventually(() => inspector.tools.getByRole('option').count()).toBe(1);
    expect(await announced()).toBe(0);
    write('two');
    await eventually(announced).toBe(1);
    // By the clock of the machine, which file and recording share.
    expect((await announcedAt()) - statSync(file).mtimeMs).toBeLessThan(3_000);
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
    const inspector = await openPage(templates.url);
    await eventually(() => inspector.tools.getByRole('option').count()).toBe(1);
    rmSync(file);
    await startReading(inspector.page);
    await inspector.stage.run();
    await inspector.stage.reaches('failed');
    const told = ['app.html does not exist at the moment', 'Fix what the server complains about'];
    await expectTold(inspector.page, 'stage', told, lastClick);
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
    expect(text).toContain('Fix what the server complains about, then try again');
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
    server: 'near-address' as const,
    hint: 'Did you mean ui://awkward/daschboard.html or ui://awkward/{dashboard}.html?',
  },
  {
    what: 'the apps there are',
    server: 'other-addresses' as const,
    hint: 'It lists ui://a/1, ui://a/2, ui://a/3 and 1 more.',
  },
  { what: 'that there are none', server: 'no-address' as const, hint: 'It lists no resource.' },
])('a wrong ui:// address is answered with $what', async ({ server, hint }) => {
  const inspector = await openAt(server);
  await inspector.choose(server, 'good');
  await startReading(inspector.page);
  await inspector.stage.run();
  await inspector.stage.reaches('failed');
  await expectTold(inspector.page, 'stage', ['did not give the resource', hint], lastClick);
  const text = () => inspector.failure.innerText();
  await eventually(text).toContain('resource-missing');
  expect(await text()).toContain(
    `The server "${server}" did not give the resource ui://awkward/dashboard.html: Resource ui://awkward/dashboard.html not found`,
  );
  expect(await text()).toContain(
    `Check that the address in the tool matches a resource the server registers. ${hint}`,
  );
});

test('an answer that is not JSON is said at once beside the call, and in list and timeline', async () => {
  const inspector = await openAt('fine');
  await inspector.choose('fine', 'broken-answer');
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
  await timeline(inspector, 'While an answer was waited for');
  await inspector.stage.cancel();
  await eventually(() => warning.count()).toBe(0);
});

describe('a server that takes its time to start', () => {
  const slow = { startMs: 5_500, log: ['fetching a package', 'still \u001b[31mfetching\u001b[0m'] };

  let own: RunningCasement;
  beforeAll(async () => {
    own = await startCasement(['--', ...awkward(slow)]);
  });
  afterAll(async () => void (await own?.stop()));

  test('is spoken of in the terminal, with its last words', () => {
    expect(own.stderr()).toMatch(
      /^casement: waiting for "awkward-server" to answer, \d+ s so far; its last words: still fetching\n/m,
    );
    expect(own.stdout().trimEnd().split('\n')).toHaveLength(1);
  });

  test('is spoken of in the page, with what it writes', async () => {
    const inspector = await openPage(own.url);
    await inspector.button('Restart server').click();
    const section = inspector.page.getByRole('region', { name: 'Servers' });
    await eventually(() => section.innerText()).toMatch(
      /Starting: it has not answered yet\. What it writes meanwhile is below\.[^]*fetching a package\nstill fetching/,
    );
    await eventually(() => inspector.tools.getByRole('option').count()).toBe(2);
  });
});
