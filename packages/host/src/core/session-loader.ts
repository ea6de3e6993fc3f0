import type { PeerNotification } from '@casement/protocol';
import type { AppFrame } from './app-frame.js';
import type { AppResource } from './app-resource.js';
import { createAppResources } from './app-resource.js';
import type { AppServices } from './frame-parts.js';
import type { FramePlan } from './frame-plan.js';
import { toGranted } from './granted.js';
import type { HandlerContext } from './handlers/handler-context.js';
import type { SessionLimits } from './limits.js';
import { loadApp } from './load-app.js';
import { toFailure } from './session-failure.js';
import type { AppOptions } from './session-options.js';
import type { SessionRecorder } from './session-recorder.js';
import type { SessionStore } from './session-store.js';
import type { StepTimer } from './step-timer.js';
import type { Surface } from './surface.js';

/** Brings resource and frames of a session together. */
export interface SessionLoader {
  /** Reads and mounts; an earlier run that is still going no longer counts. */
  load(): Promise<void>;
  /** Gives the HTML to the proxy, once per read (HOST-027). */
  handOver(): void;
  /** The session is over: whatever is still being read is not mounted any more. */
  stop(): void;
  /** Counts runs, so that what a run started can see whether it is still meant. */
  readonly run: number;
  /** What serves the app; there once its first frame is. */
  readonly services: AppServices | undefined;
}

/** What a loader works with. */
export interface LoaderOptions {
  readonly options: AppOptions;
  readonly limits: SessionLimits;
  readonly surface: Surface;
  readonly recorder: SessionRecorder;
  readonly timer: StepTimer;
  readonly frame: AppFrame;
  readonly handling: HandlerContext;
  receive(notification: PeerNotification): void;
  store(): SessionStore;
}

/** A loader that has not loaded anything. */
export const createSessionLoader = (parts: LoaderOptions): SessionLoader => {
  const { options, limits, surface, recorder, timer, frame, handling, receive, store } = parts;
  const { server, tool } = options;
  const resources =
    options.resources ??
    createAppResources(server, { maxBytes: limits.maxHtmlBytes, timeoutMs: limits.resourceMs });
  let run = 0;
  let html = '';
  let services: AppServices | undefined;

  const mount = (plan: FramePlan, isWarm: boolean): void => {
    if (!services) return;
    const { policy, declared, dropped, csp, fallback } = plan;
    // HOST-006: what is enforced, for which resource of which server, can be looked up later.
    recorder.lifecycle('policy', { server: server.name, resource: policy.resource, csp, policy, isWarm });
    for (const entry of dropped) recorder.note('finding', { code: 'domain-dropped', ...entry });
    for (const finding of plan.findings) {
      if (finding.code !== 'domain-dropped') recorder.note('finding', finding);
    }
    frame.mount(plan, services.openLeg);
    store().update({
      policy: { ...(declared ? { declared } : {}), effective: policy, dropped, csp },
      address: { proxyOrigin: plan.frame.origin, appOrigin: plan.appOrigin },
      prewarmed: isWarm,
      ...(fallback ? { fallback } : {}),
    });
    store().dispatch({ type: 'mounted' });
    timer.limitSandbox();
  };

  const accept = (resource: AppResource): void => {
    for (const finding of resource.findings) recorder.note('finding', finding);
    const { uri, hash, bytes, findings, provenance, prefersBorder } = resource;
    store().update({
      findings: [...(frame.plan?.findings ?? []), ...findings],
      resource: {
        uri,
        hash,
        bytes,
        findings,
        provenance,
        ...(prefersBorder === undefined ? {} : { prefersBorder }),
      },
    });
    html = resource.html;
    store().dispatch({ type: 'resource' });
  };

  return {
    async load() {
      run += 1;
      const mine = run;
      const isCurrent = (): boolean => mine === run && store().state.status === 'loading';
      // On demand, to keep what every page loads small; asked for now, so that it comes while the server answers.
      const loading = import('./frame-parts.js');
      loading.catch(() => undefined);
      try {
        const resource = await loadApp({
          tool,
          resourceUri: options.resourceUri,
          resources,
          resourceMs: limits.resourceMs,
          isCurrent,
          toPlan: async (read) => {
            const { createAppServices, toFramePlan } = await loading;
            services ??= createAppServices(handling, receive);
            return toFramePlan(read, options, surface.origins);
          },
          mount,
          discard() {
            recorder.lifecycle('warm-frames-discarded');
            frame.unmount();
            store().dispatch({ type: 'unmounted' });
          },
        });
        if (resource && isCurrent()) accept(resource);
      } catch (error) {
        if (isCurrent())
          store().dispatch({ type: 'fail', failure: toFailure(error, 'resource', 'internal') });
      }
    },
    handOver() {
      if (!frame.plan) return;
      const params = { html, ...toGranted(frame.plan.policy) };
      html = '';
      frame.leg?.notify('ui/notifications/sandbox-resource-ready', params);
    },
    stop() {
      run += 1;
      // A cache that was given is shared and outlives the session.
      if (!options.resources) resources.close();
    },
    get run() {
      return run;
    },
    get services() {
      return services;
    },
  };
};
