import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ESLint } from 'eslint';
import { describe, expect, test } from 'vitest';
import { boundaries, toSourceFolder } from '../../boundaries.js';
import { listSources, readImports, root } from './sources.js';

const sources = listSources();
const imports = readImports(sources);

/** Groups of files that import each other in a circle (Tarjan's strongly connected components). */
const findCycles = (graph: ReadonlyMap<string, readonly string[]>): string[][] => {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const cycles: string[][] = [];
  const visit = (file: string): number => {
    const own = order.size;
    order.set(file, own);
    lowest.set(file, own);
    open.push(file);
    for (const next of graph.get(file) ?? []) {
      const reached = order.has(next) ? (open.includes(next) ? (order.get(next) ?? own) : own) : visit(next);
      lowest.set(file, Math.min(lowest.get(file) ?? own, reached));
    }
    if (lowest.get(file) === own) {
      const group = open.splice(open.indexOf(file));
      if (group.length > 1 || graph.get(file)?.includes(file)) cycles.push(group.sort());
    }
    return lowest.get(file) ?? own;
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return cycles;
};

describe('rooms', () => {
  test('no source folder holds more than 25 source files', () => {
    const counts = new Map<string, number>();
    for (const file of sources) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > 25)).toEqual([]);
  });

  test('no files import each other in a circle, types and dynamic imports included', () => {
    expect(findCycles(imports)).toEqual([]);
  });

  test('a circle is found when there is one', () => {
    const graph = new Map([
      ['a', ['b']],
      ['b', ['c']],
      ['c', ['a', 'd']],
      ['d', []],
    ]);
    expect(findCycles(graph)).toEqual([['a', 'b', 'c']]);
  });

  test('every row of the boundary table is a folder, and opens rooms that exist', () => {
    const missing = boundaries.flatMap(({ folder, rooms = [], typesOf = [], door = [] }) => {
      const sourceFolder = toSourceFolder(folder) ?? '';
      const opened = [...rooms, ...typesOf].map((room) =>
        room === '.' ? sourceFolder : `${sourceFolder}/${room}`,
      );
      const doors = door.map((file) => [`${folder}/${file}.ts`, `${folder}/${file}.tsx`]);
      return [
        ...[folder, ...opened].filter((path) => !boundaries.some((row) => row.folder === path)),
        ...[folder].filter((path) => !path.endsWith('/generated') && !existsSync(join(root, path))),
        ...doors
          .filter((paths) => !paths.some((path) => existsSync(join(root, path))))
          .map((paths) => paths[0]),
      ];
    });
    expect(missing).toEqual([]);
  });

  test('no room, but the folder of doors, may import every other room', () => {
    const wide = boundaries.filter(({ folder, rooms = [] }) => {
      const sourceFolder = toSourceFolder(folder);
      const others = boundaries.filter(
        (row) => toSourceFolder(row.folder) === sourceFolder && row.folder !== folder,
      );
      return folder !== sourceFolder && others.length > 3 && rooms.length === others.length;
    });
    expect(wide.map(({ folder }) => folder)).toEqual([]);
  });
});

describe('locks', () => {
  const eslint = new ESLint({ cwd: root });

  /** What lint says about one line in a file that need not exist. */
  const lint = async (file: string, line: string): Promise<string[]> => {
    const [result] = await eslint.lintText(`${line}\n`, { filePath: join(root, file) });
    return (result?.messages ?? [])
      .filter(({ ruleId }) => ruleId === 'rooms/stay-in-room' || ruleId?.endsWith('no-restricted-imports'))
      .map(({ message }) => message);
  };

  test.each(forbidden())('$from may not import $what', async ({ from, line }) => {
    expect(await lint(from, line)).toHaveLength(1);
  });

  test.each(allowed())('$from may import $what', async ({ from, line }) => {
    expect(await lint(from, line)).toEqual([]);
  });
});

function forbidden() {
  return [
    {
      from: 'packages/host/src/core/session/new-file.ts',
      what: 'the DOM side of the host',
      line: "export { mountApp } from '../../dom/mount-app.js';",
    },
    {
      from: 'packages/host/src/core/session/new-file.ts',
      what: 'a type of the DOM side',
      line: "export type { MountAppOptions } from '../../dom/mount-app-options.js';",
    },
    {
      from: 'packages/host/src/core/policy/new-file.ts',
      what: 'the element by a dynamic import',
      line: "export const load = () => import('../../element/index.js');",
    },
    {
      from: 'packages/chat/src/conversation/new-file.ts',
      what: 'React',
      line: "export { useState } from 'react';",
    },
    {
      from: 'packages/chat/src/conversation/new-file.ts',
      what: 'a component of the React package',
      line: "export { ChatThread } from '../../../react/src/chat/thread/chat-thread.js';",
    },
    {
      from: 'packages/chat/src/conversation/new-file.ts',
      what: 'the host',
      line: "export { createSession } from '@casement/host';",
    },
    {
      from: 'packages/gateway/src/servers/new-file.ts',
      what: 'the host',
      line: "export { mountApp } from '@casement/host';",
    },
    {
      from: 'packages/inspector/src/call/new-file.ts',
      what: 'the inside of another feature',
      line: "export { TimelineList } from '../panels/timeline/timeline-list.js';",
    },
  ];
}

function allowed() {
  return [
    {
      from: 'packages/host/src/dom/new-file.ts',
      what: 'the core',
      line: "export { createSession } from '../core/session/session.js';",
    },
    {
      from: 'packages/chat/src/conversation/new-file.ts',
      what: 'the protocol',
      line: "export { isRecord } from '@casement/protocol/start';",
    },
  ];
}
