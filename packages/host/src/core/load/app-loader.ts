import { CasementError } from '@casement/protocol/basics';
import type { AppFrame } from '../frame/app-frame.js';
import type { FramePlan } from '../frame/frame-plan.js';
import { toGranted } from '../frame/frame-plan.js';
import type { OpenLeg } from '../leg/app-leg.js';
import type { SessionLimits } from '../limits.js';
import { throwCodeMissing } from '../missing-code.js';
import type { SessionOptions } from '../session-options.js';
import type { SessionRecorder } from '../state/session-recorder.js';
import type { SessionStore } from '../state/session-store.js';
import type { Surface } from '../surface.js';
import type { AppSizing } from '../view/app-size.js';
import type { AppResources } from './app-resources.js';
import type { EarlyFrame } from './early-frame.js';
import { findDocument, toFamilyOf } from './find-document.js';
import { getMountQueue } from './mount-queue.js';
import { planFrames } from './plan-frames.js';
import type { AppResource } from './read-resource.js';
import { pauseUntil, withTimeLimit } from './time-limit.js';

/** A read that began before there was anybody to use it, and the frame that is made as soon as it tells the policy. */
export interface EarlyRead extends StartedRead {
  readonly uri: string;
  /** Undefined when the frame has to wait for whoever uses the read; rejects when its code cannot be loaded. */
  readonly framed: Promise<EarlyFrame | undefined>;
  /** Takes the frame away again, unless it was taken. */
  drop(): void;
}

interface StartedRead {
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
  let document: Pick<AppResource, 'html' | 'shim' | 'url'> = { html: '' };

  const startRead = (uri: string, early: EarlyRead | undefined): StartedRead => {
    if (options.embedded !== undefined)
      return { known: undefined, reading: readEmbedded(options.embedded, uri, limits.maxHtmlBytes) };
    return early?.uri === uri ? early : { known: resources.peek(uri), reading: resources.read(uri) };
  };

  /** Throws when the document must not be shown. */
  const review = async (read: AppResource, signal: AbortSignal): Promise<void> => {
    await reviewResource(read, options);
    if (read.url === undefined) return;
    // Nobody is asked about a page that could not be shown anyway.
    await planFrames(read, options, surface);
    const { askForPage } = await import('../consent/ask-for-page.js').catch(throwCodeMissing);
    await askForPage(read.url, { options, recorder, agreed, signal });
  };

  /** Waits until it is this app's turn to come up. */
  const takeTurn = async (signal: AbortSignal): Promise<void> => {
    await pauseUntil(parts.mountNotBefore(), signal);
    const end = await queue.takeTurn(signal);
    if (signal.aborted) end();
    else endTurn = end;
  };

  /** Takes over a frame that was made before; gives its plan, if the frame is still there. */
  const mountEarly = ({ plan, isWarm, take }: EarlyFrame): FramePlan | undefined => {
    const taken = take();
    if (!taken) return undefined;
    endTurn = taken.endTurn;
    frame.mount(plan, { isWarm, openLeg, transport: taken.transport });
    return plan;
  };
  /** Mounts the frames of what was known before, while it is read again. */
  const mountKnown = async (
    known: AppResource,
    signal: AbortSignal,
    isCurrent: () => boolean,
  ): Promise<FramePlan> => {
    const plan = await planFrames(known, options, surface);
    await takeTurn(signal);
    if (isCurrent()) frame.mount(plan, { isWarm: true, openLeg });
    return plan;
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
      if (early) signal.addEventListener('abort', early.drop);
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
        const guarded = surface.guard?.();
        guarded?.catch(() => undefined);
        const framed = early?.uri === uri ? await untilFramed(early, limited) : undefined;
        if (!isCurrent()) return;
        const warm =
          (framed && mountEarly(framed)) ?? (known && (await mountKnown(asFamily(known), signal, isCurrent)));
        if (!isCurrent()) return;
        const resource = asFamily(await limited);
        await review(resource, signal);
        const plan = await planFrames(resource, options, surface);
        if (!warm) await takeTurn(signal);
        if (!isCurrent()) return;
        if (warm?.key !== plan.key) {
          if (warm) discard();
          frame.mount(plan, { isWarm: false, openLeg });
        }
        // The HTML leaves this page only after `accept`: never before what watches over the app is here.
        await guarded;
        if (isCurrent()) accept(resource);
      } catch (error) {
        if (isCurrent()) store.failWith(error);
      } finally {
        if (early) signal.removeEventListener('abort', early.drop);
        early?.drop();
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

/** What became of an early frame; a read that fails before is thrown. */
const untilFramed = ({ framed }: EarlyRead, limited: Promise<AppResource>): Promise<EarlyFrame | undefined> =>
  Promise.race([framed, limited.then(() => framed)]);

const readEmbedded = async (embedded: unknown, uri: string, maxBytes: number): Promise<AppResource> => {
  const { readEmbeddedResource } = await import('./embedded-resource.js').catch(throwCodeMissing);
  return readEmbeddedResource(embedded, uri, maxBytes);
};

const toTimeout = (uri: string, ms: number): CasementError =>
  new CasementError('resource-timeout', `The server did not return ${uri} within ${ms / 1000} s.`, {
    step: 'resource',
    hint: 'Check what the server does in resources/read; it may wait for a sign-in or a network call.',
  });

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
