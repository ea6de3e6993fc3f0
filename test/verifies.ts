import { requirements } from '@casement/protocol/requirements';
import { test } from 'vitest';
import { missionRows } from './mission-rows.js';

const known = new Set([...requirements, ...missionRows].map((row) => row.id));

/** Declares a test that proves one or more requirement or mission rows; the ids become part of its title. */
export const verifies = (
  ids: string | readonly string[],
  title: string,
  body: () => Promise<void> | void,
  timeout?: number,
): void => {
  const rows = typeof ids === 'string' ? [ids] : ids;
  const unknown = rows.filter((id) => !known.has(id));
  if (unknown.length > 0) throw new Error(`No requirement is called ${unknown.join(', ')}.`);
  test(`${rows.join(' ')} ${title}`, body, timeout);
};
