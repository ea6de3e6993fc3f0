import type { SessionFailure } from '@casement/host';

/** The words for a failure in the place of an app. The user is a developer: the reason is shown, and what to do. */
export const developersWords = {
  appProblem: ({ message, hint }: SessionFailure): string =>
    hint === undefined ? message : `${message} ${hint}`,
};
