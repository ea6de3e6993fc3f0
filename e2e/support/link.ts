import type { RunningCasement } from './casement.js';

/** A code, as it stands behind the `#` of a link. */
const createCode = async ({ port, token }: RunningCasement): Promise<string> => {
  const answer = await fetch(`http://localhost:${port}/api/access/codes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  });
  // The gateway of the test answers as documented.
  return ((await answer.json()) as { code: string }).code;
};

/** A link as the terminal shows it, or to another name. */
export const createLink = async (casement: RunningCasement, host = 'localhost'): Promise<string> =>
  `http://${host}:${casement.port}/open#code=${await createCode(casement)}`;

/** The address of the page itself with a code: the document is under this name, and moves if it has to. */
export const createPageAddress = async (casement: RunningCasement, host = 'localhost'): Promise<string> =>
  `http://${host}:${casement.port}/#code=${await createCode(casement)}`;
