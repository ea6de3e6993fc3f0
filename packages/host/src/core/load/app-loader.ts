import type { AppFamily } from '@casement/protocol';
import { CasementError, readToolUi } from '@casement/protocol/basics';
import type { AppFrame } from '../frame/app-frame.js';
import { toStorageLasts } from '../frame/app-storage.js';
import type { FramePlan } from '../frame/frame-plan.js';
import { createFramePlan, toGranted } from '../frame/frame-plan.js';
import type { OpenLeg } from '../leg/app-leg.js';
import type { SessionLimits } from '../limits.js';
import type { SessionOptions } from '../session-options.js';
import type { AppStorage } from '../state/app-snapshot.js';
import type { SessionRecorder } from '../state/session-recorder.js';
import type { SessionStore } from '../state/session-store.js';
import type { StepTimer } from '../session/step-timer.js';
import type { Surface } from '../surface.js';
import type { SessionView } from '../view/session-view.js';
import type { AppResources } from './app-resources.js';
import { getMountQueue } from './mount-queue.js';
import type { AppResource } from './read-resource.js';
import { reviewResource } from './review-resource.js';
import { withTimeLimit } from './time-limit.js';

/** A read that began before there was anybody to use it. */
export interface EarlyRead {
  readonly uri: string;
  /** What was known of the address before. */
  readonly known: AppResource | undefined;
  readonly reading: Promise<AppResource>;
}

/** Reads the UI resource of a session and mounts its frames. */
export interface AppLoader {
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
interface LoaderParts {
  readonly options: SessionOptions;
  readonly surface: Surface;
  readonly limits: SessionLimits;
  readonly recorder: SessionRecorder;
  readonly store: SessionStore;
  readonly resources: AppResources;
  readonly timer: StepTimer;
  readonly frame: AppFrame;
  readonly openLeg: OpenLeg;
  readonly view: Pick<SessionView, 'prefer'>;
  /** When the process of an app that hung is surely gone. */
  mountNotBefore(): number;
}

/**
 * Makes the loader of one session. When an earlier read told the policy, the frames are mounted at once and the read
 * runs beside them; never with a guessed policy.
 */
export const createAppLoader = (parts: LoaderParts): AppLoader => {
  const { options, limits, surface, recorder, timer, frame, resources, openLeg, view, store } = parts;
  const { server } = options;
  const queue = getMountQueue(surface.page);
  /** Origins of pages elsewhere that the user agreed to. */
  const agreed = new Set<string>();
  let run = 0;
  let current = new AbortController();
  let endTurn = (): void => undefined;
  let document: Pick<AppResource, 'html' | 'shim' | 'url'> = { html: '' };

  const startRead = (uri: string, early: EarlyRead | undefined): Omit<EarlyRead, 'uri'> => {
    if (options.embedded !== undefined)
      return { known: undefined, reading: readEmbedded(options.embedded, uri, limits.maxHtmlBytes) };
    return early?.uri === uri ? early : { known: resources.peek(uri), reading: resources.read(uri) };
  };

  const planFrames = async (read: AppResource): Promise<FramePlan> => {
    const plan = await createFramePlan(
      read,
      { ...options, hasCredentialless: surface.hasCredentialless },
      surface.origins,
    );
    if (read.url !== undefined && plan.policy.frame.length === 0) throw toUnframed(read.url, plan);
    return plan;
  };

  /** Throws when the document must not be shown. */
  const review = async (read: AppResource, signal: AbortSignal): Promise<void> => {
    await reviewResource(read, options);
    if (read.url === undefined) return;
    // Nobody is asked about a page that could not be shown anyway.
    await planFrames(read);
    const { askForPage } = await import('../consent/ask-for-page.js');
    await askForPage(read.url, { options, recorder, agreed, signal });
  };

  /** Waits until it is this app's turn to come up. */
  const takeTurn = async (signal: AbortSignal): Promise<void> => {
    await pauseUntil(parts.mountNotBefore(), signal);
    const end = await queue.takeTurn(signal);
    if (signal.aborted) end();
    else endTurn = end;
  };

  const mount = (plan: FramePlan, isWarm: boolean): void => {
    const { policy, declared, dropped, csp, fallback } = plan;
    // HOST-006: what is enforced, for which resource of which server, can be looked up later.
    const storage = toStorage(plan, options, surface);
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
    if (storage.inForce === 'persistent' && storage.wanted === 'page')
      store.addFinding(toStorageLasts(plan.site));
    store.dispatch({ type: 'mounted' });
    timer.limitSandbox(plan.frame);
  };

  /** Throws warm frames away: the fresh read asks for another policy. */
  const discard = (): void => {
    recorder.lifecycle('warm-frames-discarded');
    frame.unmount();
    store.dispatch({ type: 'unmounted' });
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
      /** False once the session went another way; nothing is mounted then. */
      const isCurrent = (): boolean => mine === run && store.state.status === 'loading';
      try {
        const { uri, linked } = await findDocument(options);
        const asFamily = (read: AppResource): AppResource => toFamilyOf(read, linked, options.family);
        const { known, reading } = startRead(uri, early);
        const { resourceMs } = limits;
        const limited = withTimeLimit(reading, resourceMs, () => toTimeout(uri, resourceMs), signal);
        // Awaited below; this keeps a failure during the warm mount from being reported as unhandled.
        limited.catch(() => undefined);
        const warm = known && (await planFrames(asFamily(known)));
        if (warm) await takeTurn(signal);
        if (!isCurrent()) return;
        if (warm) mount(warm, true);
        const resource = asFamily(await limited);
        await review(resource, signal);
        const plan = await planFrames(resource);
        if (!warm) await takeTurn(signal);
        if (!isCurrent()) return;
        if (warm?.key !== plan.key) {
          if (warm) discard();
          mount(plan, false);
        }
        if (isCurrent()) accept(resource);
      } catch (error) {
        if (isCurrent()) store.failWith(error);
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

type Linking = Pick<SessionOptions, 'tool' | 'resourceUri' | 'family' | 'embedded'>;

/** The address of the document to show and the family it is linked for; throws when there is none. */
const findDocument = async (options: Linking): Promise<{ uri: string; linked: AppFamily | null }> => {
  if (options.embedded !== undefined) {
    const { readEmbeddedUri } = await import('./embedded-resource.js');
    return { uri: readEmbeddedUri(options.embedded), linked: null };
  }
  const { resourceUri, family, findings } = readLink(options);
  if (resourceUri !== undefined) return { uri: resourceUri, linked: family };
  const { tool } = options;
  const finding = findings.find(({ code }) => code === 'resource-uri') ?? findings[0];
  const noUi = tool
    ? `The tool ${tool.name} names no UI resource.`
    : 'Neither a tool nor a resource address was given.';
  throw new CasementError(finding ? 'resource-uri' : 'resource-missing', finding?.message ?? noUi, {
    step: 'resource',
    hint: finding?.fix ?? 'Set _meta.ui.resourceUri of the tool to a ui:// address.',
  });
};

/** An address given by the embedder is judged like one a tool names. */
const readLink = ({ tool, resourceUri, family }: Linking): ReturnType<typeof readToolUi> => {
  const own = readToolUi(tool, family);
  return resourceUri === undefined || own.resourceUri === resourceUri
    ? own
    : readToolUi({ _meta: { ui: { resourceUri } } });
};

const readEmbedded = async (embedded: unknown, uri: string, maxBytes: number): Promise<AppResource> => {
  const { readEmbeddedResource } = await import('./embedded-resource.js');
  return readEmbeddedResource(embedded, uri, maxBytes);
};

/** Its own type decides, then what linked it; the embedder's choice wins over both, for what is HTML of either. */
const toFamilyOf = (
  resource: AppResource,
  linked: AppFamily | null,
  wished: AppFamily | undefined,
): AppResource => {
  if (resource.family === 'mcp-ui') return resource;
  const family = wished ?? (linked === 'openai' ? linked : resource.family);
  return family === resource.family ? resource : { ...resource, family, shim: false };
};

const toStorage = (
  { frame: { credentialless }, fallback }: FramePlan,
  { storage = 'page' }: SessionOptions,
  { hasCredentialless }: Surface,
): AppStorage => {
  const lasting = credentialless && hasCredentialless ? 'page' : 'persistent';
  return { wanted: storage, inForce: fallback ? 'none' : lasting };
};

const toTimeout = (uri: string, ms: number): CasementError =>
  new CasementError('resource-timeout', `The server did not return ${uri} within ${ms / 1000} s.`, {
    step: 'resource',
    hint: 'Check what the server does in resources/read; it may wait for a sign-in or a network call.',
  });

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
