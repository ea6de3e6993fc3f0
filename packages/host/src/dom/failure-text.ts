import type { ErrorCode } from '@casement/protocol';

/** One sentence for each failure, by its code: the embedder's words, in the language of its page. */
export type FailureWords = Readonly<Partial<Record<ErrorCode, string>>>;

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
