import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const unitTests = ['packages/*/src/**/*.test.ts', 'examples/*/src/**/*.test.ts', 'test/**/*.test.ts'];

const listTests = (folders: readonly string[]): string[] =>
  folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules'))
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`),
  );

/**
 * Tests that count operations, which V8 counts only in what it compiles afterwards, or timers, which a file before them may
 * leave for a moment: each needs a process of its own.
 */
const countingTests = listTests(['packages', 'test']).filter((path) =>
  /from '[./\w-]+\/(?:count-operations|inputs)\.js'|\bgetTimerCount\b/.test(readFileSync(path, 'utf8')),
);

/** Test files that follow each other in one process: what they import, and the browser they share, is loaded once. */
const shared = { environment: 'node' as const, isolate: false, unstubGlobals: true, maxWorkers: 3 };

/** Limits that only catch what never happens. */
const patient = { testTimeout: 30_000, hookTimeout: 30_000, expect: { poll: { timeout: 20_000 } } };
const inChromium = { testTimeout: 60_000, hookTimeout: 120_000, retry: 0 };

/** Tests that compare times run when nothing else does. */
const measuringTests = ['e2e/security/stall/*.test.ts', 'e2e/host/tool-schemas.test.ts'];

/** Tests of what a browser holds for us, though none of them names a threat by the ids below. */
const heldByBrowser = new Set([
  'e2e/chat/permissions.test.ts',
  'e2e/host/dialogs.test.ts',
  'e2e/host/embedding/storage.test.ts',
  'e2e/host/head-start.test.ts',
  'e2e/host/health.test.ts',
  'e2e/host/safety.test.ts',
  'e2e/host/weight/weight.test.ts',
]);

/** Tests of what a browser has around a page as well: its profile, what it grants and stores, other names, the network. */
const heldByWindow = [
  'e2e/chat/permissions.test.ts',
  'e2e/host/embedding/storage.test.ts',
  'e2e/inspector/access.test.ts',
  'e2e/sandbox/fallback.test.ts',
  'e2e/sandbox/features.test.ts',
  'e2e/sandbox/health.test.ts',
  'e2e/sandbox/isolation.test.ts',
  'e2e/sandbox/navigation.test.ts',
  'e2e/sandbox/network.test.ts',
  'e2e/security/hostile-guest.test.ts',
];

/**
 * Tests of what the inspector, the chat and the host show and say, and of nothing that a browser holds for us: none that
 * names a threat or is about permissions, storage or apps that hang. They need no process for each site, which takes a
 * seventh less of the processor for a page with an app.
 */
const viewTests = listTests(['e2e/inspector', 'e2e/chat', 'e2e/host', 'e2e/interop', 'e2e/guides']).filter(
  (path) => !heldByBrowser.has(path) && !/\bsec-[A-Z]\d/.test(readFileSync(path, 'utf8')),
);

/**
 * The same Chromium without the window around a page, where there is one: it draws, runs and separates pages as the other
 * does, for two thirds of the processor. Given by scripts/test.mjs.
 */
const headlessShell = process.env['CASEMENT_HEADLESS_SHELL'];
const inShell = headlessShell ? { CASEMENT_CHROMIUM: headlessShell } : {};

/** A page lives for a second or two: what V8 spends on making its code faster never comes back. */
const shortLived = { CASEMENT_OPTIMIZER: 'off' };

/** The files that take longest, the longest first: begun last, one of them would keep a worker waiting. */
const longest = [
  'e2e/guides/next.test.ts',
  'e2e/guides/guides.test.ts',
  'e2e/host/keyboard.test.ts',
  'e2e/inspector/tool-policy.test.ts',
  'e2e/host/weight/weight.test.ts',
  'e2e/host/dialogs.test.ts',
  'e2e/interop/official-app.test.ts',
  'e2e/interop/real-servers.test.ts',
  'e2e/host/crowd/real-servers.test.ts',
  'e2e/inspector/servers-in-page.test.ts',
  'e2e/inspector/accessibility.test.ts',
  'e2e/inspector/chat-accessibility.test.ts',
  'e2e/chat/thread-approval.test.ts',
  'e2e/security/hostile-guest.test.ts',
  'e2e/inspector/chat.test.ts',
  'e2e/host/crowd/crowd.test.ts',
  'e2e/chat/example/accessibility.test.ts',
  'e2e/inspector/mistakes/mistakes.test.ts',
  'e2e/chat/example/from-apps.test.ts',
  'e2e/host/prepare.test.ts',
  'e2e/inspector/warm.test.ts',
  'e2e/security/hostile-health.test.ts',
  'e2e/host/contract/contract.test.ts',
  'e2e/browsers/smoke.test.ts',
  'e2e/inspector/access.test.ts',
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
  'e2e/host/top-layer.test.ts',
  'e2e/inspector/legacy-apps/legacy-apps.test.ts',
  'e2e/inspector/page-start.test.ts',
  'e2e/inspector/watch.test.ts',
  'e2e/security/recorded-floods.test.ts',
  'e2e/chat/keyboard.test.ts',
  'test/chat-tasks.test.ts',
];

/**
 * Vitest's own order, by size where no earlier run is known, after the longest files of each project. Projects follow each
 * other: Vitest ends a worker, and the browser it has, when the next file is of another project.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const toRank = ({ moduleId }: TestSpecification): number => {
      const rank = longest.findIndex((file) => moduleId.replaceAll('\\', '/').endsWith(`/${file}`));
      return rank < 0 ? longest.length : rank;
    };
    const toGroup = ({ project }: TestSpecification): number => project.config.sequence.groupOrder;
    // Those with a process for each file first, as what they leave free others take.
    const toProject = ({ project }: TestSpecification): string =>
      `${!project.config.isolate} ${project.name}`;
    const sorted = await super.sort(files);
    return sorted.sort(
      (one, other) =>
        toGroup(one) - toGroup(other) ||
        toProject(one).localeCompare(toProject(other)) ||
        toRank(one) - toRank(other),
    );
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
          name: 'window',
          include: heldByWindow,
          env: shortLived,
        },
      },
      {
        test: {
          ...shared,
          ...inChromium,
          ...besideEachOther,
          name: 'browser',
          include: ['e2e/**/*.test.ts'],
          exclude: ['e2e/servers/**', 'e2e/browsers/**', ...measuringTests, ...viewTests, ...heldByWindow],
          env: { ...shortLived, ...inShell },
        },
      },
      {
        test: {
          ...shared,
          ...inChromium,
          ...besideEachOther,
          name: 'views',
          include: viewTests,
          env: { CASEMENT_SITE_ISOLATION: 'off', ...shortLived, ...inShell },
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
