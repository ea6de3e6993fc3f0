import { isRecord, readOwn } from '../is-record.js';

/** Who defined the way an app is described and talked to. */
export type AppFamily = 'mcp-apps' | 'openai' | 'mcp-ui';

/** Something about metadata its author should know. */
export interface MetadataFinding {
  code: string;
  message: string;
  fix: string;
  path: string;
}

/** A place metadata was found in. */
export interface MetadataBag {
  readonly path: string;
  readonly values: Record<string, unknown>;
}

/** `_meta`, then `meta` (written by some Python servers), where they are objects. */
export const readMetaBags = (owner: unknown, findings: MetadataFinding[], label = ''): MetadataBag[] => {
  const bags: MetadataBag[] = [];
  for (const key of ['_meta', 'meta']) {
    const values = readOwn(owner, key);
    if (values === undefined) continue;
    const path = label + key;
    if (isRecord(values)) bags.push({ path, values });
    else findings.push(toTypeFinding(path, 'an object'));
  }
  return bags;
};

/** The finding for a value of the wrong type, which is ignored (D14). */
export const toTypeFinding = (path: string, expected: string): MetadataFinding => ({
  code: 'metadata-type',
  message: `${path} is not ${expected} and is ignored.`,
  fix: `Make ${path} ${expected}.`,
  path,
});
