import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCasement, type RunningCasement } from '../support/casement.js';
import { createTempFolder, writeConfig } from '../support/config-file.js';
import { eventually } from '../support/eventually.js';
import { toBrowserStage, type BrowserStage } from './support/browser-stage.js';
import { startBrowser, type BrowserName, type StartedBrowser } from './support/start-browser.js';

// Browsers name and count the places of scripts in a written document in ways of their own.
const browsers: readonly BrowserName[] = ['firefox', 'webkit'];

const folder = createTempFolder();
let casement: RunningCasement;

const source = `const forecast: { today?: { name: string } } = {};
const fail = (): string => {
  // Nobody asked whether there is a today.
  return forecast.today!.name;
};
void Promise.resolve().then(() => { throw new TypeError('late ' + typeof forecast); });
fail();
`;

beforeAll(async () => {
  const apps = join(folder.path, 'apps');
  mkdirSync(apps);
  const { outputFiles } = buildSync({
    stdin: { contents: source, loader: 'ts', sourcefile: 'src/app.ts' },
    minify: true,
    sourcemap: 'inline',
    outfile: '/app.js',
    write: false,
  });
  writeFileSync(
    join(apps, 'broken.html'),
    `<!doctype html>\n<html>\n<script>document.documentElement.lang = 'en';</script>\n<body><script>${outputFiles[0]?.text}</script></body></html>\n`,
  );
  const server = join(import.meta.dirname, '..', 'inspector', 'source-maps-server.mjs');
  const config = writeConfig(folder.path, {
    maps: { command: process.execPath, args: [server, apps, 'https://maps.example'] },
  });
  casement = await startCasement(['--config', config, '--trust-config']);
});

afterAll(async () => {
  await casement?.stop();
  folder.remove();
});

describe.each(browsers)('%s', (name) => {
  let browser: StartedBrowser;
  let stage: BrowserStage;
  beforeAll(async () => {
    browser = await startBrowser(name);
    stage = toBrowserStage(browser);
  });
  afterAll(() => browser?.close());

  test('an error of an app leads to its source by an inline map, and so does a rejection', async () => {
    const url = new URL(casement.url);
    url.searchParams.set('tab', 'state');
    await stage.open(url.href, { server: 'maps', tool: 'broken', args: {}, run: true });
    await eventually(async () => (await stage.snapshot())?.scriptErrors.length).toBe(2);
    const open = (): Promise<number> =>
      stage.page.run(0, () => {
        const folded = [...document.querySelectorAll('.state-panel details')].filter((one) =>
          one.textContent?.startsWith('Show source'),
        );
        for (const one of folded) (one as HTMLDetailsElement).open = true;
        return folded.length;
      });
    // The panel is drawn after what is used first.
    await eventually(open).toBeGreaterThanOrEqual(2);
    await eventually(() => stage.textOf('.state-panel .source')).toContain('src/app.ts:4:');
    await eventually(() => stage.textOf('.state-panel .source')).toContain('src/app.ts:6:');
    expect(await stage.textOf('.state-panel .source')).toContain('// Nobody asked whether there is a today.');
  });
});
