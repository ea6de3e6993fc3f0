import type { Tool } from '@casement/protocol';
import type { AppTool } from '../state/app-snapshot.js';

// What models take for a name.
const maxName = 64;

/**
 * The tools under names of their own: `app_<session>__<name>` is never a name the app's server uses (HOST-098), nor
 * one of another app, and only has characters that every model takes.
 */
export const toAppTools = (
  session: string,
  offered: readonly { readonly tool: Tool; readonly callable: boolean }[],
  serverNames: ReadonlySet<string>,
): readonly AppTool[] => {
  const taken = new Set(serverNames);
  const prefix = `app_${session.replace(/[^a-z0-9]/gi, '').slice(0, 10)}__`;
  return offered.map(({ tool, callable }) => {
    const stem = prefix + tool.name.replace(/[^a-zA-Z0-9_-]/g, '_');
    let qualifiedName = stem.slice(0, maxName);
    for (let count = 2; taken.has(qualifiedName); count += 1) {
      const ending = `_${count}`;
      qualifiedName = stem.slice(0, maxName - ending.length) + ending;
    }
    taken.add(qualifiedName);
    return { qualifiedName, tool, callable };
  });
};
