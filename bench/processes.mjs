// What processes cost, as Linux tells it: processor time of all threads, and memory.
import { readdirSync, readFileSync } from 'node:fs';

const read = (path) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Processes end while they are looked at.
    return '';
  }
};

const list = (path) => {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
};

/** The fields after a process's name, which may itself hold blanks and brackets; the first is its state. */
const readStat = (pid) => {
  const stat = read(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
};

/** Whether this system tells what its processes cost. */
export const canReadProcesses = process.platform === 'linux';

/** Every process that this one started, itself first. */
export const listTree = (pid) => {
  if (!canReadProcesses) throw new Error('the costs of processes can be read on Linux alone.');
  const parents = list('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), Number(readStat(name)[1])]);
  const below = (parent) =>
    parents.filter(([, of]) => of === parent).flatMap(([child]) => [child, ...below(child)]);
  return [pid, ...below(pid)];
};

/** Processor time of a process so far in ms, to the microsecond; threads that have ended are not in it. */
export const readProcessor = (pid) =>
  list(`/proc/${pid}/task`)
    .map((thread) => Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0]) / 1e6)
    .reduce((sum, ms) => sum + (Number.isFinite(ms) ? ms : 0), 0);

const msPerTick = 10;
const readTicks = (pid, ...fields) => {
  const stat = readStat(pid);
  return fields.reduce((sum, field) => sum + Number(stat[field] ?? 0), 0) * msPerTick;
};

/** Processor time of a process so far in ms, in steps of ten; it stays right while the process ends. */
const readWhole = (pid) => readTicks(pid, 11, 12);

/** Processor time in ms of the children that ended and that this process took note of. */
const readReaped = (pid) => readTicks(pid, 13, 14);

/** Processor time of a command so far in ms, with all that it started. */
export const readTreeProcessor = (pid) =>
  listTree(pid).reduce((sum, one) => sum + readProcessor(one) + readReaped(one), 0);

const readField = (path, name) =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(read(path))?.[1] ?? 0) / 1024;

/** Resident memory of one process in MB. */
export const readResident = (pid) => readField(`/proc/${pid}/status`, 'VmRSS');

/** Resident memory of one process in MB, what it shares with others by its share. */
const readProportional = (pid) => readField(`/proc/${pid}/smaps_rollup`, 'Pss');

const toKind = (pid) => /--type=([\w-]+)/.exec(read(`/proc/${pid}/cmdline`))?.[1] ?? '';

/** The processes of a Chromium that show pages, also those that just end, and those that take note of such. */
const sortBrowser = (pid) => {
  const tree = listTree(pid).map((one) => ({
    pid: one,
    parent: Number(readStat(one)[1]),
    kind: toKind(one),
  }));
  const zygotes = tree.filter(({ kind }) => kind === 'zygote').map((one) => one.pid);
  // A process that ends has lost its arguments.
  const isRenderer = ({ parent, kind }) => kind === 'renderer' || (kind === '' && zygotes.includes(parent));
  return { renderers: tree.filter(isRenderer).map((one) => one.pid), zygotes };
};

/** Follows what the pages of a browser cost. */
export const followRenderers = async (browser) => {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const pid = processInfo.find(({ type }) => type === 'browser').id;
  return {
    /** Processor time in ms of all pages so far, those that are gone included. */
    processor() {
      const { renderers, zygotes } = sortBrowser(pid);
      const sum = (pids, of) => pids.reduce((total, one) => total + of(one), 0);
      return sum(renderers, readWhole) + sum(zygotes, readReaped);
    },
    /** Memory in MB of all pages that are there. */
    memory: () => sortBrowser(pid).renderers.reduce((sum, one) => sum + readProportional(one), 0),
  };
};
