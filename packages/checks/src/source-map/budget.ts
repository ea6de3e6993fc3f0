/** What a source map may cost. */
export interface SourceMapBudget {
  /** Characters of the map's text, counted before anything of it is read. */
  readonly maxCharacters: number;
  /** Segments of its mappings that are read to find one place. */
  readonly maxSegments: number;
  /** Parts of a map that is made of several. */
  readonly maxSections: number;
}

/** Room for the map of an app that is itself as large as a host takes. */
export const defaultBudget: SourceMapBudget = {
  maxCharacters: 32 * 1024 * 1024,
  maxSegments: 4_000_000,
  maxSections: 1_000,
};
