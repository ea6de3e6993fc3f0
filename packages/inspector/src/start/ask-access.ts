const post = (path: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`/api/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** Hands in a code or the key of a tab, and asks for what a page begins with in the same request. */
export const askAccess = (code: string): Promise<Response> => post('access', { code, start: true });

/** Asks for the token alone, for a page that is about to move. */
export const askToken = (key: string): Promise<Response> => post('access', { code: key });

/** Asks for a code in place of the token: what moves to another name, or is kept, is never the token (T15). */
export const askCode = (token: string): Promise<Response> =>
  post('access/codes', {}, { Authorization: `Bearer ${token}` });
