/** Why no source is shown, in a word that stays. */
type SourceRefusalCode =
  | 'no-place'
  | 'no-script'
  | 'no-map'
  | 'map-address'
  | 'map-unreadable'
  | 'map-too-large'
  | 'map-too-many-segments'
  | 'map-broken'
  | 'map-sections'
  | 'place-not-mapped'
  | 'no-source-text'
  | 'took-too-long'
  | 'document-changed';

/** Why no source is shown, and what to do about it. */
export interface SourceRefusal {
  readonly code: SourceRefusalCode;
  readonly reason: string;
  readonly nextStep: string;
}

const rebuild = 'Build the app anew; if the map stays as it is, report it to the makers of the build tool.';

/** What is said of a map that does not keep to its format. */
export const toBrokenMap = (what: string): SourceRefusal => ({
  code: 'map-broken',
  reason: `The source map is broken: ${what}.`,
  nextStep: rebuild,
});
