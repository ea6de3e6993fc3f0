import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const unitTests = ['packages/*/src/**/*.test.ts', 'examples/*/src/**/*.test.ts', 'test/**/*.test.ts'];

/** Tests that count operations: V8 counts only what it compiles afterwards, so each needs a process of its own. */
const countingTests = ['packages', 'test'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules'))
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => /from '[./\w-]+\/(?:count-operations|inputs)\.js'/.test(readFileSync(path, 'utf8'))),
);

/** Test files that follow each other in one process: what they import, and the browser they share, is loaded once. */
const shared = { environment: 'node' as const, isolate: false, unstubGlobals: true, maxWorkers: 2 };

/** Limits that only catch what never happens. */
const patient = { testTimeout: 30_000, hookTimeout: 30_000, expect: { poll: { timeout: 20_000 } } };
const inChromium = { testTimeout: 60_000, hookTimeout: 120_000, retry: 0 };

/** Tests that compare times run when nothing else does. */
const measuringTests = ['e2e/security/stall/*.test.ts', 'e2e/host/tool-schemas.test.ts'];

/** The files that take longest, the longest first: begun last, one of them would keep a worker waiting. */
const longest = [
  'e2e/host/keyboard.test.ts',
  'e2e/host/dialogs.test.ts',
  'e2e/inspector/chat-accessibility.test.ts',
  'e2e/chat/thread-approval.test.ts',
  'e2e/host/crowd/real-servers.test.ts',
  'e2e/security/hostile-guest.test.ts',
  'e2e/inspector/tool-policy.test.ts',
  'e2e/inspector/accessibility.test.ts',
  'e2e/inspector/chat.test.ts',
  'e2e/host/crowd/crowd.test.ts',
  'e2e/chat/example/accessibility.test.ts',
  'e2e/inspector/mistakes/mistakes.test.ts',
  'e2e/chat/example/from-apps.test.ts',
  'e2e/interop/official-app.test.ts',
  'e2e/interop/real-servers.test.ts',
  'e2e/host/prepare.test.ts',
  'e2e/inspector/warm.test.ts',
  'e2e/security/hostile-health.test.ts',
  'e2e/host/contract/contract.test.ts',
  'e2e/guides/guides.test.ts',
  'e2e/browsers/smoke.test.ts',
  'e2e/inspector/access.test.ts',
  'e2e/host/weight/weight.test.ts',
  'e2e/host/embedding/mistakes.test.ts',
  'e2e/host/lifetime/mount-cycles.test.ts',
  'e2e/inspector/mistakes/servers.test.ts',
  'e2e/security/hostile-server.test.ts',
  'e2e/chat/accessibility.test.ts',
  'e2e/host/questions.test.ts',
  'e2e/chat/apps.test.ts',
  'e2e/chat/example/real-server.test.ts',
  'e2e/host/health.test.ts',
  'e2e/sandbox/health.test.ts',
  'test/chat-tasks.test.ts',
];

/** Vitest's own order, by size where no earlier run is known, after the longest files of each group. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const toRank = ({ moduleId }: TestSpecification): number => {
      const rank = longest.findIndex((file) => moduleId.replaceAll('\\', '/').endsWith(`/${file}`));
      return rank < 0 ? longest.length : rank;
    };
    const toGroup = ({ project }: TestSpecification): number => project.config.sequence.groupOrder;
    const sorted = await super.sort(files);
    return sorted.sort((one, other) => toGroup(one) - toGroup(other) || toRank(one) - toRank(other));
  }
}

/** One more than two cores, because a test in a browser also waits: for frames, processes and time limits. */
const besideEachOther = { sequence: { groupOrder: 2 }, maxWorkers: 3 };

/** Tests in browsers that are not Chromium. */
const inOtherBrowsers = {
  environment: 'node' as const,
  testTimeout: 90_000,
  hookTimeout: 120_000,
  maxWorkers: 1,
  retry: 0,
};

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...shared,
          ...patient,
          name: 'unit',
          sequence: { groupOrder: 1 },
          include: unitTests,
          exclude: countingTests,
        },
      },
      {
        test: {
          ...shared,
          ...patient,
          name: 'counting',
          sequence: { groupOrder: 1 },
          isolate: true,
          include: countingTests,
        },
      },
      {
        test: {
          ...shared,
          ...inChromium,
          ...besideEachOther,
          name: 'browser',
          include: ['e2e/**/*.test.ts'],
          exclude: ['e2e/servers/**', 'e2e/browsers/**', ...measuringTests],
        },
      },
      {
        test: {
          ...shared,
          ...inChromium,
          name: 'measuring',
          sequence: { groupOrder: 3 },
          include: measuringTests,
          maxWorkers: 1,
        },
      },
      {
        test: {
          ...inOtherBrowsers,
          ...besideEachOther,
          name: 'smoke',
          include: ['e2e/browsers/smoke.test.ts'],
        },
      },
      {
        test: {
          ...inOtherBrowsers,
          name: 'browsers',
          sequence: { groupOrder: 4 },
          include: ['e2e/browsers/**/*.test.ts'],
        },
      },
    ],
  },
});
