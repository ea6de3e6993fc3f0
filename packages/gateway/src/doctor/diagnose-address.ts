import { CasementError } from '@casement/protocol/start';
import { chooseFetch } from '../proxy/choose-fetch.js';
import { findProxy } from '../proxy/find-proxy.js';
import type { HttpServerConfig } from '../facts/server-config.js';
import { probeAddress, type ProbeLog } from './probe-address.js';
import { parseChallenge } from './sign-in-words.js';
import type { StartLog } from './start-log.js';
import { readSignInDocuments, type SignInDocuments } from './well-known.js';

/** Looks up, connects and shakes hands; true when the server could be reached. */
export const probe = async (
  { url }: HttpServerConfig,
  log: ProbeLog,
  signal: AbortSignal,
): Promise<boolean> => {
  const address = new URL(url);
  try {
    return await probeAddress(address, findProxy(address, process.env), log, signal);
  } catch (error) {
    if (!(error instanceof CasementError)) throw error;
    log.end('tcp', 'failed', { verdict: error.message, fix: error.hint });
    return false;
  }
};

const toVerdict = ({ issuers, resource, hasIssuerDocument }: SignInDocuments): string => {
  const whose = `tokens come from ${issuers.join(', ')}`;
  const read = hasIssuerDocument ? 'its own document was read too' : 'which was not asked';
  return resource === undefined
    ? `There is the document of an authorization server at this origin: ${whose}.`
    : `${resource} says that ${whose}, ${read}.`;
};

/** Reads the documents about signing in, of the server's own origin alone, and says what they tell. */
export const readWellKnown = async (
  { url }: HttpServerConfig,
  log: Pick<StartLog, 'begin' | 'end'>,
  challenge: string | undefined,
  signal: AbortSignal,
): Promise<void> => {
  const begun = performance.now();
  const announced = challenge === undefined ? undefined : parseChallenge(challenge).metadata;
  try {
    const found = await readSignInDocuments(new URL(url), announced, chooseFetch(url), signal);
    const ms = performance.now() - begun;
    if (found !== undefined) log.end('well-known', 'ok', { verdict: toVerdict(found) }, ms);
    else if (challenge === undefined)
      log.end('well-known', 'skipped', { verdict: 'The server publishes nothing about signing in.' });
    else
      log.end(
        'well-known',
        'warning',
        {
          verdict: 'The server asks for a sign-in, but publishes nothing about how.',
          fix: 'Ask whoever runs the server for a token, and give it as an Authorization header.',
        },
        ms,
      );
  } catch (error) {
    if (signal.aborted || !(error instanceof CasementError)) return;
    const { code, message, hint } = error;
    log.end(
      'well-known',
      'failed',
      { verdict: `${message} (${code})`, fix: hint },
      performance.now() - begun,
    );
  }
};
