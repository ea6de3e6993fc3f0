import { createAppResources, mountApp } from '@casement/host';
import type { ServerPort } from '@casement/protocol/ports';
import { benchTool, createBenchServer } from './bench-server.js';
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
}

declare global {
  interface Window {
    runMany(options: ManyOptions): Promise<ManyOutcome>;
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const paint = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));

/** The published app, as an embedder shows it: nothing is set but what must be. */
const mountAll = (server: ServerPort, count: number): void => {
  const { sandboxBase } = window.benchSettings;
  const resources = createAppResources(server);
  for (let index = 0; index < count; index += 1) {
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
  }
};

/** A long page of apps, opened at its beginning and read to its end; it stays as it is then. */
window.runMany = async ({ count, step, settleMs }) => {
  const answer = await fetch('/app.html');
  // A page of failures would be quick.
  if (!answer.ok) throw new Error('The app cannot be read.');
  const server = createBenchServer(await answer.text());
  const watch = watchThread();
  mountAll(server, count);
  await pause(settleMs);
  watch.take();
  let liveAtMost = 0;
  const look = (): void => {
    liveAtMost = Math.max(liveAtMost, document.querySelectorAll('iframe').length);
  };
  const scroller = document.documentElement;
  while (scroller.scrollTop + scroller.clientHeight < scroller.scrollHeight - 1) {
    scroller.scrollTop += step;
    await paint();
    look();
  }
  // Long tasks are told late, and what comes into view last is mounted last.
  for (let waited = 0; waited < settleMs; waited += 100) {
    await pause(100);
    look();
  }
  const { longest, gap } = watch.take();
  watch.stop();
  return { longest, gap, liveAtMost };
};
