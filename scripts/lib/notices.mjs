// The licences of the packages of others whose code is put into files of ours.
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './run.mjs';

const rule = '-'.repeat(80);

/** The folder of the package that a file of node_modules belongs to; undefined for a file of ours. */
const toPackageFolder = (input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input)?.[0];

/**
 * The packages that a file carries within itself: whoever bundled it left a comment at each of their modules, which names
 * the package and its version.
 */
const findCarried = (text) =>
  [...text.matchAll(/^\/\/#region .*node_modules\/\.pnpm\/(@?[^@/\s]+)@([^_/\s]+)[^/\s]*\//gm)].map(
    ([, name, version]) => ({ name: name.replace('+', '/'), version }),
  );

const readManifest = async (folder) => JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'));

/** The texts of a package's own licence files. */
const readLicence = async (folder) => {
  const names = await readdir(join(root, folder)).catch(() => []);
  const wanted = names.filter((name) => /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i.test(name)).sort();
  const texts = await Promise.all(wanted.map((name) => readFile(join(root, folder, name), 'utf8')));
  return texts.map((text) => text.replaceAll('\r\n', '\n').trim()).join('\n\n');
};

const readNotice = async (folder) => {
  const { name, version, license, repository } = await readManifest(folder);
  const source = typeof repository === 'string' ? repository : repository?.url;
  return { name, version, license, source, text: await readLicence(folder) };
};

/** Gives a package without a licence file that of another one with the same licence from the same repository. */
const withLicence = (notice, others) => {
  const isSame = ({ source, license, text }) =>
    text !== '' && source === notice.source && license === notice.license;
  const text = notice.text || others.find(isSame)?.text;
  if (text === undefined) throw new Error(`${notice.name} has no licence file; it cannot be shipped.`);
  return { ...notice, text };
};

/** Where npm has put a package, in that version if it has several. */
const findFolder = async ({ name, version, by }) => {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  const found = Object.keys(packages).filter((path) => path.endsWith(`node_modules/${name}`));
  const folder = found.find((path) => packages[path].version === version) ?? found[0];
  if (folder === undefined)
    throw new Error(`${by} carries ${name}, whose licence is not at hand; install ${name} for it.`);
  return folder;
};

/** Lists the packages behind the inputs of metafiles, each with its licence, and those that they carry within. */
const listNotices = async (inputs) => {
  const foreign = inputs.filter((path) => toPackageFolder(path) !== undefined);
  const own = await Promise.all([...new Set(foreign.map(toPackageFolder))].map(readNotice));
  const carried = new Map();
  for (const input of foreign) {
    const { name: by } = await readManifest(toPackageFolder(input));
    for (const { name, version } of findCarried(await readFile(join(root, input), 'utf8')))
      carried.set(`${name}@${version}`, { name, version, by });
  }
  const within = await Promise.all(
    [...carried.values()].map(async (one) => ({ ...(await readNotice(await findFolder(one))), ...one })),
  );
  const all = [...within, ...own].map((notice) => [`${notice.name}@${notice.version}`, notice]);
  return [...new Map(all).values()]
    .map((notice) => withLicence(notice, own))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
};

/** The text of a notices file for the inputs of metafiles, by their paths from the repository. */
export const toNotices = async (inputs) => {
  const notices = await listNotices(inputs);
  const sections = notices.map(
    ({ name, version, license, by, text }) =>
      `${rule}\n${name} ${version} (${license})${by === undefined ? '' : `, within ${by}`}\n${rule}\n\n${text}\n`,
  );
  return `Casement contains code of these packages.\n\n${sections.join('\n')}`;
};
