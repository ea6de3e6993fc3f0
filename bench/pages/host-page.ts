import type { CallToolResult } from '@casement/protocol';
import { createAppResources, mountApp } from '@casement/host';
import { mountBareApp } from './bare-app.js';
import { benchTool, benchUri, createBenchServer, echo, readMs } from './bench-server.js';
import './crowd.js';
import './many-apps.js';
import './thread.js';

/** What a run is told by the bench, and how it shows the guest. */
interface BenchSettings {
  readonly html: string;
  readonly relayUrl: string;
  readonly sandboxBase: string;
  readonly frameAttributes: Readonly<Record<string, string>>;
}

interface BenchOptions {
  readonly kind: 'casement' | 'bare';
  /** Mounted this long before the result is there; 0 mounts when it is. */
  readonly aheadMs: number;
  readonly trips: number;
}

interface BenchOutcome {
  /** From the result in hand to the guest's word that it was painted, in ms. */
  painted: number;
  /** Mean ms of one round trip. */
  ping?: number;
  call?: number;
}

type Said = { painted?: true; ping?: number; call?: number };

declare global {
  interface Window {
    benchSettings: BenchSettings;
    runBench(options: BenchOptions): Promise<BenchOutcome>;
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A guest being shown; `deliver` gives it the result as soon as it can take it. */
interface Shown {
  deliver(result: CallToolResult): void;
}

type Show = (container: HTMLElement, say: (data: Said) => void) => Shown;

const toCasement = async (isAhead: boolean): Promise<Show> => {
  const { html, sandboxBase } = window.benchSettings;
  const server = createBenchServer(html);
  const resources = createAppResources(server);
  // What a host does when a tool is chosen or its call starts.
  if (isAhead) await resources.read(benchUri);
  return (container, say) => {
    const app = mountApp(container, {
      server,
      tool: benchTool,
      resources,
      sandbox: { base: sandboxBase },
      toolInput: {},
      // The guest is a file of this bench.
      onLog: ({ data }) => say(data as Said),
    });
    return { deliver: (result) => app.sendToolResult(result) };
  };
};

const toBare = async (): Promise<Show> => {
  const { html, relayUrl, frameAttributes } = window.benchSettings;
  return (container, say) => {
    // The guest is a file of this bench.
    const onLog = (data: unknown): void => say(data as Said);
    const app = mountBareApp(container, { relayUrl, frameAttributes, onLog, answer: echo });
    void pause(readMs).then(() => app.hand(html));
    return { deliver: (result) => app.deliver(result) };
  };
};

window.runBench = async ({ kind, aheadMs, trips }) => {
  const show = await (kind === 'casement' ? toCasement(aheadMs > 0) : toBare());
  const container = document.createElement('div');
  document.body.append(container);
  return new Promise<BenchOutcome>((resolve) => {
    let start = 0;
    let painted = 0;
    const say = (data: Said): void => {
      if (data.painted) painted = performance.now() - start;
      if (!data.painted || trips === 0) resolve({ ...data, painted });
    };
    const call = async (): Promise<void> => {
      const early = aheadMs > 0 ? show(container, say) : undefined;
      await pause(aheadMs);
      start = performance.now();
      const shown = early ?? show(container, say);
      shown.deliver({ ...echo, structuredContent: { value: 'painted', trips } });
    };
    void call();
  });
};
