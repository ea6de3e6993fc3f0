import { defineConfig } from 'vitest/config';

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
          exclude: ['e2e/servers/**'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // Two cores: more browsers at once only make each other slow.
          maxWorkers: 2,
          retry: 0,
        },
      },
    ],
  },
});
