// npm run screenshots: the running inspector with the example and two mistakes, as it is, into docs/images.
// `-- servers` takes only the pictures whose names begin like that.
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { startCli } from '../bench/start-cli.mjs';
import { ensureBuilt } from './lib/build.mjs';
import { ensureChromium } from './lib/chromium.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { root, runMain, say } from './lib/run.mjs';

const folder = join(root, 'docs/images');
const maxBytes = 300 * 1024;

const wide = { viewport: { width: 1440, height: 900 } };
const narrow = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
};

/** A config as people have it; nothing of it is run. */
const config = `{
  "inputs": [{ "id": "key", "type": "promptString", "password": true }],
  "servers": {
    "trip-planner": {
      "command": "node",
      "args": ["server.js", "--stdio"],
      "cwd": "/home/ada/trips",
      "env": { "MAP_KEY": "\${input:key}", "NODE_OPTIONS": "--inspect" }
    }
  }
}`;

const pasteConfig = async (page) => {
  await page.getByRole('button', { name: 'Add a server' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a server' });
  await dialog.getByRole('button', { name: 'mcp.json' }).click();
  await dialog.getByRole('textbox').fill(config);
  await dialog.getByRole('checkbox', { name: 'trip-planner' }).waitFor();
};

const askAboutConfig = async (page) => {
  await pasteConfig(page);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('dialog', { name: 'Run this command?' }).getByText('server.js').waitFor();
};

/** One picture: the example, a tool of the server of mistakes, or a chat in which something was said; `act` brings the page into the state to be seen. */
const shots = [
  ...['light', 'dark'].flatMap((colorScheme) => [
    { name: `inspector-1440-${colorScheme}`, device: { ...wide, colorScheme } },
    { name: `inspector-390-${colorScheme}`, device: { ...narrow, colorScheme } },
  ]),
  {
    name: 'timeline-1440-light',
    device: { ...wide, colorScheme: 'light' },
    act: (page) => page.getByText('tools/call', { exact: true }).first().click(),
  },
  {
    name: 'state-1440-light',
    device: { ...wide, colorScheme: 'light' },
    act: (page) => page.getByRole('tab', { name: 'State' }).click(),
  },
  {
    name: 'security-1440-dark',
    device: { ...wide, colorScheme: 'dark' },
    mistake: 'undeclared-domain',
    act: (page) => page.getByRole('tab', { name: 'Security' }).click(),
  },
  { name: 'failure-1440-light', device: { ...wide, colorScheme: 'light' }, mistake: 'wrong-mime' },
  {
    name: 'chat-1440-light',
    device: { ...wide, colorScheme: 'light' },
    say: '/weather_dashboard {"city": "Kyoto"}',
  },
  {
    name: 'chat-390-dark',
    device: { ...narrow, colorScheme: 'dark' },
    say: '/weather_dashboard {"city": "Kyoto"}',
  },
  // The last ones: the server that is asked about is kept, and would be in every later picture.
  { name: 'servers-paste-1440-light', device: { ...wide, colorScheme: 'light' }, act: pasteConfig },
  { name: 'servers-ask-1440-light', device: { ...wide, colorScheme: 'light' }, act: askAboutConfig },
];

const showExample = async (page, { example }) => {
  await page.goto(example.url);
  await page.waitForSelector('#stage[data-app-status="ready"]', { state: 'attached', timeout: 60_000 });
  const app = page.frameLocator('#stage iframe:not([aria-hidden])').frameLocator('iframe');
  await app.locator('#dashboard[data-state="shown"]').waitFor();
};

const showMistake = async (page, { mistakes }, tool) => {
  const link = new URL(mistakes.url);
  link.searchParams.set('tool', tool);
  link.searchParams.set('run', '1');
  await page.goto(link.href);
  const ended = ['ready', 'failed'].map((status) => `#stage[data-app-status="${status}"]`).join();
  await page.waitForSelector(ended, { state: 'attached', timeout: 60_000 });
};

const showChat = async (page, { example }, text) => {
  const link = new URL(example.url);
  link.searchParams.set('view', 'chat');
  await page.goto(link.href);
  const composer = page.getByRole('textbox', { name: 'Message' });
  await composer.fill(text);
  await composer.press('Enter');
  const app = page.frameLocator('.casement-thread iframe').frameLocator('iframe');
  await app.locator('#dashboard[data-state="shown"]').waitFor();
};

const show = (page, running, { mistake, say: text }) => {
  if (text !== undefined) return showChat(page, running, text);
  return mistake ? showMistake(page, running, mistake) : showExample(page, running);
};

const take = async (browser, running, shot) => {
  const { name, device, act } = shot;
  const context = await browser.newContext({ ...device, locale: 'en-GB', reducedMotion: 'reduce' });
  try {
    const page = await context.newPage();
    await show(page, running, shot);
    await act?.(page);
    // The app reports its height, the frame follows, and the page settles.
    await page.waitForTimeout(1_500);
    const picture = await page.screenshot();
    await writeFile(join(folder, `${name}.png`), picture);
    say(`docs/images/${name}.png: ${(picture.length / 1024).toFixed(0)} KB`);
    if (picture.length > maxBytes)
      throw new Error(`${name}.png is larger than 300 KB; show less or scale down.`);
  } finally {
    await context.close();
  }
};

runMain(async () => {
  await ensureInstalled();
  await ensureBuilt();
  await mkdir(folder, { recursive: true });
  const known = new Set(shots.map(({ name }) => `${name}.png`));
  for (const file of await readdir(folder)) if (!known.has(file)) await rm(join(folder, file));
  // Servers that the user of this machine keeps are nobody's business.
  const home = await mkdtemp(join(tmpdir(), 'casement-screenshots-'));
  process.env.XDG_CONFIG_HOME = home;
  const wanted = process.argv.slice(2);
  const taken = shots.filter(
    ({ name }) => wanted.length === 0 || wanted.some((start) => name.startsWith(start)),
  );
  const example = await startCli();
  const mistakes = await startCli(['--', process.execPath, 'e2e/inspector/mistakes/mistakes-server.mjs']);
  const browser = await chromium.launch({
    executablePath: await ensureChromium(),
    args: [
      ...['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
      // Frames of other origins, as the app's, do not follow the page's emulated scale and would be blurred.
      '--force-device-scale-factor=2',
    ],
  });
  try {
    for (const shot of taken) await take(browser, { example, mistakes }, shot);
  } finally {
    await browser.close();
    await Promise.all([example.stop(), mistakes.stop()]);
    await rm(home, { recursive: true, force: true });
  }
});
