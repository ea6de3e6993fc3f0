import type { MountAppOptions } from '@casement/host';

/** Whoever looks at an app in the inspector wants to see its console, too; what tells of it comes with the first app. */
export const fullEvidence: Pick<MountAppOptions, 'evidence' | 'evidenceScript'> = {
  evidence: 'full',
  evidenceScript: async () => (await import('@casement/sandbox/evidence')).evidenceScript,
};
