import type { CallToolResult, EvidenceMode } from '@casement/protocol';
import { createAppResources, mountApp } from '@casement/host';
import { evidenceScript } from '@casement/sandbox/evidence';
import { mountBareApp } from './bare-app.js';
import './bench-settings.js';
import { benchTool, benchUri, createBenchServer, echo, readMs } from './bench-server.js';

interface BenchOptions {
  readonly kind: 'casement' | 'bare';
  /** Mounted this long before the result is there; 0 mounts when it is. */
  readonly aheadMs: number;
  readonly trips: number;
  /** What the loader collects; the default of an embedder unless given. */
  readonly evidence?: EvidenceMode;
}

interface BenchOutcome {
  /** When the result was in hand, by the clock that all processes share. */
  startedAt: number;
  /** From there to the guest's word that it was painted, in ms. */
  painted: number;
  /** What came out of the frames, by its method, and how long after the start. */
  heard: readonly { readonly method: string; readonly ms: number }[];
  /** Mean ms of one round trip. */
  ping?: number;
  call?: number;
}

type Said = { painted?: true; ping?: number; call?: number };

declare global {
  interface Window {
    runBench(options: BenchOptions): Promise<BenchOutcome>;
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A guest being shown; `deliver` gives it the result as soon as it can take it. */
interface Shown {
  deliver(result: CallToolResult): void;
}

type Show = (container: HTMLElement, say: (data: Said) => void) => Shown;

const toCasement = async (isAhead: boolean, evidence: EvidenceMode = 'errors'): Promise<Show> => {
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
      evidence,
      evidenceScript,
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

window.runBench = async ({ kind, aheadMs, trips, evidence }) => {
  const show = await (kind === 'casement' ? toCasement(aheadMs > 0, evidence) : toBare());
  const container = document.createElement('div');
  document.body.append(container);
  return new Promise<BenchOutcome>((resolve) => {
    let start = 0;
    let painted = 0;
    const heard: { method: string; ms: number }[] = [];
    const say = (data: Said): void => {
      if (data.painted) painted = performance.now() - start;
      const startedAt = performance.timeOrigin + start;
      if (!data.painted || trips === 0) resolve({ ...data, startedAt, painted, heard });
    };
    // Round trips would be slowed down by it.
    if (trips === 0)
      window.addEventListener('message', ({ data }) => {
        if (typeof data.method === 'string')
          heard.push({ method: data.method, ms: performance.now() - start });
      });
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
