import { createSandboxPolicy } from '@casement/sandbox';
import type { AppEvidence, EvidenceLog } from '@casement/protocol';
import type { AppFacts, DoctorFacts, SeenTimes } from './doctor-facts.js';

/** When the app of the tests was asked for. */
export const startedAt = 1_800_000_000_000;

const { policy } = createSandboxPolicy({
  hostOrigin: 'http://casement.localhost:6270',
  base: 'http://casement.localhost:6271',
  server: 'any',
  resourceUri: 'ui://any/app',
  family: 'mcp-apps',
});

/** The origins of the sandbox and of the app. */
export const address = {
  proxyOrigin: 'http://sandbox.casement.localhost:6271',
  appOrigin: 'http://abc.casement.localhost:6271',
};

/** All milestones, 100 ms after each other. */
const allTimes: SeenTimes = Object.fromEntries(
  ['started', 'read', 'framed', 'loaded', 'greeted', 'ready', 'input', 'result'].map((name, index) => [
    name,
    startedAt + index * 100,
  ]),
);

/** The milestones before the handshake. */
export const timesUntil = (last: keyof SeenTimes): SeenTimes => {
  const names = Object.keys(allTimes);
  const kept = names.slice(0, names.indexOf(last) + 1);
  return Object.fromEntries(Object.entries(allTimes).filter(([name]) => kept.includes(name)));
};

/** Evidence of an app that was looked at wholly. */
export const toEvidence = (...items: readonly AppEvidence[]): EvidenceLog => ({
  mode: 'full',
  items,
  left: 0,
});

const drawn = toEvidence(
  { at: startedAt + 650, kind: 'painted' },
  { at: startedAt + 2_000, kind: 'layout', width: 600, contentWidth: 600, contentHeight: 300, boxes: 12 },
);

/** An app with which all is well. */
export const healthyApp: AppFacts = {
  status: 'ready',
  resource: { uri: 'ui://any/app.html', bytes: 2_000, family: 'mcp-apps' },
  policy: { effective: policy, dropped: [] },
  address,
  appInfo: { name: 'any', version: '1.0.0' },
  findings: [],
  violations: [],
  scriptErrors: [],
  dropped: 0,
  evidence: drawn,
  times: allTimes,
};

/** Facts about that app, with what is different about it. */
export const toFacts = (app: Partial<AppFacts> = {}, more: Partial<DoctorFacts> = {}): DoctorFacts => ({
  tool: {
    name: 'show',
    inputSchema: { type: 'object' },
    _meta: { ui: { resourceUri: 'ui://any/app.html' } },
  },
  result: { content: [{ type: 'text', text: 'done' }] },
  server: { advertised: true, capabilities: { tools: {}, resources: {} } },
  app: { ...healthyApp, ...app },
  ...more,
});

/** Facts about an app whose document was loaded and that has not said anything yet. */
export const toSilentFacts = (more: Partial<AppFacts> = {}): DoctorFacts => {
  const { policy: inForce, resource, findings, violations, scriptErrors, dropped } = healthyApp;
  const app = {
    policy: inForce,
    resource,
    address,
    findings,
    violations,
    scriptErrors,
    dropped,
    status: 'handshake',
    times: timesUntil('loaded'),
    evidence: toEvidence(),
  } as const;
  return { ...toFacts(), app: { ...app, ...more } };
};
