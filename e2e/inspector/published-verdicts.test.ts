import type { DoctorReport } from '@casement/checks/doctor';
import { describe, expect, test } from 'vitest';
import { eventually, waitUntil } from '../support/eventually.js';
import { writePdf } from '../support/pdf-file.js';
import { pdfServer, publishedServers } from '../support/server-commands.js';
import type { Stage } from '../support/stage.js';
import { browser, casement, useCasement } from '../support/use-casement.js';
import { servers } from './servers.js';
import { openInspector, type InspectorPage } from './support.js';

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

/** Whether nothing is under way, or what is waited for cannot come any more. */
const isSettled = ({ stages, failed }: DoctorReport): boolean =>
  failed !== undefined ||
  stages.some(({ stage, verdict }) => stage === 'loaded' && verdict === 'doubtful') ||
  stages.every(({ verdict }) => verdict !== 'waiting' && verdict !== 'open');

const toVerdicts = ({ stages, findings }: DoctorReport) => ({
  stages: stages.map(({ stage, verdict }) => `${stage} ${verdict}`),
  findings: findings.map(({ code, path = '' }) => `${code} ${path}`).toSorted(),
});

/** What the doctor says when it has said the same for a while. */
const readVerdicts = async (stage: Stage) => {
  let last: string | undefined;
  const report = await waitUntil(
    async () => {
      await stage.page.waitForTimeout(300);
      return stage.doctor();
    },
    (now) => {
      const before = last;
      last = now && JSON.stringify(toVerdicts(now));
      return now !== undefined && isSettled(now) && last === before;
    },
    { what: 'a report that stays' },
  );
  if (!report) throw new Error('The doctor says nothing.');
  return toVerdicts(report);
};

const run = async (server: string, tool: string, args: Record<string, unknown>): Promise<InspectorPage> =>
  openInspector(browser, casement.url, { server, tool, args, run: true });

const wholeWay = ['found', 'advertised', 'read', 'framed', 'loaded', 'handshake', 'fed', 'painted'];

/** Each finding was looked at and is true: none of these tools says what it does, and two apps call such a tool. */
const unannotated = 'annotations-missing annotations';
const calls = 'tool-unannotated tools/call';

describe.each([
  ['react-2', 'get-time', {}, [unannotated]],
  ['react-1', 'get-time', {}, [unannotated]],
  ['vue', 'get-time', {}, [unannotated]],
  ['debug', 'debug-tool', {}, [unannotated, calls]],
  ['monitor', 'get-system-info', {}, [unannotated, calls]],
  // Its HTML has 4.3 MB, and it reads localStorage before it is ready.
  [
    'pdf',
    'display_pdf',
    { url: 'the file' },
    [
      unannotated,
      expect.stringMatching(/^html-large html:\d+$/),
      expect.stringMatching(/^storage-at-start a script in the app’s HTML:/),
      calls,
      calls,
    ],
  ],
  ['n8n', 'validate_node', { nodeType: 'nodes-base.httpRequest', config: {} }, []],
] as const)('the published server %s', (server, tool, args, findings) => {
  test('gets the same verdicts twice in a row, and no finding that is not true', async () => {
    const { stage, close } = await run(server, tool, server === 'pdf' ? { url: file } : args);
    // What an app does later, such as its calls, is found later.
    const expected = { stages: wholeWay.map((name) => `${name} passed`), findings };
    await eventually(() => readVerdicts(stage)).toEqual(expected);
    await stage.reloadApp();
    await eventually(() => readVerdicts(stage)).toEqual(expected);
    await close();
  });
});

test('the published map server, whose library cannot be reached, names the address on the stage, in State and in the recording', async () => {
  const inspector = await run('map', 'show-map', {});
  const { stage, page, panel } = inspector;
  const first = await readVerdicts(stage);
  expect(first.stages.slice(0, 5)).toEqual([
    'found passed',
    'advertised passed',
    'read passed',
    'framed passed',
    'loaded doubtful',
  ]);
  const library = /https:\/\/cesium\.com\/\S+\/Cesium\.js/;
  expect(await page.getByRole('region', { name: 'What the doctor sees' }).innerText()).toMatch(library);
  await inspector.tab('State').click();
  await eventually(() => panel.innerText()).toMatch(library);
  const evidence = (await stage.recording()).filter(({ kind }) => kind === 'evidence');
  expect(evidence.map(({ raw }) => raw)).toContainEqual(
    expect.objectContaining({ kind: 'load-failed', url: expect.stringMatching(library), source: 'guest' }),
  );
  await stage.reloadApp();
  expect(await readVerdicts(stage)).toEqual(first);
  await inspector.close();
});
