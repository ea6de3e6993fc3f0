// From saving a file to the changed app on the screen, without a click, beside the same change in a plain Vite page that
// reloads as a whole. Both show the page of the published app; a line of text in it changes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { toComparison } from '../figures.mjs';
import { publishedServer } from '../published-server.mjs';
import { findFreePort, startProgram } from '../start-program.mjs';
import { startCli } from '../start-cli.mjs';
import { root } from '../../scripts/lib/run.mjs';

const mark = 'casement-bench';

/** Runs in every document: tells when a line that changed, and what the app's script draws, are painted. */
const watch = (mark) => {
  const { document, MutationObserver, requestAnimationFrame } = globalThis;
  let shown;
  const look = () => {
    const line = document.getElementById('saved-line')?.textContent;
    if (line === undefined || line === shown || !document.getElementById('root')?.firstElementChild) return;
    shown = line;
    // A frame callback runs before the paint it belongs to; what follows it in a task of its own comes after.
    requestAnimationFrame(() =>
      setTimeout(() => console.debug(mark, line, String(performance.timeOrigin + performance.now()))),
    );
  };
  new MutationObserver(look).observe(document, { childList: true, characterData: true, subtree: true });
};

const toClock = () => performance.timeOrigin + performance.now();

/** Opens a page that shows the app; `measure` gives the ms from a save to its line on the screen. */
const openPage = async (browser, url) => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addInitScript(watch, mark);
  const page = await context.newPage();
  const told = new Map();
  page.on('console', (message) => {
    const [first, line, at] = message.text().split(' ');
    if (first === mark && !told.has(line)) told.set(line, Number(at));
  });
  const until = async (line) => {
    const end = performance.now() + 30_000;
    while (!told.has(line)) {
      if (performance.now() > end) throw new Error(`"${line}" was not shown in 30 s.`);
      await pause(5);
    }
    return told.get(line);
  };
  await page.goto(url);
  await until('line-0');
  return {
    measure: async (line, save) => {
      const begun = toClock();
      await save(line);
      return (await until(line)) - begun;
    },
    close: () => context.close(),
  };
};

/** How long a server takes from its start to its first answer, without anything around it. */
const measureStart = async (script) => {
  const begun = performance.now();
  const child = spawn(process.execPath, [script, '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  };
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
  await once(child.stdout, 'data');
  const ms = performance.now() - begun;
  const gone = once(child, 'exit');
  child.kill();
  await gone;
  return ms;
};

/** The rows of the way from a saved file to the app. */
export const benchSaveToSee = async (browser, { saveRounds, quietMs }) => {
  const folder = await mkdtemp(join(tmpdir(), 'casement-bench-'));
  const own = join(folder, 'server');
  const plain = join(folder, 'plain');
  const source = dirname(publishedServer.script);
  const html = await readFile(join(source, 'mcp-app.html'), 'utf8');
  const toPage = (line) => html.replace('<body>', () => `<body><p id="saved-line">${line}</p>`);
  const stops = [];
  try {
    await cp(source, join(own, 'dist'), { recursive: true });
    await writeFile(join(own, 'package.json'), '{ "type": "module" }');
    await cp(source, plain, { recursive: true });
    const program = await readFile(publishedServer.script, 'utf8');
    const savePage = (line) => writeFile(join(own, 'dist/mcp-app.html'), toPage(line));
    const saveBoth = async (line) => {
      await savePage(line);
      await writeFile(join(own, 'dist/index.js'), `${program}\n// ${line}\n`);
    };
    const savePlain = (line) => writeFile(join(plain, 'index.html'), toPage(line));
    await savePage('line-0');
    await savePlain('line-0');

    const cli = await startCli([
      '--watch',
      '--run',
      publishedServer.tool,
      process.execPath,
      join(own, 'dist/index.js'),
      '--stdio',
    ]);
    stops.push(cli.stop);
    const port = await findFreePort();
    const vite = await startProgram({
      command: process.execPath,
      args: [join(root, 'node_modules/vite/bin/vite.js'), plain, '--port', `${port}`, '--strictPort'],
      // On CI it would colour what it prints, and the word would not be found.
      env: { NO_COLOR: '1' },
      address: /Local:/,
    });
    stops.push(vite.stop);

    const page = await openPage(browser, cli.url);
    const beside = await openPage(browser, `http://localhost:${port}/`);
    const kinds = { page: [page, savePage], restarted: [page, saveBoth], beside: [beside, savePlain] };
    const runs = { page: [], restarted: [], beside: [] };
    const starts = [];
    for (let round = 1; round <= saveRounds; round += 1)
      for (const [kind, [where, save]] of Object.entries(kinds)) {
        await pause(quietMs);
        runs[kind].push(await where.measure(`line-${kind}-${round}`, save));
        if (kind === 'beside') starts.push(await measureStart(publishedServer.script));
      }
    const { page: casement, restarted, beside: plainRuns } = runs;
    return [
      toComparison({
        name: 'saving the app’s page to the app',
        unit: 'ms',
        casement,
        beside: plainRuns,
        other: 'plain Vite page',
      }),
      toComparison({
        name: 'saving page and server to the app',
        unit: 'ms',
        casement: restarted,
        beside: plainRuns.map((ms, index) => ms + starts[index]),
        other: 'Vite page and bare server',
      }),
    ];
  } finally {
    for (const stop of stops) await stop();
    await rm(folder, { recursive: true, force: true });
  }
};
