import { CasementError } from '@casement/protocol/start';
import type { AppFrame } from '../frame/app-frame.js';
import type { FramePlan } from '../frame/frame-plan.js';
import { createFramePlan, toHandover } from '../frame/frame-plan.js';
import type { OpenLeg } from '../frame/app-frame.js';
import type { SessionLimits } from '../limits.js';
import { throwCodeMissing, toCodeMissing } from '../missing-code.js';
import type { SessionOptions } from '../session-options.js';
import type { SessionRecorder } from '../state/session-recorder.js';
import type { SessionStore } from '../state/session-store.js';
import type { Surface } from '../surface.js';
import type { AppSizing } from '../view/app-size.js';
import { findDocument, toFamilyOf } from './find-document.js';
import type { AppResource, AppResources } from './app-resource.js';
import { toAppResource, toToolFindings } from './read-resource.js';
import { pauseUntil, withTimeLimit } from './time-limit.js';
import type { WantedEvidence } from './wanted-evidence.js';
import { readWantedEvidence } from './wanted-evidence.js';

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
  readonly frame: AppFrame;
  readonly openLeg: OpenLeg;
  readonly sizing: Pick<AppSizing, 'prefer'>;
  /** When the process of an app that hung is surely gone. */
  mountNotBefore(): number;
}

/**
 * Makes the loader of one session. When an earlier read told the policy, the frames are mounted at once and the read
 * runs beside them; never with a guessed policy.
 */
export const createAppLoader = (parts: LoaderParts): AppLoader => {
  const { options, limits, surface, recorder, frame, resources, openLeg, sizing, store } = parts;
  const queue = getMountQueue(surface.page);
  /** Origins of pages elsewhere that the user agreed to. */
  const agreed = new Set<string>();
  let run = 0;
  let current = new AbortController();
  let endTurn = (): void => undefined;
  let evidence: WantedEvidence = {};
  let document: Pick<AppResource, 'html' | 'shim' | 'url'> = { html: '' };

  const startRead = (uri: string, early: EarlyRead | undefined): Omit<EarlyRead, 'uri'> => {
    if (options.embedded !== undefined)
      return { known: undefined, reading: readEmbedded(options.embedded, uri, limits.maxHtmlBytes) };
    return early?.uri === uri ? early : { known: resources.peek(uri), reading: resources.read(uri) };
  };

  const planFrames = async (read: AppResource): Promise<FramePlan> => {
    const toolFindings = options.tool ? await toToolFindings(options.tool) : [];
    const { hasCredentialless, origins } = surface;
    const plan = await createFramePlan(read, { ...options, toolFindings, hasCredentialless }, origins);
    if (read.url !== undefined && plan.policy.frame.length === 0) throw toUnframed(read.url, plan);
    return plan;
  };

  /** Throws when the document must not be shown. */
  const review = async (read: AppResource, signal: AbortSignal): Promise<void> => {
    await reviewResource(read, options);
    if (read.url === undefined) return;
    // Nobody is asked about a page that could not be shown anyway.
    await planFrames(read);
    const { askForPage } = await import('../handlers/app-requests.js').catch(throwCodeMissing);
    await askForPage(read.url, { options, recorder, agreed, signal });
  };

  /** Waits until it is this app's turn to come up. */
  const takeTurn = async (signal: AbortSignal): Promise<void> => {
    await pauseUntil(parts.mountNotBefore(), signal);
    const end = await queue.takeTurn(signal);
    if (signal.aborted) end();
    else endTurn = end;
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
    if (resource.preferredSize) sizing.prefer(resource.preferredSize);
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
        const wanted = readWantedEvidence(options);
        wanted.catch(() => undefined);
        const limited = withTimeLimit(reading, resourceMs, () => toTimeout(uri, resourceMs), signal);
        // Awaited below; this keeps a failure during the warm mount from being reported as unhandled.
        limited.catch(() => undefined);
        const warm = known && (await planFrames(asFamily(known)));
        if (warm) await takeTurn(signal);
        if (!isCurrent()) return;
        if (warm) frame.mount(warm, { isWarm: true, openLeg });
        const resource = asFamily(await limited);
        await review(resource, signal);
        const plan = await planFrames(resource);
        if (!warm) await takeTurn(signal);
        if (!isCurrent()) return;
        if (warm?.key !== plan.key) {
          if (warm) discard();
          frame.mount(plan, { isWarm: false, openLeg });
        }
        // The HTML leaves this page only after `accept`: never before what watches over the app is here.
        const all = Promise.all([wanted, surface.guard?.()]);
        [evidence] = await withTimeLimit(all, resourceMs, toCodeMissing, signal);
        if (isCurrent()) accept(resource);
      } catch (error) {
        if (isCurrent()) store.failWith(error);
      }
    },
    handOver() {
      if (!frame.plan) return;
      const handover = { ...toHandover(document, frame.plan.policy), ...evidence };
      document = { html: '' };
      frame.leg?.notify('ui/notifications/sandbox-resource-ready', handover);
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

const readEmbedded = async (embedded: unknown, uri: string, maxBytes: number): Promise<AppResource> => {
  const { readEmbeddedResource } = await import('../loaded/unusual-app.js').catch(throwCodeMissing);
  return readEmbeddedResource(embedded, uri, maxBytes, toAppResource);
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

/** Throws resource-blocked for a document the embedder does not want shown (HOST-037). */
const reviewResource = async (
  resource: AppResource,
  { blockedHashes = [], review }: Pick<SessionOptions, 'blockedHashes' | 'review'>,
): Promise<void> => {
  const { uri, hash } = resource;
  if (blockedHashes.length > 0 && hash === '') {
    // A list that cannot be applied must not be passed over.
    throw toBlocked(uri, 'its hash cannot be computed on this page', 'Serve the page over https.');
  }
  if (blockedHashes.some((blocked) => blocked.toLowerCase() === hash)) {
    throw toBlocked(
      uri,
      `its hash is on the block list (${hash})`,
      'Take the hash off the list if the document is fine.',
    );
  }
  const reason = await judge(resource, review);
  if (reason !== undefined) {
    throw toBlocked(uri, reason, 'Look at the document, then change it or the review of the host.');
  }
};

/** A review that breaks is no approval. */
const judge = async (
  resource: AppResource,
  review: SessionOptions['review'],
): Promise<string | undefined> => {
  try {
    return await review?.(resource);
  } catch (error) {
    return `the review failed: ${String(error)}`;
  }
};

const toBlocked = (uri: string, reason: string, hint: string): CasementError =>
  new CasementError('resource-blocked', `The document ${uri} is not shown: ${reason}.`, {
    step: 'resource',
    hint,
  });

/** Lets the apps of one page come up a few at a time, in the order they asked. */
interface MountQueue {
  /** Resolves when it is this app's turn, with what to call once it is up or gone; at once when the signal aborts. */
  takeTurn(signal: AbortSignal): Promise<() => void>;
}

// Each app starts a process of its own: thirty at once kept a page of two cores busy for 0.4 s, four at a time 0.1 s.
const maxMounting = 4;
// An app that is slow to come up must not hold up the others.
const turnMs = 3_000;

/** Makes the queue of one page. */
const createMountQueue = (): MountQueue => {
  const waiting: (() => void)[] = [];
  let mounting = 0;

  const startTurn = (): (() => void) => {
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      mounting -= 1;
      waiting.shift()?.();
    };
    const timer = setTimeout(end, turnMs);
    mounting += 1;
    return end;
  };

  return {
    takeTurn: (signal) =>
      new Promise((resolve) => {
        if (mounting < maxMounting) return resolve(startTurn());
        const go = (): void => {
          signal.removeEventListener('abort', leave);
          resolve(startTurn());
        };
        const leave = (): void => {
          waiting.splice(waiting.indexOf(go), 1);
          resolve(() => undefined);
        };
        signal.addEventListener('abort', leave, { once: true });
        waiting.push(go);
      }),
  };
};

const queues = new WeakMap<object, MountQueue>();

/** The queue of a page; a surface that names none waits for nobody. */
const getMountQueue = (page: object | undefined): MountQueue => {
  const queue = (page && queues.get(page)) ?? createMountQueue();
  if (page) queues.set(page, queue);
  return queue;
};
