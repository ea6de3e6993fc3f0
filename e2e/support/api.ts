import type { RunningCasement } from './casement.js';
import { sendRaw } from './raw-http.js';

/** Calls the gateway's API as the page would, with the token and the right headers. */
export const callApi = async (
  { port, token }: RunningCasement,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
): Promise<{ status: number; body: unknown }> => {
  const answer = await sendRaw({
    port,
    path,
    method,
    headers: {
      Host: `localhost:${port}`,
      Authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: JSON.parse(answer.body) };
};
