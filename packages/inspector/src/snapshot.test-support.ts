import type { AppSnapshot } from '@casement/host';

/** What is known of an app that has just begun. */
export const loadingSnapshot: AppSnapshot = {
  session: 'one',
  status: 'loading',
  epoch: 0,
  hostContext: {},
  displayMode: 'inline',
  findings: [],
  violations: [],
  dropped: 0,
  prewarmed: false,
  scriptErrors: [],
  evidence: { mode: 'full', items: [], left: 0 },
  times: {},
  sizes: [],
  appTools: [],
  dialects: [],
};
