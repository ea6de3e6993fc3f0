import { CasementError } from '@casement/protocol/start';
import type { FramePlan, createFramePlan, toHandover } from '../frame/frame-plan.js';
import type { SessionOptions } from '../session-options.js';
import type { Surface } from '../surface.js';
import type { AppResource, AppResources } from './app-resource.js';
import type { findDocument, toFamilyOf } from './find-document.js';
import type { readWantedEvidence } from './wanted-evidence.js';

/*
 * Loaded on demand: only pages that make frames ready before an app is asked for need it.
 */

/** What is known of an app before anybody asked for it. */
export interface AheadPlan {
  readonly plan: FramePlan;
  /** The app itself, if it may start before its document is confirmed. */
  readonly early?: { readonly hash: string; readonly handover: ReturnType<typeof toHandover> };
}

/** What comes with a first app, and is handed over so that bundlers keep it where it is. */
export interface PlanParts {
  readonly createFramePlan: typeof createFramePlan;
  readonly findDocument: typeof findDocument;
  readonly readWantedEvidence: typeof readWantedEvidence;
  readonly toFamilyOf: typeof toFamilyOf;
  readonly toHandover: typeof toHandover;
}

/** How an app will be framed, found out before anybody asked for it; the server is asked to read, and nothing else. */
export const planAhead = async (
  options: SessionOptions,
  resources: AppResources,
  page: Pick<Surface, 'origins' | 'hasCredentialless'>,
  { parts, signal }: { readonly parts: PlanParts; readonly signal: AbortSignal },
): Promise<AheadPlan> => {
  // A result is not there yet, and what is in it is not the server's resource.
  if (options.embedded !== undefined)
    throw new CasementError('resource-missing', 'An app inside a result has nothing to read ahead.');
  const { uri, linked } = await parts.findDocument(options);
  // It comes while the document does; a run needs it in any case.
  const wanted = page.hasCredentialless ? parts.readWantedEvidence(options) : undefined;
  wanted?.catch(() => undefined);
  const read = await resources.readAhead(uri, signal);
  signal.throwIfAborted();
  const document = parts.toFamilyOf(read, linked, options.family);
  const plan = await parts.createFramePlan(
    document,
    { ...options, hasCredentialless: page.hasCredentialless },
    page.origins,
  );
  if (!page.hasCredentialless || !mayStartUnseen(document, plan)) return { plan };
  const handover = { ...parts.toHandover(document, plan.policy), ...(await wanted) };
  return { plan, early: { hash: document.hash, handover } };
};

/**
 * Whether an app can do nothing that lasts while nobody sees it: it reaches no other site, has no device, and what it
 * stores goes with the page. One that is another with each read would only have to be thrown away.
 */
const mayStartUnseen = ({ url, cache }: AppResource, { policy, frame }: FramePlan): boolean => {
  const { connect, assets, frame: framed, baseUri, permissions } = policy;
  const reaches = [connect, assets, framed, baseUri, permissions].some((list) => list.length > 0);
  return !reaches && url === undefined && frame.credentialless && cache !== 'changed';
};
