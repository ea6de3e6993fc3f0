import { createInterface } from 'node:readline/promises';
import { openUserStorage, type StoredItem } from '@casement/gateway';
import { toPrintable } from '@casement/protocol/basics';
import { readCacheDir } from './compile-cache.js';
import type { ForgetRequest } from './parse-command-line.js';

const words = new Map([
  ['servers', 'servers you added, and the order of the list'],
  ['secrets', 'their keys and passwords'],
  ['confirmations', 'what you agreed to start'],
  ['sign-ins', 'accounts you signed in to servers with'],
  ['sign-in key', 'the key of these accounts'],
  ['salt', 'what makes the identity of servers, and so the origin of their apps'],
  ['compiled', 'the command itself, compiled'],
]);

const toLine = ({ what, where, bytes, lasts }: StoredItem): string =>
  `  ${what.padEnd(14)} ${toPrintable(where, 500, { mode: 'replace' })}  (${bytes} bytes; ${words.get(what) ?? what}; stays ${lasts})\n`;

const ask = async (): Promise<boolean> => {
  // A pipe that says nothing is no yes.
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  const answer = await Promise.race([lines.question('Delete all of it? Type yes: '), ended]);
  lines.close();
  return answer.trim().toLowerCase() === 'yes';
};

/** Says what Casement stores on this machine and deletes it after a yes; the number is the code to end with. */
export const forget = async ({ list, yes }: ForgetRequest): Promise<number> => {
  const storage = openUserStorage(readCacheDir());
  const items = await storage.list();
  if (items.length === 0) {
    process.stdout.write('Casement stores nothing on this machine.\n');
    return 0;
  }
  process.stdout.write(`Casement stores on this machine:\n${items.map(toLine).join('')}`);
  process.stdout.write('What the page stores is in your browser: clear the data of its site there.\n');
  if (list) return 0;
  if (!yes && !(await ask())) {
    process.stdout.write('Nothing was deleted.\n');
    return 1;
  }
  await storage.forget([...new Set(items.map(({ what }) => what))]);
  process.stdout.write('Deleted.\n');
  return 0;
};
