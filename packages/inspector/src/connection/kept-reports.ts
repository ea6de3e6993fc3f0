import type { CspReport } from './gateway-client.js';

const maxReports = 1_000;
/** Of one app: one that is blocked all day pushes out its own reports alone. */
const maxOfApp = 250;

/** The reports of the browser with one more; past the limits the oldest make room. */
export const keepReport = (reports: readonly CspReport[], report: CspReport): readonly CspReport[] => {
  const own = reports.filter(({ appOrigin }) => appOrigin === report.appOrigin);
  const [oldest] = own;
  const rest = own.length < maxOfApp ? reports : reports.filter((one) => one !== oldest);
  return [...rest, report].slice(-maxReports);
};
