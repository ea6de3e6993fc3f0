import type { RunningGateway } from '../index.js';
import type { SignInSummary } from '../facts/sign-in-summary.js';
import { api, waitFor } from '../gateway.test-support.js';
import { visitIssuer } from './protected-server.test-support.js';

export const readSignIn = (gateway: RunningGateway): SignInSummary | undefined =>
  gateway.servers()[0]?.signIn;

/** Waits for the question about the first server and says yes to it; returns where the user goes. */
export const agree = async (gateway: RunningGateway, more: Record<string, unknown> = {}): Promise<string> => {
  const issuerHost = await waitFor(
    () => readSignIn(gateway)?.question?.issuerHost ?? readSignIn(gateway)?.accounts[0]?.issuerHost,
  );
  const { status, body } = await api(gateway, '/servers/web/sign-in', { issuerHost, ...more });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return String(body.address);
};

/** The whole way: yes, the issuer's pages, and back. */
export const signIn = async (
  gateway: RunningGateway,
  user = 'ada',
  more: Record<string, unknown> = {},
): Promise<Response> => fetch(await visitIssuer(await agree(gateway, more), { user }));
