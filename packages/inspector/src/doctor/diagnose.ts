import type { DoctorFacts, DoctorReport } from '@casement/checks/doctor';
import { diagnoseApp } from '@casement/checks/doctor';
import type { ExaminedApp } from './examined-app.js';
import { createAppLint } from './lint-app.js';

/** What the gateway of this page told a server: it says to each, as it connects, that apps are shown here. */
const toServerFacts = (
  { capabilities, protocolVersion }: NonNullable<ExaminedApp['server']>,
  tools: ExaminedApp['tools'],
) => ({
  ...(capabilities ? { capabilities } : {}),
  ...(protocolVersion === undefined ? {} : { advertised: true }),
  ...(tools ? { tools } : {}),
});

/** Creates what says how an app of this page is. */
export const createDiagnosis = (): ((examined: ExaminedApp) => DoctorReport) => {
  const lint = createAppLint();
  return (examined) => {
    const { snapshot, tool, tools, result, server, reports } = examined;
    const facts: DoctorFacts = {
      app: snapshot,
      ...(tool === undefined ? {} : { tool }),
      ...(result === undefined ? {} : { result }),
      ...(server ? { server: toServerFacts(server, tools) } : {}),
      reports,
      at: Date.now(),
      lint: lint(examined),
    };
    return diagnoseApp(facts);
  };
};

export { createVerdictLog } from './verdict-log.js';
