import { CasementError } from '@casement/protocol/start';
import type { AppResource, AppResources } from '../../core/load/app-resource.js';
import type { AheadPlan, PlanParts } from '../../core/load/plan-ahead.js';
import { planAhead } from '../../core/load/plan-ahead.js';
import type { MountedApp } from '../../core/session-options.js';
import { createSessionRecorder } from '../../core/state/session-recorder.js';
import type { MountAppOptions } from '../mount-app-options.js';
import type { ReadyPlace } from '../mount-app.js';
import { createPlace } from '../mount-app.js';
import type { readFrameFacts } from '../frame/frame-surface.js';
import type { watchRemoval } from '../frame/removal-watch.js';
import type { FrameParts, IdleFrame } from './idle-frame.js';
import { createIdleFrame } from './idle-frame.js';
import { addSpare, isShortOfMemory } from './ready-bounds.js';

/** What makes one app ready; loaded on demand. */
export interface ReadyApp {
  /**
   * The place with its frames and the cache to mount with these options; undefined if there is none. Nothing is dropped
   * from then on.
   */
  take(mounted: MountAppOptions): TakenPlace | undefined;
  keep(): void;
  begin(): void;
  drop(reason: string): void;
}

interface TakenPlace {
  readonly place: ReadyPlace;
  readonly resources: AppResources;
  /** Writes down what became of the frames. */
  follow(app: MountedApp): void;
}

/** What is there with any app, and handed over so that bundlers keep it where it is. */
interface ReadyParts extends FrameParts, PlanParts {
  readonly readFrameFacts: typeof readFrameFacts;
  readonly watchRemoval: typeof watchRemoval;
}

/** A press and its click are one gesture, if they are not further apart. */
const gestureMs = 1_000;

/** Whether a document may run before its embedder has judged the fresh one: only if there is nothing to judge. */
const mayRun = (hash: string, { review, blockedHashes = [] }: MountAppOptions): boolean =>
  review === undefined && blockedHashes.length === 0 && hash !== '';

/** Reads what the tool names, finds out its policy, and has its frames wait in `container`; whatever fails is only written down. */
export const createReadyApp = (
  container: HTMLElement,
  options: MountAppOptions,
  given: {
    readonly resources: AppResources;
    /** What a first app loads as well. */
    readonly parts: ReadyParts;
    onOver(): void;
  },
): ReadyApp => {
  const { resources, parts } = given;
  const { server, tool, recording } = options;
  const stops = new AbortController();
  const { signal } = stops;
  const recorder = recording && createSessionRecorder(recording, `server:${server.name}`, () => 0);
  let state: 'coming' | 'ready' | 'taken' | 'over' = 'coming';
  let frame: IdleFrame | undefined;
  let layout: ReturnType<typeof createPlace> | undefined;
  let uri: string | undefined;
  let early: AheadPlan['early'];
  let hasBegun = false;
  let begun: { readonly at: number; readonly reading: Promise<AppResource> } | undefined;
  let isTold = false;

  const tell = (step: 'prepared' | 'used' | 'dropped', details: Record<string, unknown> = {}): void =>
    recorder?.lifecycle('warm', {
      step,
      server: server.name,
      ...(tool ? { tool: tool.name } : {}),
      ...(uri === undefined ? {} : { resource: uri }),
      ...details,
    });
  /** What became of the frames is told once. */
  const tellEnd = (...end: Parameters<typeof tell>): void => {
    if (!isTold) tell(...end);
    isTold = true;
  };
  const drop = (reason: string, details: Record<string, unknown> = {}): void => {
    if (state === 'over' || state === 'taken') return;
    state = 'over';
    stops.abort();
    spare.leave();
    frame?.remove();
    layout?.remove();
    tellEnd('dropped', { reason, ...details });
    given.onOver();
  };
  const spare = addSpare({ drop });
  const onFault = (reason: string): void => {
    // Frames that were taken are the session's: it goes on with new ones.
    if (state === 'taken') tellEnd('dropped', { reason });
    else drop(reason);
  };

  const onBegun = (): void => {
    hasBegun = true;
    recorder?.lifecycle('early-start', { server: server.name, resource: uri, hash: early?.hash });
  };

  const prepare = async (): Promise<void> => {
    if (document.hidden) return drop('page-hidden');
    if (isShortOfMemory()) return drop('memory');
    try {
      const ahead = await planAhead(options, resources, parts.readFrameFacts(), { parts, signal });
      if (state !== 'coming') return;
      const { plan } = ahead;
      early = ahead.early;
      uri = plan.policy.resource;
      layout = createPlace(container, options);
      const height = options.inlineHeight?.initial ?? 400;
      frame = createIdleFrame({ layout, spec: plan.frame, height, parts, onFault });
      const stopWatching = parts.watchRemoval(layout.wrapper, container.isConnected, () => drop('removed'));
      signal.addEventListener('abort', stopWatching);
      state = 'ready';
      tell('prepared');
    } catch (error) {
      // Nobody asked for anything yet: whoever runs the tool is told by the run itself.
      const code = error instanceof CasementError ? error.code : 'internal';
      drop(code === 'resource-timeout' ? 'read-slow' : 'read-failed', { code });
    }
  };

  const unsubscribe = server.subscribe((event) => {
    // A run reads anew, and takes these frames only if it would have made the same.
    if (event.type === 'prompts-changed' || event.type === 'reconnected') return;
    if (event.type === 'resource-updated' && event.uri !== uri) return;
    drop(event.type === 'lost' ? 'server-lost' : 'server-changed');
  });
  signal.addEventListener('abort', unsubscribe);
  void prepare();

  return {
    keep: spare.keep,
    drop,
    begin() {
      if (state !== 'ready' || uri === undefined) return;
      spare.keep();
      begun = { at: performance.now(), reading: resources.read(uri) };
      begun.reading.catch(() => undefined);
    },
    take(mounted) {
      if (state !== 'ready' || !frame || !layout) return undefined;
      const idle = frame;
      const place = layout;
      state = 'taken';
      stops.abort();
      spare.leave();
      if (early && mayRun(early.hash, mounted) && resources.peek(uri ?? '')?.hash === early.hash)
        idle.start(early.handover, onBegun);
      idle.reveal();
      return {
        place: { layout: place, claim: idle.claim, guarded: idle.guarded },
        resources: {
          prefetch: resources.prefetch,
          readAhead: resources.readAhead,
          peek: resources.peek,
          close: resources.close,
          read(wanted) {
            const own = wanted === uri ? begun : undefined;
            begun = undefined;
            const isOfGesture = own !== undefined && performance.now() - own.at < gestureMs;
            return isOfGesture ? own.reading : resources.read(wanted);
          },
        },
        follow(app) {
          const look = (): void => {
            const { status } = app.getSnapshot();
            if (status === 'idle' || status === 'loading' || status === 'sandbox') return;
            stop();
            const isUsed = status !== 'failed' && idle.element.isConnected;
            if (isUsed)
              return tellEnd('used', {
                app: app.getSnapshot().session,
                ...(hasBegun ? { early: true } : {}),
              });
            // A session that failed early never came to ask for them.
            idle.remove();
            tellEnd('dropped', { reason: status === 'failed' ? 'run-failed' : 'policy-changed' });
          };
          const stop = app.subscribe(look);
        },
      };
    },
  };
};
