import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { findPorts } from '../host/element/example-server.js';
import { guestOf } from '../host/react/support.js';
import { closeContexts, openBrowser } from '../support/browser.js';
import { eventually, waitUntil } from '../support/eventually.js';
import { beginProject, follow, packAll, readGuide } from './support.js';

const readChapter = async () => {
  const { files, commands } = await readGuide('packages/react/README.md');
  const [install = '', start = ''] = commands;
  const [build = '', run = ''] = start.split('\n');
  return { files, install, build, run };
};

let browser: Browser;
let place: Awaited<ReturnType<typeof packAll>>;
let folder: string;

beforeAll(async () => {
  [place, browser] = await Promise.all([packAll(), openBrowser()]);
  const names = ['react', 'sandbox', 'example-weather-server'].map((name) => `@casement/${name}`);
  // What the chapter installs comes with what stands in package.json, in one go.
  folder = await beginProject(place, 'next', names);
  const { files, install, build } = await readChapter();
  await follow(install, folder);
  for (const { file, code } of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), code);
  }
  await follow(build, folder, { NEXT_TELEMETRY_DISABLED: '1' });
}, 420_000);

afterAll(async () => {
  await closeContexts();
  await place?.remove();
});

test('a server component of Next renders an app’s place, and the browser the app, which calls its server', async () => {
  const { run } = await readChapter();
  const port = await findPorts();
  const env = { ...process.env, PORT: String(port), NEXT_TELEMETRY_DISABLED: '1' };
  // A group of its own: it ends with the sandbox and Next in it.
  const running = spawn('bash', ['-c', run], { cwd: folder, env, stdio: 'ignore', detached: true });
  onTestFinished(async () => {
    if (running.pid === undefined) return;
    process.kill(-running.pid);
    if (running.exitCode === null && running.signalCode === null) await once(running, 'exit');
  });
  const read = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      async (response) => ({ status: response.status, text: await response.text() }),
      () => undefined,
    );
  const answer = await waitUntil(read, (value) => value !== undefined, { what: 'Next', timeout: 60_000 });
  expect(answer?.status).toBe(200);
  expect(answer?.text).toContain('<div role="group" data-app-status="idle" aria-busy="true">');

  const page = await browser.newPage();
  onTestFinished(() => page.close());
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(`http://chat.localhost:${port}/`);
  const guest = await guestOf(page);
  await guest.waitForSelector('#dashboard[data-state="shown"]', { timeout: 20_000 });
  expect(await guest.textContent('#place')).toContain('Lisbon');
  const observed = () => guest.textContent('#observed');
  const before = await observed();
  await guest.click('#refresh');
  await eventually(observed).not.toBe(before);
  expect(errors).toEqual([]);
});
