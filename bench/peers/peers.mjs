// Casement beside other inspectors: one Node, one published server, one run; the rounds take turns, so that whatever
// slows the machine slows all.
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { root, say } from '../../scripts/lib/run.mjs';
import { toComparison } from '../figures.mjs';
import { openMeasured } from '../measured-page.mjs';
import { followRenderers, listTree, readResident } from '../processes.mjs';
import { startProgram } from '../start-program.mjs';
import { startPublishedServer } from '../published-server.mjs';
import { measureInstalled } from './installed-size.mjs';
import { products } from './products.mjs';

const folder = join(root, 'bench/peers');

/** The figures, in the order in which they are printed. */
const figures = [
  ['ready', 'command to HTTP ready', 'ms'],
  ['processor', 'processor time until ready', 'ms'],
  ['resident', 'resident memory, idle', 'MB'],
  ['usable', 'page: first control usable', 'ms'],
  ['runnable', 'page: its tool can be run', 'ms'],
  ['pageProcessor', 'page: processor time', 'ms'],
  ['bytes', 'page: bytes on the wire', 'B'],
  ['requests', 'page: requests', 'requests'],
  ['warm', "Run to the app's content, warm", 'ms'],
  ['cold', "Run to the app's content, cold", 'ms'],
  ['again', "Run to the app's content, again", 'ms'],
  ['installed', 'installed', 'MB'],
];

/** Long enough for whatever a page does on its own once it can be used. */
const quietMs = 3_000;

const findNode = () => {
  const own = join(folder, 'node_modules/.bin/node');
  if (existsSync(own)) return own;
  const [major] = process.versions.node.split('.').map(Number);
  if (major >= 22) return process.execPath;
  throw new Error('the peers need Node 22, which npm has for Linux alone: run the bench with Node 22.');
};

/** Cold: its tool is run as soon as it can be. */
const measureCold = async (browser, product, address) => {
  const visit = await openMeasured(browser, address, product.usable);
  try {
    await visit.usable();
    await product.choose(visit.page);
    return { cold: (await visit.runToContent(() => product.run(visit.page))).ms };
  } finally {
    await visit.close();
  }
};

/** The page's start, then a run of a tool that was chosen a while before, then another run. */
const measureWarm = async (browser, renderers, product, address) => {
  const before = renderers.processor();
  const visit = await openMeasured(browser, address, product.usable);
  const { page } = visit;
  const known = {};
  try {
    known.usable = await visit.usable();
    await pause(1_000);
    known.pageProcessor = renderers.processor() - before;
    Object.assign(known, await visit.readRequests());
    await product.choose(page);
    await pause(quietMs);
    known.warm = (await visit.runToContent(() => product.run(page))).ms;
    await pause(quietMs);
    const again = await visit.runToContent(() => (product.runAgain ?? product.run)(page));
    return { ...known, again: again.ms, keepsDocument: again.isSameDocument };
  } catch (error) {
    return { ...known, failure: error };
  } finally {
    await visit.close();
  }
};

const measureRunnable = async (browser, product, address) => {
  const visit = await openMeasured(browser, address, product.usable);
  try {
    await visit.usable();
    await product.choose(visit.page);
    return { runnable: visit.sinceNavigation() };
  } finally {
    await visit.close();
  }
};

const startProduct = async ({ node, home, serverUrl }, product) => {
  const { args, env, url, address, toPage = (found) => found } = await product.plan(serverUrl);
  // What a command keeps for its user must neither be found nor changed.
  const own = { HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home };
  const program = await startProgram({
    command: node,
    args,
    env: { ...env, ...own },
    cwd: home,
    url,
    address,
  });
  return { ...program, toLink: () => toPage(program.found[1]) };
};

/** What could be measured of a product in one round, and why not the rest. */
const measureProduct = async (browser, renderers, world, product) => {
  const known = {};
  let program;
  try {
    program = await startProduct(world, product);
    Object.assign(known, { ready: program.ready, processor: program.processor });
    await pause(quietMs);
    known.resident = listTree(program.pid).reduce((sum, pid) => sum + readResident(pid), 0);
    Object.assign(known, await measureWarm(browser, renderers, product, await program.toLink()));
    Object.assign(known, await measureRunnable(browser, product, await program.toLink()));
    Object.assign(known, await measureCold(browser, product, await program.toLink()));
    return known;
  } catch (error) {
    return { failure: error, ...known };
  } finally {
    await program?.stop();
  }
};

const readVersion = async ({ package: name }) => {
  if (name === undefined) return 'this commit';
  return JSON.parse(await readFile(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version;
};

const measureSize = ({ package: name }) =>
  name === undefined
    ? measureInstalled(root, 'packages/casement')
    : measureInstalled(folder, `node_modules/${name}`);

/** A second run in the document of the first makes no frame and starts no app, which the row has to say. */
const toOther = ({ name, runs }, key) =>
  key === 'again' && runs.some(({ keepsDocument }) => keepsDocument) ? `${name} (no new app)` : name;

const toRows = (runs) => {
  const [own, ...peers] = products.map(({ name }) => ({ name, runs: runs.get(name) }));
  const valuesOf = ({ runs: measured }, key) => measured.map((run) => run[key]).filter(Number.isFinite);
  return figures.flatMap(([key, name, unit]) => {
    const casement = valuesOf(own, key);
    if (casement.length === 0)
      throw new Error(`${name} could not be measured of Casement; the reason is above.`);
    return peers
      .map((peer) => ({ other: toOther(peer, key), beside: valuesOf(peer, key) }))
      .filter(({ beside }) => beside.length > 0)
      .map(({ other, beside }) => toComparison({ name, unit, casement, beside, other }));
  });
};

/** The rows of the peers: each figure of Casement's beside each peer's. */
export const benchPeers = async (browser, { peerRounds }) => {
  const node = findNode();
  const home = await mkdtemp(join(tmpdir(), 'casement-peers-'));
  // sunpeak wants a project around it.
  await writeFile(join(home, 'package.json'), '{"name":"project","private":true}\n');
  const server = await startPublishedServer(node);
  const renderers = await followRenderers(browser);
  const runs = new Map(products.map(({ name }) => [name, []]));
  try {
    for (const product of products) {
      say(`${product.name} ${await readVersion(product)}`);
      runs.get(product.name).push({ installed: (await measureSize(product)) / 1024 / 1024 });
    }
    const world = { node, home, serverUrl: server.url };
    for (let round = 0; round < peerRounds; round += 1) {
      for (const product of products) {
        const run = await measureProduct(browser, renderers, world, product);
        if (run.failure) say(`${product.name}, round ${round + 1}: ${run.failure.message}`);
        runs.get(product.name).push(run);
      }
    }
    return toRows(runs);
  } finally {
    await server.stop();
    await rm(home, { recursive: true, force: true });
  }
};
