import { CasementError } from '../errors.js';
import { wireCodes } from '../wire/wire-errors.js';

/** The failure of a server that answers HTTP 401: its app gets a number to act on, since its user may sign in. */
export const toSignInFailure = (
  server: string,
  cause: unknown,
  hint = 'Sign in to the server, then try again.',
): CasementError => {
  const message = `The server "${server}" asks you to sign in (HTTP 401).`;
  const data = { code: 'server-sign-in', httpStatus: 401, hint };
  return new CasementError('server-sign-in', message, {
    cause,
    hint,
    wire: { code: wireCodes.refused, message, data },
  });
};
