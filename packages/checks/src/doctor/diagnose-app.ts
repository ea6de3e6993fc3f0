import { findApiFindings } from './api-findings.js';
import type { DoctorFacts } from './doctor-facts.js';
import { createFindingList } from './finding-list.js';
import { framed, handshake, loaded } from './frame-stages.js';
import { toHostFinding } from './host-findings.js';
import { findLanguageFindings } from './language-findings.js';
import { findLayoutFindings, readPainting } from './layout-findings.js';
import { findLoadTroubles } from './load-troubles.js';
import type { DoctorReport } from './report.js';
import { findScriptErrors } from './script-findings.js';
import { advertised, found, read } from './server-stages.js';
import { fed, painted } from './shown-stages.js';
import { toCase } from './stage-case.js';

/*
 * What is wrong with an app, from all that is known of it. Pure: the same facts give the same report, so it is made anew
 * whenever something is known in addition, and nothing has to be kept.
 *
 * What only the app's page says is marked so (`witness: 'app'`). It adds findings and doubts to the report of that app, and
 * it alone tells whether something is painted, as nobody else can look. No stage that host or browser saw is judged by it,
 * no finding goes away through it.
 */

const stages = [found, advertised, read, framed, loaded, handshake, fed, painted];

/** Says how far an app came, what is wrong with it and how to cure that. */
export const diagnoseApp = (facts: DoctorFacts): DoctorReport => {
  const { app, lint = [] } = facts;
  const troubles = findLoadTroubles(facts);
  const painting = app?.evidence && readPainting(app.evidence, app.times, facts.at);
  const theCase = toCase(facts, { troubles, painting });
  const reports = stages.map((look) => look(theCase));
  const findings = createFindingList();
  for (const { finding } of troubles) findings.add(finding);
  for (const finding of lint) findings.add(finding);
  if (app) {
    // Those errors are told below with their places.
    const others = app.findings.filter(({ code }) => code !== 'script-error');
    for (const finding of others) findings.add(toHostFinding(finding, facts.server));
    for (const finding of findScriptErrors(app)) findings.add(finding);
    if (app.evidence) for (const finding of findApiFindings(app, app.evidence)) findings.add(finding);
    if (painting) for (const finding of findLayoutFindings(painting)) findings.add(finding);
    if (app.evidence)
      for (const finding of findLanguageFindings(app, app.evidence, facts.at)) findings.add(finding);
  }
  const failed = reports.find(({ verdict }) => verdict === 'failed')?.stage;
  return { stages: reports, ...(failed && { failed }), findings: findings.all() };
};
