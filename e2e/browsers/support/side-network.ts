import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTempFolder } from '../../support/config-file.js';
import { waitUntil } from '../../support/eventually.js';
import { startChild } from './child.js';

// Two addresses of a range that is kept for documentation: nothing in the world has them, nothing routes them further.
const first = (process.pid % 64) * 4;
const OURS = `203.0.113.${first + 1}`;

/** The address that listens; it exists while a network is open. */
export const INSIDE = `203.0.113.${first + 2}`;

const name = `casement-${process.pid}`;
const outer = `cas${process.pid}o`;
const inner = `cas${process.pid}i`;

const ip = (...args: string[]): boolean => spawnSync('ip', args).status === 0;

const make = (): boolean =>
  ip('netns', 'add', name) &&
  ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', inner) &&
  ip('link', 'set', inner, 'netns', name) &&
  ip('addr', 'add', `${OURS}/30`, 'dev', outer) &&
  ip('link', 'set', outer, 'up') &&
  ip('-n', name, 'addr', 'add', `${INSIDE}/30`, 'dev', inner) &&
  ip('-n', name, 'link', 'set', inner, 'up') &&
  spawnSync('unshare', ['-m', 'true']).status === 0;

const remove = (): void => {
  ip('link', 'del', outer);
  ip('netns', 'del', name);
};

/** A network namespace that listens where browsers talk past a content policy. */
export interface SideNetwork {
  /** Put before a browser's command: its questions for names go into the namespace, and to nobody else. */
  readonly within: readonly string[];
  /** Who came by which door. */
  seen(who: 'app' | 'plain'): string[];
  close(): Promise<void>;
}

/** Makes the namespace; undefined where that is not permitted. */
export const openSideNetwork = async (): Promise<SideNetwork | undefined> => {
  // A run that is broken off takes it along as well.
  process.once('exit', remove);
  const giveUp = (): void => {
    remove();
    process.off('exit', remove);
  };
  if (!make()) {
    giveUp();
    return undefined;
  }
  const folder = createTempFolder();
  const resolver = join(folder.path, 'resolv.conf');
  writeFileSync(resolver, `nameserver ${INSIDE}\n`);
  const script = join(import.meta.dirname, 'side-listener.mjs');
  const listener = startChild(process.execPath, [script, INSIDE], {
    within: ['ip', 'netns', 'exec', name],
  });
  const lines = (): string[] => listener.said().split('\n');
  const close = async (): Promise<void> => {
    await listener.stop();
    giveUp();
    folder.remove();
  };
  try {
    const listens = waitUntil(lines, (said) => said.includes('listening'), { what: 'listening' });
    await Promise.race([listens, listener.ended]);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    within: ['unshare', '-m', 'sh', '-c', `mount --bind ${resolver} /etc/resolv.conf && exec "$@"`, 'sh'],
    seen: (who) =>
      lines()
        .filter((line) => line.startsWith(`${who}: `))
        .map((line) => line.slice(who.length + 2))
        .sort(),
    close,
  };
};
