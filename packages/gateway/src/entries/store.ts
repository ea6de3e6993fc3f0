import { join } from 'node:path';
import { CasementError } from '@casement/protocol/start';
import * as v from 'valibot';
import type { EntryProblem } from '../facts/server-entry.js';
import { createKeptFiles, toKeepFailure } from './kept-files.js';
import {
  empty,
  schemas,
  toContents,
  toStored,
  VERSION,
  type Contents,
  type Part,
  type Stored,
} from './kept-contents.js';
import { readJsonPlaces, toTextPlace } from './json-places.js';

/** The files that hold what is kept, by what is in them. */
const keptNames: Record<Part, string> = {
  servers: 'servers.json',
  secrets: 'secrets.json',
  confirmations: 'confirmations.json',
};

const parts: readonly Part[] = ['secrets', 'servers', 'confirmations'];

/** Reads and changes what is kept. */
export interface EntryStore {
  readonly file: string;
  read(): Promise<{ stored: Stored; problems: EntryProblem[] }>;
  /** Reads again, changes and writes, while no other gateway does: what others saved stays. */
  update(change: (stored: Stored) => Stored): Promise<Stored>;
}

/** What was found in the place of a file. */
interface Found {
  readonly text: string | undefined;
  readonly problem?: EntryProblem;
  /** A newer Casement wrote it: it is left alone. */
  readonly isNewer?: boolean;
}

const isNewer = (json: unknown): boolean =>
  typeof json === 'object' &&
  json !== null &&
  'version' in json &&
  typeof json.version === 'number' &&
  json.version > VERSION;

/** Opens what is kept in a folder. */
export const createEntryStore = (folder: string): EntryStore => {
  const files = createKeptFiles(folder);

  const toProblem = (part: Part, why: string, at?: { line: number; column: number }): EntryProblem => ({
    message: `What is kept in ${keptNames[part]} cannot be used: ${why}.`,
    file: join(folder, keptNames[part]),
    ...at,
  });

  const readPart = async <P extends Part>(part: P): Promise<Found & { content: Contents[P] }> => {
    const content = empty[part];
    let found: string | undefined;
    try {
      found = await files.read(keptNames[part]);
    } catch (error) {
      const why = error instanceof Error ? error.message : 'it cannot be read';
      return { text: undefined, content, isNewer: true, problem: toProblem(part, why) };
    }
    if (found === undefined) return { text: undefined, content };
    let json: unknown;
    try {
      json = JSON.parse(found);
    } catch {
      const { fault } = readJsonPlaces(found);
      const at = toTextPlace(found, fault ?? 0);
      return { text: found, content, problem: toProblem(part, 'it is not JSON', at) };
    }
    if (isNewer(json)) {
      const why = 'a newer version of Casement wrote it, and it is left as it is';
      return { text: found, content, isNewer: true, problem: toProblem(part, why) };
    }
    const read = v.safeParse(schemas[part], json, { abortEarly: true });
    if (!read.success) {
      const place = v.getDotPath(read.issues[0]) ?? 'the whole';
      return { text: found, content, problem: toProblem(part, `${place} is not what it should be`) };
    }
    // The schema of this very part made it.
    return { text: found, content: read.output as Contents[P] };
  };

  const readAll = async () => {
    const [servers, secrets, confirmations] = await Promise.all([
      readPart('servers'),
      readPart('secrets'),
      readPart('confirmations'),
    ]);
    const found: Record<Part, Found> = { servers, secrets, confirmations };
    const contents = {
      servers: servers.content,
      secrets: secrets.content,
      confirmations: confirmations.content,
    };
    const problems = [servers, secrets, confirmations].flatMap(({ problem }) => problem ?? []);
    try {
      return { stored: toStored(contents), found, problems };
    } catch (error) {
      if (!(error instanceof CasementError)) throw error;
      // Somebody wrote an entry into it that may not be run.
      const problem = toProblem('servers', error.message);
      const none = toStored({ ...contents, servers: empty.servers });
      return {
        stored: none,
        found: { ...found, servers: { ...servers, problem } },
        problems: [...problems, problem],
      };
    }
  };

  return {
    file: join(folder, keptNames.servers),
    async read() {
      const { stored, problems } = await readAll();
      return { stored, problems };
    },
    update: (change) =>
      files.locked(async () => {
        const { stored, found } = await readAll();
        const next = change(stored);
        const contents = toContents(next);
        const changed = parts.flatMap((part) => {
          const written = `${JSON.stringify(contents[part], undefined, 2)}\n`;
          const isSame = written === (found[part].text ?? `${JSON.stringify(empty[part], undefined, 2)}\n`);
          return isSame ? [] : [[part, written] as const];
        });
        for (const [part] of changed) {
          const { problem, isNewer: isLeftAlone } = found[part];
          if (problem === undefined) continue;
          if (isLeftAlone) {
            throw new CasementError('config-unwritable', problem.message, {
              hint: 'Use that version, or move the file away.',
            });
          }
          await files.setAside(keptNames[part]);
        }
        try {
          await files.replace(new Map(changed.map(([part, written]) => [keptNames[part], written])));
        } catch (error) {
          throw toKeepFailure(folder, error);
        }
        return next;
      }),
  };
};
