import type { MetadataFinding } from './metadata.js';

/** The finding for a value of the wrong type. */
export const toTypeFinding = (path: string, expected: string): MetadataFinding => ({
  code: 'metadata-type',
  message: `${path} is not ${expected} and is ignored.`,
  fix: `Make ${path} ${expected}.`,
  path,
});
