// Lint rule: an import by a relative path stays inside its room, or goes to a room that the boundary table opens to it.
import { posix, relative, sep } from 'node:path';
import { findRoom, toSourceFolder } from '../../boundaries.js';
import { root } from './run.mjs';

/** The name of a room below its package's sources. */
const toRoomName = (folder, sources) => (folder === sources ? '.' : folder.slice(sources.length + 1));

/** Why a file may not import another, or undefined when it may. Paths are relative to the repository. */
const refuseImport = (file, target, isType) => {
  const sources = toSourceFolder(file);
  if (toSourceFolder(target) !== sources) return 'it leaves the package: import the package by its name';
  const from = findRoom(file);
  const to = findRoom(target);
  if (!from || !to || from.folder === to.folder) return undefined;
  const name = toRoomName(to.folder, sources);
  const isOpen = from.rooms?.includes(name) || (isType && from.typesOf?.includes(name));
  if (!isOpen) return `the room ${toRoomName(from.folder, sources)} may not import the room ${name}`;
  const inside = target.slice(to.folder.length + 1).replace(/\.(?:jsx?|tsx?)$/, '');
  if (to.door && !to.door.includes(inside))
    return `${inside} is inside the room ${name}, whose door is ${to.door.join(', ')}`;
  return undefined;
};

const toRepositoryPath = (path) => relative(root, path).split(sep).join('/');

export const roomRule = {
  meta: { type: 'problem', schema: [], messages: { closed: 'Closed by boundaries.js: {{reason}}.' } },
  create: (context) => {
    const file = toRepositoryPath(context.filename);
    const check = (source, isType) => {
      if (typeof source?.value !== 'string' || !source.value.startsWith('.')) return;
      const target = posix.join(posix.dirname(file), source.value);
      const reason = refuseImport(file, target, isType);
      if (reason) context.report({ node: source, messageId: 'closed', data: { reason } });
    };
    return {
      ImportDeclaration: (node) => check(node.source, node.importKind === 'type'),
      ExportNamedDeclaration: (node) => check(node.source, node.exportKind === 'type'),
      ExportAllDeclaration: (node) => check(node.source, node.exportKind === 'type'),
      ImportExpression: (node) => check(node.source, false),
      TSImportType: (node) => check(node.source ?? node.argument?.literal, true),
    };
  },
};
