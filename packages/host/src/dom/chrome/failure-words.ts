import type { SessionFailure } from '../../core/app-snapshot.js';

/** What a user can make sense of; the rest is for those who run the page, who find it on the console and in the recording. */
const sentences: Readonly<Record<string, string>> = {
  'app-stopped': 'It was stopped.',
  'app-crashed': 'It ended unexpectedly.',
  'app-not-responding': 'It did not respond.',
  'keyboard-taken': 'It was stopped: it took the keyboard while you were typing elsewhere.',
  'server-lost': 'The connection to its server was lost.',
  'resource-timeout': 'Its server took too long.',
};

/** The sentence a user is told of a failure, unless the embedder has another. */
export const toFailureWords = ({ code }: Pick<SessionFailure, 'code'>): string =>
  sentences[code] ?? 'Try again later.';
