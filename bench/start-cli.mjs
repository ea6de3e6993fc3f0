import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../scripts/lib/run.mjs';

/** Starts the built command and resolves with its ready line and a way to end it. */
export const startCli = async (args = []) => {
  const cli = join(root, 'packages/casement/dist/cli.js');
  const child = spawn(process.execPath, [cli, '--json', '--no-open', '--port', '0', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 2],
  });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the command ended with code ${code}.`);
  });
  ended.catch(() => undefined);
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended]);
  return {
    ...JSON.parse(line),
    pid: child.pid,
    async stop() {
      if (child.exitCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
};

/** The link that the command opens or prints for its user, of the address that it gives programs; it works once. */
export const createLink = async (url) => {
  const link = new URL(url);
  const fragment = new URLSearchParams(link.hash.slice(1));
  const answer = await fetch(`${link.origin}/api/access/codes`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${fragment.get('token')}`, 'Content-Type': 'application/json' },
    body: '{}',
  });
  const { code } = await answer.json();
  fragment.delete('token');
  link.pathname = '/open';
  link.hash = new URLSearchParams([['code', code], ...fragment]).toString();
  return link.href;
};
