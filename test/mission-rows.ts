import s1 from './mission/s1.json' with { type: 'json' };
import s2 from './mission/s2.json' with { type: 'json' };
import s3 from './mission/s3.json' with { type: 'json' };
import s4 from './mission/s4.json' with { type: 'json' };
import s5 from './mission/s5.json' with { type: 'json' };
import superseded from './mission/superseded.json' with { type: 'json' };

/** One thing the product must do; a test proves it by carrying the id in its title. */
export interface MissionRow {
  readonly id: string;
  readonly text: string;
  /** What we do instead; the test of that carries the id. */
  readonly supersededBy?: string;
}

const instead = new Map(Object.entries(superseded));

const toRow = ([id, text]: [string, string]): MissionRow => {
  const supersededBy = instead.get(id);
  return supersededBy === undefined ? { id, text } : { id, text, supersededBy };
};

/**
 * All rows: S1 host and inspector, S2 messages, S3 server-side handler and bridge, S4 architecture and pitfalls,
 * S5 embedding in a chat. They are JSON because scripts/traceability.mjs reads them without a TypeScript loader.
 */
export const missionRows: readonly MissionRow[] = [s1, s2, s3, s4, s5].flatMap((rows) =>
  Object.entries(rows).map(toRow),
);
