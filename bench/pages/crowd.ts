import type { MountedApp } from '@casement/host';
import { createAppResources, mountApp } from '@casement/host';
import { benchTool, createBenchServer } from './bench-server.js';
import './bench-settings.js';
import { watchThread } from './long-tasks.js';

interface CrowdOptions {
  readonly count: number;
  /** How long the apps talk once all are there. */
  readonly talkMs: number;
}

/** The longest tasks of the host's thread, in ms; 0 when none was over 50 ms, which is all a browser tells. */
interface CrowdOutcome {
  mounting: number;
  talking: number;
  /** The longest time between two beats of a 10 ms clock, other processes' share included. */
  gap: number;
}

declare global {
  interface Window {
    runCrowd(options: CrowdOptions): Promise<CrowdOutcome>;
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const isReady = (app: MountedApp): Promise<void> =>
  new Promise((resolve, reject) => {
    const look = (): void => {
      const { status, failure } = app.getSnapshot();
      if (status === 'failed') reject(new Error(failure?.message));
      if (status === 'ready') resolve();
    };
    app.subscribe(look);
    look();
  });

window.runCrowd = async ({ count, talkMs }) => {
  const { html, sandboxBase } = window.benchSettings;
  const watch = watchThread();

  const server = createBenchServer(html);
  const resources = createAppResources(server);
  const apps = Array.from({ length: count }, () => {
    const place = document.createElement('div');
    document.body.append(place);
    return mountApp(place, {
      server,
      tool: benchTool,
      resources,
      sandbox: { base: sandboxBase },
      toolInput: {},
      // All of them at once, near or not.
      presence: 'always',
    });
  });
  await Promise.all(apps.map(isReady));
  // Long tasks are told late.
  await pause(200);
  const mounted = watch.take();
  for (const app of apps)
    app.sendToolResult({ content: [], structuredContent: { value: 'here', trips: 100 } });
  await pause(talkMs);
  const talked = watch.take();
  watch.stop();
  const outcome = {
    mounting: mounted.longest,
    talking: talked.longest,
    gap: Math.max(mounted.gap, talked.gap),
  };
  await Promise.all(apps.map((app) => app.close()));
  return outcome;
};
