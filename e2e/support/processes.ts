import { readdirSync, readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';

interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly state: string;
}

const readProcRow = (pid: number): ProcessRow[] => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command name may hold spaces and brackets; the fields begin after its last bracket.
    const [state = '', parent = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return [{ pid, parent: Number(parent), state }];
  } catch {
    return [];
  }
};

const readProcesses = (): ProcessRow[] => {
  if (process.platform === 'linux')
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => readProcRow(Number(name)));
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,state='], { encoding: 'utf8' });
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .map(([pid, parent, state = '']) => ({ pid: Number(pid), parent: Number(parent), state }));
};

/** Every process below this one, children first. */
export const listDescendants = (pid: number): number[] => {
  const rows = readProcesses();
  const below = (parent: number): number[] =>
    rows.filter((row) => row.parent === parent).flatMap((row) => [row.pid, ...below(row.pid)]);
  return below(pid);
};

/** Which of these still run; a process that ended and waits to be reaped does not count. */
export const listRunning = (pids: readonly number[]): number[] =>
  readProcesses()
    .filter((row) => pids.includes(row.pid) && !row.state.startsWith('Z') && !row.state.startsWith('X'))
    .map((row) => row.pid);
