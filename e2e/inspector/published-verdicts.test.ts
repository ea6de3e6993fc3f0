import type { DoctorReport } from '@casement/checks/doctor';
import { describe, expect, test } from 'vitest';
import { waitUntil } from '../support/eventually.js';
import { writePdf } from '../support/pdf-file.js';
import { pdfServer, publishedServers } from '../support/server-commands.js';
import type { Stage } from '../support/stage.js';
import { browser, casement, useCasement } from '../support/use-casement.js';
import { servers } from './servers.js';
import { openInspector } from './support.js';

let file: string;

useCasement((folder) => {
  file = writePdf(folder, 'report.pdf', ['One page']);
  return {
    'react-2': servers.react,
    'react-1': publishedServers.basicReact1,
    vue: servers.vue,
    debug: servers.debug,
    monitor: servers.monitor,
    map: publishedServers.map,
    pdf: pdfServer(file),
    n8n: servers.n8n,
  };
});

/** What the doctor says once nothing is under way, and has stayed so for a while. */
const readReport = async (stage: Stage): Promise<DoctorReport> => {
  const isSettled = (report: DoctorReport | undefined): boolean =>
    report !== undefined &&
    (report.failed !== undefined || report.stages.every(({ verdict }) => verdict !== 'waiting' && verdict !== 'open'));
  let last = '';
  const report = await waitUntil(
    async () => {
      await stage.page.waitForTimeout(500);
      return stage.doctor();
    },
    (now) => {
      const text = JSON.stringify(now && toVerdicts(now));
      const isSame = text === last;
      last = text;
      return isSame && isSettled(now);
    },
    { what: 'a settled report' },
  );
  if (!report) throw new Error('the doctor says nothing');
  return report;
};

const toVerdicts = ({ stages, findings }: DoctorReport) => ({
  stages: stages.map(({ stage, verdict }) => `${stage} ${verdict}`),
  findings: findings.map(({ code, path = '' }) => `${code} ${path}`).toSorted(),
});

describe.each([
  ['react-2', 'get-time', {}],
  ['react-1', 'get-time', {}],
  ['vue', 'get-time', {}],
  ['debug', 'debug-tool', {}],
  ['monitor', 'get-system-info', {}],
  ['map', 'show-map', {}],
  ['pdf', 'display_pdf', undefined],
  ['n8n', 'validate_node', { nodeType: 'nodes-base.httpRequest', config: {} }],
] as const)('%s', (server, tool, args) => {
  test('gets the same verdicts twice in a row', async () => {
    const link = { server, tool, args: args ?? { url: file }, run: true };
    const { stage, close } = await openInspector(browser, casement.url, link);
    const first = toVerdicts(await readReport(stage));
    console.log(server, JSON.stringify(first, null, 1));
    await stage.reloadApp();
    expect(toVerdicts(await readReport(stage))).toEqual(first);
    await close();
  });
});
