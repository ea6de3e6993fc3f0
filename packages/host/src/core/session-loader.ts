import { CasementError } from '@casement/protocol';
import type { AppFrame } from './app-frame.js';
import type { AppResource } from './app-resource.js';
import type { AppStorage } from './app-storage.js';
import { toStorageLasts } from './app-storage.js';
import type { OpenLeg } from './frame-parts.js';
import type { FramePlan } from './frame-plan.js';
import { toFramePlan } from './frame-plan.js';
import { toGranted } from './granted.js';
import type { LiveOptions } from './live-session.js';
import type { EarlyRead } from './load-app.js';
import { loadApp } from './load-app.js';
import { toMountQueue } from './mount-queue.js';
import { reviewResource } from './review-resource.js';
import { toFailure } from './session-failure.js';
import type { SessionView } from './session-view.js';
import type { StepTimer } from './step-timer.js';

/** Brings resource and frames of a session together. */
export interface SessionLoader {
  /** Reads and mounts; an earlier run that is still going no longer counts. */
  load(early?: EarlyRead): Promise<void>;
  /** Gives the HTML to the proxy, once per read (HOST-027). */
  handOver(): void;
  /** The app is up, or will not be: the next one of the page may come. */
  endTurn(): void;
  /** The session is over: whatever is still being read is not mounted any more. */
  stop(): void;
  /** Counts runs, so that what a run started can see whether it is still meant. */
  readonly run: number;
}

/** What a loader works with. */
export interface LoaderOptions extends LiveOptions {
  readonly timer: StepTimer;
  readonly frame: AppFrame;
  readonly openLeg: OpenLeg;
  readonly view: Pick<SessionView, 'prefer'>;
  /** When the process of an app that hung is surely gone. */
  hungUntil(): number;
}

const toUnframed = (url: string, { dropped }: FramePlan): CasementError =>
  new CasementError(
    'external-refused',
    `The app is the page ${new URL(url).origin}, which cannot be framed: it ${dropped[0]?.reason ?? 'is not allowed'}.`,
    {
      step: 'resource',
      hint: 'Use an https address that others can reach, and a sandbox with an origin per app.',
    },
  );

const pauseUntil = (time: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const ms = time - Date.now();
    if (ms <= 0 || signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    const leave = (): void => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', leave, { once: true });
  });

type Handed = Pick<AppResource, 'html' | 'shim' | 'url'>;

/** A loader that has not loaded anything. */
export const createSessionLoader = (parts: LoaderOptions): SessionLoader => {
  const { options, limits, surface, recorder, timer, frame, resources, openLeg, view, store } = parts;
  const { server } = options;
  const agreed = new Set<string>();
  let run = 0;
  const queue = toMountQueue(surface.page);
  let current = new AbortController();
  let endTurn = (): void => undefined;
  let document: Handed = { html: '' };

  const toPlan = async (read: AppResource): Promise<FramePlan> => {
    const plan = await toFramePlan(
      read,
      { ...options, hasCredentialless: surface.hasCredentialless },
      surface.origins,
    );
    if (read.url !== undefined && plan.policy.frame.length === 0) throw toUnframed(read.url, plan);
    return plan;
  };

  const toStorage = ({ frame: { credentialless }, fallback }: FramePlan): AppStorage => {
    const lasting = credentialless && surface.hasCredentialless ? 'page' : 'persistent';
    return { wanted: options.storage ?? 'page', inForce: fallback ? 'none' : lasting };
  };

  const mount = (plan: FramePlan, isWarm: boolean): void => {
    const { policy, declared, dropped, csp, fallback } = plan;
    // HOST-006: what is enforced, for which resource of which server, can be looked up later.
    const storage = toStorage(plan);
    const { resource } = policy;
    recorder.lifecycle('policy', { server: server.name, resource, csp, policy, storage, isWarm });
    for (const entry of dropped) recorder.note('finding', { code: 'domain-dropped', ...entry });
    for (const finding of plan.findings) {
      if (finding.code !== 'domain-dropped') recorder.note('finding', finding);
    }
    frame.mount(plan, openLeg);
    store.update({
      policy: { ...(declared ? { declared } : {}), effective: policy, dropped, csp },
      address: {
        proxyOrigin: plan.frame.origin,
        appOrigin: plan.appOrigin,
        ...(plan.site ? { site: plan.site } : {}),
      },
      prewarmed: isWarm,
      storage,
      ...(fallback ? { fallback } : {}),
    });
    if (storage.inForce === 'persistent' && storage.wanted === 'page') store.find(toStorageLasts(plan.site));
    store.dispatch({ type: 'mounted' });
    timer.limitSandbox(plan.frame);
  };

  const accept = (resource: AppResource): void => {
    for (const finding of resource.findings) recorder.note('finding', finding);
    const { uri, hash, bytes, findings, provenance, permissions, prefersBorder, shim, cache, family, url } =
      resource;
    recorder.lifecycle('resource-read', { uri, hash, bytes, ...(cache ? { cache } : {}) });
    store.update({
      // What was found while the frames came up holds as well.
      findings: [...(frame.plan?.findings ?? []), ...findings, ...store.getSnapshot().findings],
      resource: {
        uri,
        hash,
        bytes,
        family,
        ...(url === undefined ? {} : { url }),
        findings,
        provenance,
        permissions,
        ...(prefersBorder === undefined ? {} : { prefersBorder }),
        ...(shim === undefined ? {} : { shim }),
        ...(cache ? { cache } : {}),
      },
    });
    document = resource;
    if (resource.preferredSize) view.prefer(resource.preferredSize);
    store.dispatch({ type: 'resource' });
  };

  return {
    async load(early) {
      run += 1;
      const mine = run;
      current.abort();
      endTurn();
      const { signal } = (current = new AbortController());
      const isCurrent = (): boolean => mine === run && store.state.status === 'loading';
      try {
        const resource = await loadApp({
          app: options,
          maxBytes: limits.maxHtmlBytes,
          resources,
          resourceMs: limits.resourceMs,
          early,
          isCurrent,
          signal,
          async review(read) {
            await reviewResource(read, options);
            if (read.url === undefined) return;
            // Nobody is asked about a page that could not be shown anyway.
            await toPlan(read);
            const { askForPage } = await import('../families/external-page.js');
            await askForPage(read.url, { options, recorder, agreed, signal });
          },
          toPlan,
          async takeTurn() {
            await pauseUntil(parts.hungUntil(), signal);
            const end = await queue.takeTurn(signal);
            if (signal.aborted) end();
            else endTurn = end;
          },
          mount,
          discard() {
            recorder.lifecycle('warm-frames-discarded');
            frame.unmount();
            store.dispatch({ type: 'unmounted' });
          },
        });
        if (resource && isCurrent()) accept(resource);
      } catch (error) {
        if (isCurrent()) store.dispatch({ type: 'fail', failure: toFailure(error, 'resource', 'internal') });
      }
    },
    handOver() {
      if (!frame.plan) return;
      const { html, shim, url } = document;
      const { family } = frame.plan.policy;
      document = { html: '' };
      frame.leg?.notify('ui/notifications/sandbox-resource-ready', {
        html,
        ...toGranted(frame.plan.policy),
        ...(shim ? { shim } : {}),
        // The static file knows it from here alone.
        ...(family === 'mcp-apps' ? {} : { family }),
        ...(url === undefined ? {} : { url }),
      });
    },
    endTurn: () => endTurn(),
    stop() {
      run += 1;
      current.abort();
      endTurn();
    },
    get run() {
      return run;
    },
  };
};
