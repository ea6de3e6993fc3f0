import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../browsers/support/free-port.js';
import { readFaults } from '../support/axe.js';
import { eventually } from '../support/eventually.js';
import { publishedScript } from '../support/server-commands.js';
import { browser, casement, useCasement } from '../support/use-casement.js';
import { openInspector, type InspectorPage } from './support.js';

const fixture = join(import.meta.dirname, '../../packages/gateway/test-fixtures/saved-server.mjs');
const program = readFileSync(fixture, 'utf8');
const bridge = readFileSync(join(import.meta.dirname, '../fixtures/guest-bridge.js'), 'utf8');

/** An app that shows a line, a field and what its tool returned. */
const toApp = (line: string): string => `<!doctype html><title>Saved</title>
<h1>${line}</h1><input name="note" aria-label="Note"><p id="result"></p><script>${bridge}
addEventListener('message', ({ data }) => {
  if (data?.method === 'ui/notifications/tool-result')
    document.getElementById('result').textContent = data.params.content[0].text;
});
bridge.initialize();</script>`;

let folder = '';
let published: ChildProcess | undefined;
const save = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const saveProgram = (server: string, version: string): void =>
  save(`${server}/server.mjs`, program.replace("'one'", `'${version}'`));

/** A copy of a published server, over HTTP, whose page can be saved. */
const startPublished = async (): Promise<string> => {
  const script = publishedScript('@modelcontextprotocol/server-basic-react');
  cpSync(dirname(script), join(folder, 'http/dist'), { recursive: true });
  save('http/package.json', '{ "type": "module" }');
  const port = await findFreePort();
  const child = spawn(process.execPath, [join(folder, 'http/dist/index.js')], {
    env: { ...process.env, PORT: `${port}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  published = child;
  await new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => text.includes('listening') && resolve());
  });
  return `http://localhost:${port}/mcp`;
};

useCasement(async (given) => {
  folder = given;
  for (const server of ['acts', 'reads']) {
    mkdirSync(join(folder, server));
    save(`${server}/app.html`, toApp('first'));
    saveProgram(server, 'one');
  }
  return {
    acts: [process.execPath, join(folder, 'acts/server.mjs'), '--acts'],
    reads: [process.execPath, join(folder, 'reads/server.mjs')],
    http: { url: await startPublished() },
  };
});
afterAll(() => published?.kill());

const open = async (server: string, tool = 'show'): Promise<InspectorPage> => {
  const inspector = await openInspector(browser, casement.url, { server, tool, run: true });
  onTestFinished(() => inspector.close());
  await inspector.stage.reaches('ready');
  return inspector;
};
const noteOf = ({ page }: InspectorPage) => page.locator('.watch-bar').getByRole('status');
const appOf = async ({ stage }: InspectorPage) => {
  const frame = await stage.app();
  return frame.evaluate(() => ({
    line: document.querySelector('h1')?.textContent,
    note: document.querySelector<HTMLInputElement>('input')?.value,
    result: document.getElementById('result')?.textContent,
  }));
};
/** As a user does it: a field that takes the focus by itself loses it to the page again. */
const type = async ({ stage }: InspectorPage, text: string): Promise<void> => {
  const note = (await stage.app()).getByLabel('Note');
  await note.click();
  await note.fill(text);
  expect(await note.inputValue()).toBe(text);
};
const callsOf = ({ stage }: InspectorPage): Promise<number> => stage.count('server', 'out', 'tools/call');

test('without watching, an app that changed is said to have, and is reloaded with what was typed in it', async () => {
  const inspector = await open('reads');
  await type(inspector, 'typed before');
  save('reads/app.html', toApp('second'));
  // Somebody else reads it.
  await open('reads');
  await eventually(() => noteOf(inspector).innerText()).toContain('The app has changed.');
  const calls = await callsOf(inspector);
  await inspector.button('Reload').click();
  await eventually(() => appOf(inspector)).toEqual({ line: 'second', note: 'typed before', result: 'one' });
  expect(await callsOf(inspector)).toBe(calls);
  await eventually(() => noteOf(inspector).innerText()).toContain('was not called again');
});

test('a watched app is shown anew without a click, what its server cannot do is said, and no call is repeated unasked', async () => {
  // As at the start, when this is tried again.
  save('acts/app.html', toApp('first'));
  saveProgram('acts', 'one');
  const inspector = await open('acts');
  const watch = inspector.page.getByRole('checkbox', { name: 'Watch' });
  await watch.check();
  const repeat = inspector.page.getByRole('checkbox', { name: 'Repeat show on change' });
  await repeat.waitFor();
  await type(inspector, 'typed before');

  save('acts/app.html', toApp('second'));
  await eventually(() => appOf(inspector)).toEqual({ line: 'second', note: 'typed before', result: 'one' });
  await eventually(() => noteOf(inspector).innerText()).toBe(
    'app.html was saved; app shown anew with the recorded result; show was not called again.',
  );
  for (const [scheme, width] of [
    ['light', 1440],
    ['dark', 390],
  ] as const) {
    await inspector.page.emulateMedia({ colorScheme: scheme });
    await inspector.page.setViewportSize({ width, height: 844 });
    expect(await readFaults(inspector.page), `${scheme} ${width}`).toEqual([]);
  }
  await inspector.page.setViewportSize({ width: 1440, height: 900 });

  save('acts/server.mjs', 'no program');
  await eventually(() => noteOf(inspector).innerText()).toMatch(
    /^server\.mjs was saved; the server did not start: .*The next save tries again\.$/,
  );
  expect((await appOf(inspector)).line).toBe('second');

  saveProgram('acts', 'two');
  await eventually(() => noteOf(inspector).innerText()).toMatch(/server restarted in .*app shown anew/);
  await eventually(() => appOf(inspector)).toEqual({ line: 'second', note: 'typed before', result: 'one' });
  expect(await callsOf(inspector)).toBe(1);

  await repeat.check();
  saveProgram('acts', 'three');
  await eventually(async () => (await appOf(inspector)).result).toBe('three');
  expect(await callsOf(inspector)).toBe(2);

  await watch.uncheck();
  await repeat.waitFor({ state: 'detached' });
});

test('a tool that says that it only reads is called again, and the page says whose word that is', async () => {
  const inspector = await open('reads');
  await inspector.page.getByRole('checkbox', { name: 'Watch' }).check();
  await inspector.page.getByText('A change calls show again: it says that it only reads.').waitFor();
  saveProgram('reads', 'two');
  await eventually(async () => (await appOf(inspector)).result).toBe('two');
  await eventually(() => noteOf(inspector).innerText()).toContain('show was called again');
  const entries = await inspector.stage.recording();
  const watched = entries.filter(({ raw }) => (raw as { type?: string }).type === 'watch'); // entries are objects
  expect(watched.map(({ raw }) => raw)).toMatchObject([{ files: ['server.mjs'], step: 'restarted' }]);
});

test('an app at an address is looked at while the page watches, and shown anew', async () => {
  const inspector = await open('http', 'get-time');
  await inspector.page.getByRole('checkbox', { name: 'Watch' }).check();
  const page = join(folder, 'http/dist/mcp-app.html');
  save('http/dist/mcp-app.html', readFileSync(page, 'utf8').replace('<body>', '<body><h1>second</h1>'));
  await eventually(async () => (await appOf(inspector)).line).toBe('second');
  await eventually(() => noteOf(inspector).innerText()).toMatch(/^The app was changed; app shown anew/);
});
