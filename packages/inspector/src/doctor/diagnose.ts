import type { DoctorFacts, DoctorReport } from '@casement/checks/doctor';
import { diagnoseApp } from '@casement/checks/doctor';
import type { ExaminedApp } from './examined-app.js';

/** What the gateway of this page told a server: it says to each, as it connects, that apps are shown here. */
const toServerFacts = ({ capabilities, protocolVersion }: NonNullable<ExaminedApp['server']>) => ({
  ...(capabilities ? { capabilities } : {}),
  ...(protocolVersion === undefined ? {} : { advertised: true }),
});

const toFacts = ({ snapshot, tool, result, server, reports }: ExaminedApp): DoctorFacts => ({
  app: snapshot,
  ...(tool === undefined ? {} : { tool }),
  ...(result === undefined ? {} : { result }),
  ...(server ? { server: toServerFacts(server) } : {}),
  reports,
});

/** What the doctor says of an app of this page. */
export const diagnose = (examined: ExaminedApp): DoctorReport => diagnoseApp(toFacts(examined));

export { createVerdictLog } from './verdict-log.js';
