import { run, runTool, root, say } from './run.mjs';
import { whenStale } from './stamp.mjs';

const sources = [
  'packages',
  'examples',
  'scripts',
  'tsconfig.base.json',
  'tsconfig.json',
  'package-lock.json',
];

/** Builds every package when any source changed: page strings first, then types and code, then the page and the command. */
export const ensureBuilt = () =>
  whenStale({
    stamp: '.cache/build',
    inputs: sources,
    outputs: [
      'packages/casement/dist/cli.js',
      'packages/casement/dist/page/index.html',
      'packages/casement/dist/example/weather-server.js',
      'packages/sandbox/dist/static-proxy.html',
      'examples/weather-server/dist/dashboard.html',
    ],
    step: async () => {
      say('building…');
      await run(process.execPath, ['scripts/generate-pages.mjs']);
      if ((await runTool('typescript-native/bin/tsc', ['-b'])) !== 0)
        throw new Error('the type check failed; see above.');
      await run(process.execPath, ['scripts/bundle-assets.mjs'], { cwd: root });
      await run(process.execPath, ['scripts/bundle-command.mjs'], { cwd: root });
    },
  });
