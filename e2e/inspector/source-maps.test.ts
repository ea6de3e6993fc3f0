import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Locator, Request } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { browser, casement, useCasement } from '../support/use-casement.js';
import { expectTold, noted, startReading } from '../support/told.js';
import { openInspector, type InspectorPage } from './support.js';

/** An origin that the apps declare; the browser's own network is answered by the test. */
const allowed = 'https://maps.example';
const root = join(import.meta.dirname, '..', '..');
const serverFile = join(import.meta.dirname, 'source-maps-server.mjs');

/** An app with two mistakes: one as it starts, one when its button is pressed. */
const source = `import { App } from '@casement/app';
import { createRoot } from 'react-dom/client';

interface Forecast {
  today?: { name: string };
}

const Later = () => (
  <button
    onClick={() => {
      const nothing: { list?: string[] } = {};
      // The list never came.
      document.title = nothing.list!.join();
    }}
  >
    Break it
  </button>
);

const greet = (forecast: Forecast): string => {
  // Nobody asked whether there is a today.
  return forecast.today!.name.toUpperCase();
};

void new App({ name: 'maps', version: '1' }, {}).connect();
createRoot(document.body.appendChild(document.createElement('main'))).render(<Later />);
void Promise.reject(new TypeError('No forecast came.'));
greet({});
`;

const lineOf = (words: string): number => source.split('\n').findIndex((line) => line.includes(words)) + 1;

/** Every request for a map that somebody sent over HTTP, by the origin that sent it. */
const fetched: { url: string | undefined; origin: string | undefined }[] = [];
let maps: Server | undefined;
let servedMap = '';
let apps = '';

const listen = async (): Promise<string> => {
  maps = createServer(({ url, headers }, response) => {
    fetched.push({ url, origin: headers.origin });
    response.setHeader('access-control-allow-origin', '*').end(servedMap);
  });
  await new Promise<void>((resolve) => maps?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(maps?.address() as AddressInfo).port}`;
};

const buildApps = async (folder: string, origin: string): Promise<void> => {
  const built = await build({
    stdin: {
      contents: source,
      loader: 'tsx',
      resolveDir: join(root, 'packages/react'),
      sourcefile: 'src/app.tsx',
    },
    bundle: true,
    minify: true,
    jsx: 'automatic',
    format: 'iife',
    define: { 'process.env.NODE_ENV': '"production"' },
    sourcemap: 'external',
    outfile: '/app.js',
    write: false,
    logLevel: 'warning',
  });
  const script = built.outputFiles.find(({ path }) => path.endsWith('.js'))?.text ?? '';
  servedMap = built.outputFiles.find(({ path }) => path.endsWith('.map'))?.text ?? '';
  const inline = `data:application/json;base64,${Buffer.from(servedMap).toString('base64')}`;
  const write = (name: string, map: string): void => {
    const code = script.replaceAll('</script', '<\\/script');
    writeFileSync(
      join(folder, `${name}.html`),
      `<!doctype html>\n<html>\n<script>document.documentElement.lang = 'en';</script>\n<body><script>${code}//# sourceMappingURL=${map}\n</script></body></html>\n`,
    );
  };
  write('inline', inline);
  write('served', 'app.js.map');
  write('elsewhere', `${origin}/app.js.map`);
  write('allowed', `${allowed}/app.js.map`);
  write('huge', 'huge.js.map');
  writeFileSync(join(folder, 'app.js.map'), servedMap);
  writeFileSync(join(folder, 'huge.js.map'), '');
};

useCasement(async (folder) => {
  apps = join(folder, 'apps');
  mkdirSync(apps);
  const origin = await listen();
  await buildApps(apps, origin);
  return { maps: { command: process.execPath, args: [serverFile, apps, allowed] } };
});

afterAll(() => maps?.close());

const open = async (
  tool: string,
  prepare?: (inspector: InspectorPage) => Promise<unknown>,
): Promise<InspectorPage & { requests: string[] }> => {
  const url = new URL(casement.url);
  url.searchParams.set('tab', 'state');
  const inspector = await openInspector(browser, url.href, { server: 'maps', tool, args: {} });
  const requests: string[] = [];
  inspector.page.on('request', (request: Request) => requests.push(request.url()));
  await prepare?.(inspector);
  await startReading(inspector.page);
  await inspector.stage.run();
  await inspector.stage.reaches('ready');
  return { ...inspector, requests };
};

/** The source of the error with these words in the State tab; that of the first is shown at once, others are opened by keyboard. */
const showSource = async ({ section }: InspectorPage, words: string): Promise<Locator> => {
  const row = section(/^Findings/)
    .getByRole('listitem')
    .filter({ hasText: words });
  await row.waitFor();
  const summary = row.getByText('Show source');
  if ((await summary.count()) > 0) {
    await summary.focus();
    await summary.press('Enter');
  }
  return row.getByRole('group', { name: 'Source', exact: true });
};

/** Cause, fix and the author's own line of the error at the start are to be read one click away, soon after it came. */
const isToldInTime = ({ page }: InspectorPage): Promise<void> =>
  expectTold(
    page,
    'panel',
    [
      'The app threw an error that nothing caught',
      'Fix the error, or catch it where it can happen.',
      `src/app.tsx:${lineOf('forecast.today!')}:`,
      '// Nobody asked whether there is a today.',
    ],
    noted('finding', { code: 'script-error' }),
  );

const atStart = "reading 'name'";
const onPress = "reading 'join'";

test('an inline map leads an error at the start and one later to file, line and source', async () => {
  const inspector = await open('inline');
  await isToldInTime(inspector);
  const first = await showSource(inspector, atStart);
  await eventually(() => first.innerText()).toContain(`src/app.tsx:${lineOf('forecast.today!')}:`);
  expect(await first.innerText()).toContain('// Nobody asked whether there is a today.');
  const rejected = await showSource(inspector, 'No forecast came.');
  await eventually(() => rejected.innerText()).toContain(`src/app.tsx:${lineOf('No forecast came')}:`);
  await (await inspector.stage.app()).getByRole('button', { name: 'Break it' }).click();
  const later = await showSource(inspector, onPress);
  await eventually(() => later.innerText()).toContain(`src/app.tsx:${lineOf('nothing.list!')}:`);
  expect(await later.innerText()).toContain('// The list never came.');
  // The place in what was sent is the HTML's, whatever the browser counts from.
  const [, line = '', column = ''] = /the app’s HTML:(\d+):(\d+)/.exec(await later.innerText()) ?? [];
  const html = readFileSync(join(apps, 'inline.html'), 'utf8');
  expect(html.split('\n')[Number(line) - 1]?.slice(Number(column) - 1, Number(column) + 3)).toBe('join');
  await inspector.close();
});

test('a served map is read from the app’s server, and nothing else is asked for it', async () => {
  const inspector = await open('served');
  await isToldInTime(inspector);
  const found = await showSource(inspector, atStart);
  await eventually(() => found.innerText()).toContain(`src/app.tsx:${lineOf('forecast.today!')}:`);
  expect(await found.innerText()).toContain('// Nobody asked whether there is a today.');
  const reads = (await inspector.stage.recording()).filter(({ raw }) =>
    JSON.stringify(raw ?? '').includes('"uri":"ui://maps/app.js.map"'),
  );
  expect(reads.length).toBeGreaterThan(0);
  const ports = [casement.port, casement.sandboxPort].map(String);
  expect(inspector.requests.map((url) => new URL(url).pathname)).toContain(
    '/api/servers/maps/resources/read',
  );
  expect(inspector.requests.filter((url) => !ports.includes(new URL(url).port))).toEqual([]);
  expect(inspector.requests.filter((url) => url.includes('.map'))).toEqual([]);
  await inspector.close();
});

test('a map that the app did not declare is fetched by nobody', async () => {
  const inspector = await open('elsewhere');
  const found = await showSource(inspector, atStart);
  await eventually(() => found.innerText()).toContain('policy does not let it read from');
  expect(await found.innerText()).toContain('/app.js.map');
  expect(fetched).toEqual([]);
  await inspector.close();
});

test('a map of a declared origin is fetched by the app’s own frame alone', async () => {
  const askers: string[] = [];
  // The source of the first error is looked for as soon as it is known.
  const inspector = await open('allowed', ({ page }) =>
    page.context().route(`${allowed}/**`, async (route) => {
      askers.push(new URL(route.request().frame().url()).hostname);
      await route.fulfill({ body: servedMap, headers: { 'access-control-allow-origin': '*' } });
    }),
  );
  const found = await showSource(inspector, atStart);
  await eventually(() => found.innerText()).toContain(`src/app.tsx:${lineOf('forecast.today!')}:`);
  const { address } = (await inspector.stage.snapshot()) ?? {};
  expect(askers).toEqual([new URL(address?.appOrigin ?? '').hostname]);
  await inspector.close();
});

test('a map of 50 MB is refused by name, and the page goes on', async () => {
  const inspector = await open('huge');
  await showSource(inspector, atStart);
  await inspector.tab('Security').click();
  await inspector.page.getByRole('group', { name: 'Security', exact: true }).waitFor();
  await inspector.tab('State').click();
  const again = await showSource(inspector, atStart);
  await eventually(() => again.innerText()).toMatch(/larger than 32 MB|did not give the source map/);
  await inspector.close();
});
