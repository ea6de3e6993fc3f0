/// <reference types="vite/client" />
import type { SourceOutcome, SourceTask } from '@casement/checks/source-map';
import workerUrl from './source-worker.js?worker&url';

/** Does a step of the way to a source. */
export type RunSourceTask = (task: SourceTask) => Promise<SourceOutcome>;

/** The only script that the page's policy lets a worker be made of. TypeScript does not know these names yet. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(url: string): string };
}
const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
const policy = trustedTypes?.createPolicy('casement-source-worker', { createScriptURL: () => workerUrl });

const workerMs = 10_000;

const tookTooLong: SourceOutcome = {
  refusal: {
    code: 'took-too-long',
    reason: `Reading the source map took longer than ${workerMs / 1000} seconds, so it was ended.`,
    nextStep: 'Build with a map of the app’s own code alone.',
  },
};

const failed = (message: string): SourceOutcome => ({
  refusal: {
    code: 'map-unreadable',
    reason: `The source map could not be read: ${message}`,
    nextStep: 'Try again; if it stays so, build with a smaller map.',
  },
});

/** What is used of a worker. */
type SourceWorker = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>;

const startWorker = (): SourceWorker => new Worker(policy?.createScriptURL(workerUrl) ?? workerUrl);

const runInWorker = (task: SourceTask, start: () => SourceWorker): Promise<SourceOutcome> =>
  new Promise((resolve) => {
    const worker = start();
    const end = (outcome: SourceOutcome): void => {
      clearTimeout(timer);
      worker.terminate();
      resolve(outcome);
    };
    const timer = setTimeout(() => end(tookTooLong), workerMs);
    worker.onmessage = ({ data }: MessageEvent<SourceOutcome>) => end(data);
    worker.onerror = (event) => {
      event.preventDefault();
      end(failed(event.message || 'its worker ended.'));
    };
    worker.postMessage(task);
  });

/** Creates what does steps in a worker, one after the other, each in a worker of its own that leaves nothing behind. */
export const createSourceRunner = (start = startWorker): RunSourceTask => {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const own = last.then(() => runInWorker(task, start)).catch((error: unknown) => failed(String(error)));
    last = own;
    return own;
  };
};
