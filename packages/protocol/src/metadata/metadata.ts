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

/**
 * Hears of a value that is not what is expected there, and is ignored (D14). What reads metadata tells it so instead of
 * in sentences: a page that shows a good app does not load them.
 */
export type OnWrongType = (path: string, expected: string) => void;

/** `_meta`, then `meta` (written by some Python servers), where they are objects. */
export const readMetaBags = (owner: unknown, onWrongType?: OnWrongType, label = ''): MetadataBag[] =>
  ['_meta', 'meta'].flatMap((key) => {
    const values = readOwn(owner, key);
    const path = label + key;
    if (isRecord(values)) return [{ path, values }];
    if (values !== undefined) onWrongType?.(path, 'an object');
    return [];
  });
