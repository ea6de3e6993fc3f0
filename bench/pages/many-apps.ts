import type { MountedApp } from '@casement/host';
import { createAppResources, mountApp } from '@casement/host';
import type { ServerPort } from '@casement/protocol/ports';
import { benchTool, createBenchServer } from './bench-server.js';
import './bench-settings.js';
import { watchThread } from './long-tasks.js';

interface ManyOptions {
  readonly count: number;
  /** Pixels scrolled per painted frame. */
  readonly step: number;
  /** How long the page is left alone before and after, in ms. */
  readonly settleMs: number;
}

/** What the page's thread was held up by in ms, and how many apps' frames there were at once. */
interface ManyOutcome {
  longest: number;
  gap: number;
  liveAtMost: number;
  /** How many apps were ready while they were in sight. */
  seen: number;
}

declare global {
  interface Window {
    runMany(options: ManyOptions): Promise<ManyOutcome>;
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const paint = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));

/** An app and the place of the page it was given. */
interface Placed {
  readonly place: HTMLElement;
  readonly app: MountedApp;
}

/** The published app, as an embedder shows it: nothing is set but what must be. */
const mountAll = (server: ServerPort, count: number): Placed[] => {
  const { sandboxBase } = window.benchSettings;
  const resources = createAppResources(server);
  return Array.from({ length: count }, (_, index) => {
    const text = document.body.appendChild(document.createElement('p'));
    text.textContent = `Message ${index}: ${'what is said in a conversation, again and again. '.repeat(4)}`;
    const place = document.body.appendChild(document.createElement('div'));
    // A tool's list of results, each with an app of its own.
    const app = mountApp(place, {
      server,
      tool: benchTool,
      resources,
      sandbox: { base: sandboxBase },
      toolInput: { index },
    });
    app.sendToolResult({ content: [{ type: 'text', text: new Date(index).toISOString() }] });
    return { place, app };
  });
};

const isInSight = ({ place }: Placed): boolean => {
  const { top, bottom } = place.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight;
};

const isReady = ({ app }: Placed): boolean => app.getSnapshot().status === 'ready';

/** A long page of apps, opened at its beginning and read to its end; it stays as it is then. */
window.runMany = async ({ count, step, settleMs }) => {
  const answer = await fetch('/app.html');
  // A page of failures would be quick.
  if (!answer.ok) throw new Error('The app cannot be read.');
  const server = createBenchServer(await answer.text());
  const watch = watchThread();
  const placed = mountAll(server, count);
  await pause(settleMs);
  watch.take();
  const seen = new Set<Placed>();
  let liveAtMost = 0;
  const look = (): void => {
    liveAtMost = Math.max(liveAtMost, document.querySelectorAll('iframe').length);
    for (const one of placed) if (isInSight(one) && isReady(one)) seen.add(one);
  };
  /** A reader goes on when what is in sight is there; whoever scrolls too fast to see an app pays nothing for it. */
  const read = async (): Promise<void> => {
    const end = performance.now() + 10_000;
    while (!placed.filter(isInSight).every(isReady) && performance.now() < end) {
      await pause(20);
      look();
    }
    look();
  };
  const scroller = document.documentElement;
  const isAtEnd = (): boolean => scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 1;
  await read();
  while (!isAtEnd()) {
    const target = scroller.scrollTop + scroller.clientHeight * 0.8;
    while (!isAtEnd() && scroller.scrollTop < target) {
      scroller.scrollTop += step;
      await paint();
      look();
    }
    await read();
  }
  // Long tasks are told late.
  await pause(settleMs);
  look();
  const { longest, gap } = watch.take();
  watch.stop();
  return { longest, gap, liveAtMost, seen: seen.size };
};
