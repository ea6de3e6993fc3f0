import type { AppWords } from './host-words.js';

/** What a failure says to people: the embedder's sentence for its code, else what failed and what to do. */
export const toFailureText = (
  failure: { readonly code?: string; readonly message: string; readonly hint?: string | undefined },
  // Whatever codes the map is for: a chat has some of its own.
  sentences: Readonly<Partial<Record<string, string>>> = {},
): string => {
  const { code = '', message, hint } = failure;
  const own = Object.hasOwn(sentences, code) ? sentences[code] : undefined;
  return own ?? [message, hint].filter(Boolean).join(' ');
};

/** What a user can make sense of; the rest is for those who run the page, who find it on the console and in the recording. */
const problems: Readonly<Partial<Record<string, string>>> = {
  'app-stopped': 'It was stopped.',
  'app-crashed': 'It ended unexpectedly.',
  'app-not-responding': 'It did not respond.',
  'keyboard-taken': 'It was stopped: it took the keyboard while you were typing elsewhere.',
  'server-lost': 'The connection to its server was lost.',
  'resource-timeout': 'Its server took too long.',
};

/** What users are told of an app that cannot be shown: the embedder's sentence for its code, else a neutral one. */
export const toAppProblem = (
  { code }: { readonly code: string },
  sentences: Readonly<Partial<Record<string, string>>> = {},
): string => {
  const known = Object.hasOwn(sentences, code) ? sentences : problems;
  return (Object.hasOwn(known, code) ? known[code] : undefined) ?? 'Try again later.';
};

/** The whole text in the place of an app that cannot be shown, in the embedder's words where it has some. */
export const toFailedText = (failure: { readonly code: string }, words: AppWords = {}): string => {
  const failed = words.chrome?.failed ?? words.failed ?? 'This app cannot be shown.';
  return `${failed} ${toAppProblem(failure, { ...words.failures, ...words.chrome?.failures })}`;
};
