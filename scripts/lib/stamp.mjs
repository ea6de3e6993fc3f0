// A stamp is a content hash written after a step succeeded; the step is stale when its inputs hash differently.
import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { root } from './run.mjs';

const skipped = new Set(['node_modules', 'dist', 'generated', '.cache', '.git']);

const filesBelow = async (path) => {
  const info = await stat(path).catch(() => undefined);
  if (!info) return [];
  if (info.isFile()) return [path];
  const names = (await readdir(path)).filter((name) => !skipped.has(name)).sort();
  return (await Promise.all(names.map((name) => filesBelow(join(path, name))))).flat();
};

const hashInputs = async (inputs) => {
  const hash = createHash('sha256').update(process.version);
  const files = (await Promise.all(inputs.map((input) => filesBelow(join(root, input))))).flat();
  for (const file of files) hash.update(`\0${file.slice(root.length)}\0`).update(await readFile(file));
  return hash.digest('hex');
};

/** Runs `step` only when `inputs` changed since it last succeeded or one of `outputs` is gone. */
export const whenStale = async ({ stamp, inputs, outputs, step }) => {
  const stampFile = join(root, stamp);
  const current = await hashInputs(inputs);
  const recorded = await readFile(stampFile, 'utf8').catch(() => '');
  const present = await Promise.all(
    outputs.map((output) =>
      stat(join(root, output)).then(
        () => true,
        () => false,
      ),
    ),
  );
  if (recorded === current && present.every(Boolean)) return;
  await rm(stampFile, { force: true });
  await step();
  await mkdir(dirname(stampFile), { recursive: true });
  await writeFile(stampFile, current);
};
