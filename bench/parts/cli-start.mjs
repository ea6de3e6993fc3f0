// The command beside a Node that does nothing: its own processor time until it answers, and until the tools of one
// server over standard streams are listed; the server's own cost is not counted.
import { setTimeout as pause } from 'node:timers/promises';
import { toComparison } from '../figures.mjs';
import { readProcessor, readResident } from '../processes.mjs';
import { publishedServer } from '../published-server.mjs';
import { startCli } from '../start-cli.mjs';
import { startProgram } from '../start-program.mjs';

const measureCommand = async (idleMs) => {
  const begun = performance.now();
  const cli = await startCli(['--', process.execPath, publishedServer.script, '--stdio']);
  try {
    const origin = new URL(cli.url).origin;
    const ask = async (path) => {
      const answer = await fetch(`${origin}/api/${path}`, {
        headers: { authorization: `Bearer ${cli.token}` },
      });
      if (!answer.ok) throw new Error(`the gateway answered ${answer.status} to ${path}.`);
      return answer.json();
    };
    await ask('status');
    const known = { clock: performance.now() - begun, status: readProcessor(cli.pid) };
    const { tools } = await ask(`servers/${encodeURIComponent(cli.servers[0].name)}/tools`);
    if (tools.length === 0) throw new Error('the server has no tools.');
    known.tools = readProcessor(cli.pid);
    await pause(idleMs);
    return { ...known, resident: readResident(cli.pid) };
  } finally {
    await cli.stop();
  }
};

/** `node -e 0`, kept alive so that it can be looked at in the same way. */
const measureNode = async (idleMs) => {
  const { pid, ready, stop } = await startProgram({
    command: process.execPath,
    args: ['-e', "process.stdout.write('up');setInterval(() => 0, 1e6)"],
    address: /(up)/,
  });
  try {
    const processor = readProcessor(pid);
    await pause(idleMs);
    return { clock: ready, status: processor, tools: processor, resident: readResident(pid) };
  } finally {
    await stop();
  }
};

const figures = [
  ['clock', 'command to the first answer of /api/status', 'ms'],
  ['status', 'processor time to the first answer of /api/status', 'ms'],
  ['tools', 'processor time to the first list of tools', 'ms'],
  ['resident', 'resident memory, idle', 'MB'],
];

/** The rows of the command's start. */
export const benchCliStart = async (_browser, { startRounds, idleMs }) => {
  const own = [];
  const beside = [];
  for (let round = 0; round < startRounds; round += 1) {
    own.push(await measureCommand(idleMs));
    beside.push(await measureNode(idleMs));
  }
  return figures.map(([key, name, unit]) =>
    toComparison({
      name,
      unit,
      casement: own.map((run) => run[key]),
      beside: beside.map((run) => run[key]),
      other: 'node -e 0',
    }),
  );
};
