import { CasementError, isRecord } from '@casement/protocol/start';
import type { StartStepName } from '../facts/server-start.js';
import type { Verdict } from './start-log.js';

/** Why an address was not reached: at which step, and in words. */
export interface ReachFault extends Verdict {
  step: Extract<StartStepName, 'name' | 'tcp' | 'tls'>;
  code: 'server-unreachable' | 'certificate-refused' | 'proxy-refused';
}

const MAX_CAUSES = 6;

/** An error and what caused it; the official client keeps the cause of its errors under `data`. */
const readChain = (error: unknown): Error[] => {
  const chain: Error[] = [];
  for (let current = error; current instanceof Error && chain.length < MAX_CAUSES;) {
    chain.push(current);
    const data: unknown = 'data' in current ? current.data : undefined;
    const next: unknown = current.cause ?? (isRecord(data) ? data.cause : undefined);
    // Several addresses were tried: the last failure is the one of IPv4, which most people mean.
    current = current instanceof AggregateError ? current.errors.at(-1) : next;
  }
  return chain;
};

const readCode = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : '';

const unknownAuthority =
  'If you trust it, give its authority’s certificate: start casement with NODE_EXTRA_CA_CERTS=/path/to/authority.pem.';

const certificateFaults: ReadonlyMap<string, Verdict> = new Map([
  [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    { verdict: 'The certificate is signed by itself, by no authority.', fix: unknownAuthority },
  ],
  [
    'SELF_SIGNED_CERT_IN_CHAIN',
    {
      verdict: 'The certificate comes from an authority that this machine does not know.',
      fix: unknownAuthority,
    },
  ],
  [
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    {
      verdict: 'The certificate comes from an authority that this machine does not know.',
      fix: unknownAuthority,
    },
  ],
  [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    {
      verdict:
        'The certificate comes from an authority that this machine does not know, or the server does not send the certificates in between.',
      fix: unknownAuthority,
    },
  ],
  [
    'CERT_HAS_EXPIRED',
    {
      verdict: 'The certificate has expired.',
      fix: 'Renew the server’s certificate; see whether this machine’s clock is right.',
    },
  ],
  [
    'CERT_NOT_YET_VALID',
    {
      verdict: 'The certificate is not valid yet.',
      fix: 'See whether the clocks of this machine and of the server are right.',
    },
  ],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    {
      verdict: 'The certificate is for other names than the one in the address.',
      fix: 'Use a name that the certificate has, or give the server one for this name.',
    },
  ],
]);

/** What Node says of a certificate that it refuses, in words; undefined when the code is of something else. */
export const toCertificateFault = (code: string): Verdict | undefined => {
  const known = certificateFaults.get(code);
  if (known !== undefined) return known;
  return /^(?:CERT_|UNABLE_TO_|INVALID_|HOSTNAME_MISMATCH|PATH_LENGTH_EXCEEDED)/.test(code)
    ? { verdict: `The certificate is not accepted (${code}).`, fix: 'Give the server a valid certificate.' }
    : undefined;
};

const noTls: Verdict = {
  verdict: 'What answers there does not speak TLS, or no version of it that is safe.',
  fix: 'If the server speaks plain HTTP, write http:// in the address; otherwise check the port.',
};

/** What the system says of a name that it cannot look up. */
export const toNameFault = (code: string, host: string): Verdict | undefined => {
  if (code === 'EAI_AGAIN')
    return {
      verdict: `The name "${host}" could not be looked up: no name server answered.`,
      fix: 'See whether this machine is online, and whether it needs a proxy (HTTPS_PROXY).',
    };
  if (code !== 'ENOTFOUND' && code !== 'ENODATA') return undefined;
  return {
    verdict: `No machine has the name "${host}".`,
    fix: host.endsWith('.localhost')
      ? 'Write localhost or 127.0.0.1: only browsers know the names below localhost.'
      : 'Correct the name in the address.',
  };
};

const silentCodes: readonly string[] = ['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'ESLOW'];

/** What the system says of a port that it cannot connect to. */
export const toPortFault = (code: string, place: string): Verdict | undefined => {
  if (code === 'ECONNREFUSED')
    return {
      verdict: `Nothing listens at ${place}.`,
      fix: 'Start the server, or correct the port in the address.',
    };
  if (silentCodes.includes(code))
    return {
      verdict: `Nothing answered at ${place} in time.`,
      fix: 'See whether a firewall stands between, and whether this machine needs a proxy (HTTPS_PROXY).',
    };
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH' || code === 'EADDRNOTAVAIL')
    return {
      verdict: `There is no way from this machine to ${place}.`,
      fix: 'See whether this machine is online.',
    };
  return undefined;
};

/** Finds out from an error at which step an address was not reached; undefined when it was reached. */
export const readReachFault = (error: unknown, { hostname, port, protocol }: URL): ReachFault | undefined => {
  const place = `${hostname} port ${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`;
  for (const cause of readChain(error)) {
    if (cause instanceof CasementError && cause.code === 'proxy-refused')
      return { step: 'tcp', code: cause.code, verdict: cause.message, fix: cause.hint };
    const code = readCode(cause);
    const name = toNameFault(code, hostname);
    if (name !== undefined) return { step: 'name', code: 'server-unreachable', ...name };
    const silent = toPortFault(code, place);
    if (silent !== undefined) return { step: 'tcp', code: 'server-unreachable', ...silent };
    // The standard of fetch forbids the ports of mail and other old services.
    if (cause.message === 'bad port')
      return {
        step: 'tcp',
        code: 'server-unreachable',
        verdict: `No browser and no fetch connects to ${place}: it is kept for another service.`,
        fix: 'Let the server listen at another port.',
      };
    const certificate = toCertificateFault(code);
    if (certificate !== undefined) return { step: 'tls', code: 'certificate-refused', ...certificate };
    if (code === 'EPROTO' || code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_'))
      return { step: 'tls', code: 'server-unreachable', ...noTls };
  }
  return undefined;
};

/** The words for a TLS handshake that failed for another reason than the certificate. */
export const toHandshakeFault = (): Verdict => noTls;
