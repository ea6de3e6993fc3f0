/** A host whose apps have an opaque origin, and where that is written. */
export interface OpaqueHost {
  readonly name: string;
  readonly source: string;
}

/** Hosts that are known to give apps an opaque origin, where storage throws; of the others nobody says it, or it is not so. */
export const opaqueHosts: readonly OpaqueHost[] = [
  { name: 'KiroCrew', source: 'https://github.com/kirodotdev/KiroCrew/issues/2748' },
  { name: 'PostHog Code', source: 'https://github.com/PostHog/posthog/pull/76899' },
];

/** The hosts as a part of a sentence. */
export const opaqueHostNames = `hosts that give apps an opaque origin (${opaqueHosts.map(({ name }) => name).join(', ')} and others)`;
