import { defineConfig } from 'vitest/config';

/** Tests in browsers that are not Chromium; the smoke of them is part of `.ci/run`. */
const toBrowsersProject = (name: string, include: string[]) => ({
  test: {
    name,
    sequence: { groupOrder: 3 },
    environment: 'node' as const,
    include,
    testTimeout: 90_000,
    hookTimeout: 120_000,
    maxWorkers: 1,
    retry: 0,
  },
});

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          sequence: { groupOrder: 1 },
          environment: 'node',
          include: ['packages/*/src/**/*.test.ts', 'examples/*/src/**/*.test.ts', 'test/**/*.test.ts'],
        },
      },
      {
        test: {
          name: 'browser',
          sequence: { groupOrder: 2 },
          environment: 'node',
          include: ['e2e/**/*.test.ts'],
          exclude: ['e2e/servers/**', 'e2e/browsers/**'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // Two cores: more browsers at once only make each other slow.
          maxWorkers: 2,
          retry: 0,
        },
      },
      toBrowsersProject('smoke', ['e2e/browsers/smoke.test.ts']),
      toBrowsersProject('browsers', ['e2e/browsers/**/*.test.ts']),
    ],
  },
});
