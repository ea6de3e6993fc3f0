import { CasementError } from '@casement/protocol/start';
import type { Proxy } from './find-proxy.js';

const MAX_CAUSES = 5;

/** What keeps a connection to the proxy itself from being made: through a proxy, nothing else is connected to. */
const reachCodes: readonly string[] = [
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
];

/** The refusal of a proxy that answered with this status instead of letting a request pass. */
export const toProxyRefusal = ({ url, variable }: Proxy, status: number): CasementError =>
  status === 407
    ? new CasementError('proxy-refused', `The proxy ${url.host} wants a user name and a password.`, {
        hint: `Give them in the variable: ${variable}=http://user:password@host:port.`,
      })
    : new CasementError(
        'proxy-refused',
        `The proxy ${url.host} does not let the request pass (HTTP ${status}).`,
        { hint: 'Ask who runs the proxy, or name the server’s host in NO_PROXY.' },
      );

/** The failure of a proxy that could not be connected to. */
export const toProxySilence = ({ url, variable }: Proxy, code: string): CasementError =>
  new CasementError('proxy-refused', `The proxy ${url.host} does not answer (${code}).`, {
    hint: `Correct the variable ${variable}, or unset it.`,
  });

/** What a proxy did wrong, by the error of a request through it; undefined when it is not to blame. */
export const findProxyFailure = (error: unknown, proxy: Proxy): CasementError | undefined => {
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES && current instanceof Error; depth += 1) {
    const status = /^Proxy (?:response|Authentication Required) \((\d{3})\)/.exec(current.message)?.[1];
    if (status !== undefined) return toProxyRefusal(proxy, Number(status));
    const code = 'code' in current ? String(current.code) : '';
    if (reachCodes.includes(code)) return toProxySilence(proxy, code);
    current = current.cause;
  }
  return undefined;
};
