import type { SessionFailure } from '@casement/host';

/** Here the user is a developer: a failure is told with its reason and what to do. */
export const developersWords = {
  appProblem: ({ message, hint }: SessionFailure): string =>
    hint === undefined ? message : `${message} ${hint}`,
};
