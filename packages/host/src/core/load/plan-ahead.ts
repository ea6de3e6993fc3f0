import { CasementError } from '@casement/protocol/start';
import type { FramePlan } from '../frame/frame-plan.js';
import { createFramePlan } from '../frame/frame-plan.js';
import type { SessionOptions } from '../session-options.js';
import type { Surface } from '../surface.js';
import type { AppResources } from './read-resource.js';
import { findDocument, toFamilyOf } from './find-document.js';

/*
 * Loaded on demand: only pages that make frames ready before an app is asked for need it.
 */

/** How an app will be framed, found out before anybody asked for it; the server is asked to read, and nothing else. */
export const planAhead = async (
  options: SessionOptions,
  resources: AppResources,
  page: Pick<Surface, 'origins' | 'hasCredentialless'>,
  signal: AbortSignal,
): Promise<FramePlan> => {
  // A result is not there yet, and what is in it is not the server's resource.
  if (options.embedded !== undefined)
    throw new CasementError('resource-missing', 'An app inside a result has nothing to read ahead.');
  const { uri, linked } = await findDocument(options);
  const read = await resources.readAhead(uri, signal);
  signal.throwIfAborted();
  return createFramePlan(
    toFamilyOf(read, linked, options.family),
    { ...options, hasCredentialless: page.hasCredentialless },
    page.origins,
  );
};
