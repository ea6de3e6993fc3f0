import { examineSource, type SourceTask } from '@casement/checks/source-map';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSourceRunner } from './run-source-task.js';

type StartWorker = NonNullable<Parameters<typeof createSourceRunner>[0]>;
type SourceWorker = ReturnType<StartWorker>;

const task: SourceTask = {
  task: 'document',
  html: '<script>fail()</script>',
  base: 'ui://shop/app.html',
  place: { line: 1, column: 1 },
  message: '',
};

/** Workers as a browser starts them: what each does with a task is given, one after the other. */
const createWorkers = (...does: ((worker: SourceWorker, task: SourceTask) => void)[]) => {
  const alive = new Set<SourceWorker>();
  let most = 0;
  const start: StartWorker = () => {
    const act = does.shift();
    if (!act) throw new Error('no worker can be started');
    const worker: SourceWorker = {
      onmessage: null,
      onerror: null,
      postMessage: (given: SourceTask) => queueMicrotask(() => act(worker, given)),
      terminate: () => void alive.delete(worker),
    };
    alive.add(worker);
    most = Math.max(most, alive.size);
    return worker;
  };
  return { start, alive, most: () => most };
};

const answer = (worker: SourceWorker, given: SourceTask): void =>
  void worker.onmessage?.call(
    worker as Worker, // nothing more of it is used
    new MessageEvent('message', { data: examineSource(given) }),
  );

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('each step has a worker of its own, one after the other, and none is left', async () => {
  const { start, alive, most } = createWorkers(answer, answer, answer);
  const run = createSourceRunner(start);
  const outcomes = await Promise.all([run(task), run(task), run(task)]);
  expect(outcomes.map(({ written }) => written?.line)).toEqual([1, 1, 1]);
  expect(most()).toBe(1);
  expect(alive.size).toBe(0);
});

test('a worker that takes too long is ended by name, and the next step goes on', async () => {
  const { start, alive } = createWorkers(() => undefined, answer);
  const run = createSourceRunner(start);
  const [slow, next] = [run(task), run(task)];
  await vi.advanceTimersByTimeAsync(10_000);
  expect((await slow).refusal?.code).toBe('took-too-long');
  expect((await next).written?.line).toBe(1);
  expect(alive.size).toBe(0);
});

test('a worker that fails, or cannot be started, is a refusal', async () => {
  const { start, alive } = createWorkers((worker) => {
    const event = Object.assign(new Event('error', { cancelable: true }), { message: 'out of memory' });
    worker.onerror?.call(
      worker as Worker, // nothing more of it is used
      event as ErrorEvent, // Node has no class of that name
    );
  });
  const run = createSourceRunner(start);
  expect((await run(task)).refusal).toMatchObject({
    code: 'map-unreadable',
    reason: expect.stringContaining('out of memory'),
  });
  expect((await run(task)).refusal?.reason).toContain('no worker can be started');
  expect(alive.size).toBe(0);
});
