import { CasementError } from '@casement/protocol/basics';
import type { AppResource } from './read-resource.js';
import type { SessionOptions } from '../session-options.js';

/** Throws resource-blocked for a document the embedder does not want shown (HOST-037). */
export const reviewResource = async (
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
