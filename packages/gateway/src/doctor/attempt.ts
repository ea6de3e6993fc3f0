import { isIP } from 'node:net';
import type { CasementError } from '@casement/protocol/start';
import { findProxy, isLoopbackHost, toPlainHost } from '../proxy/find-proxy.js';
import type { HttpServerConfig, ServerConfig, StdioServerConfig } from '../facts/server-config.js';
import { addressSteps, commandSteps, type StartStepName } from '../facts/server-start.js';
import { watchSockets } from './connected-sockets.js';
import { findProgram } from './find-program.js';
import type { ReachFault } from './reach-fault.js';
import { toSignInVerdict } from './sign-in-words.js';
import type { StartLog } from './start-log.js';

/** What a server said of itself when it was ready. */
interface ReadyFacts {
  revision: string | undefined;
  name: string | undefined;
}

/** One try to connect, as the steps of the log: everything is taken from the connection itself. */
export interface Attempt {
  /** The process runs, or the first request is on its way. */
  onAsked(pid?: number): void;
  /** Something came: a message of the protocol, or a line that is none. */
  onHeard(noise?: string): void;
  /** An answer over HTTP. */
  onAnswer(answer: { status: number; headers: Pick<Headers, 'get'> }): void;
  succeed(facts: ReadyFacts): void;
  fail(failure: CasementError, fault?: ReachFault): void;
  /** Stops listening. */
  end(): void;
}

const toReadyVerdict = ({ revision = 'an unknown revision', name }: ReadyFacts): string =>
  `${name === undefined ? 'It' : `"${name}"`} answered and speaks ${revision}.`;

/** Everything after a step was not reached. */
const skipRest = (log: StartLog, names: readonly StartStepName[], after: StartStepName): void => {
  for (const name of names.slice(names.indexOf(after) + 1)) log.end(name, 'skipped');
};

const watchCommand = (config: StdioServerConfig, log: StartLog): Attempt => {
  log.begin('started');
  return {
    onAsked(pid) {
      if (log.isOver('started')) return;
      const file = findProgram(config);
      log.end('found', 'ok', { verdict: file === undefined ? 'The program was found.' : `It is ${file}.` });
      log.end('started', 'ok', {
        verdict: pid === undefined ? 'It was started.' : `It runs as process ${pid}.`,
      });
      log.begin('first-line');
      log.begin('initialize');
    },
    onHeard(noise) {
      if (log.isOver('first-line')) return;
      if (noise === undefined)
        log.end('first-line', 'ok', { verdict: 'It wrote a message of the protocol.' });
      else
        log.end('first-line', 'warning', {
          verdict: `Its first line is no message of the protocol: "${noise}".`,
          fix: 'Write what is for people to stderr.',
        });
    },
    onAnswer: () => undefined,
    succeed(facts) {
      log.end('initialize', 'ok', { verdict: toReadyVerdict(facts) });
    },
    fail({ message, hint }) {
      const step = commandSteps.find((name) => !log.isOver(name)) ?? 'initialize';
      log.end(step, 'failed', { verdict: message, fix: hint });
      skipRest(log, commandSteps, step);
    },
    end: () => undefined,
  };
};

const watchAddress = (config: HttpServerConfig, log: StartLog): Attempt => {
  const url = new URL(config.url);
  const host = toPlainHost(url.hostname);
  const beforeReach = ['name', 'tcp', 'tls'] as const;
  let challenge: string | undefined;
  log.begin('name');

  const endReached = (verdict: string): void => {
    for (const name of beforeReach) if (!log.isOver(name)) log.end(name, 'ok', { verdict });
  };
  const endOpened = (place: string, ms: number, tls: string | undefined): void => {
    if (isIP(host) !== 0)
      log.end('name', 'skipped', { verdict: 'The address is in digits: no name is looked up.' });
    else log.end('name', 'ok', { verdict: `"${host}" was found.` });
    log.end('tcp', 'ok', { verdict: `Connected to ${place}.` }, ms);
    if (tls === undefined) endPlainTls(url, log);
    else log.end('tls', 'ok', { verdict: tls });
  };
  const stopWatching = watchSockets(url, ({ ms, address, port, tls }) => {
    if (!log.isOver('tcp')) endOpened(`${address} port ${port}`, ms, tls);
  });

  return {
    onAsked() {
      log.begin('revision');
      log.begin('initialize');
    },
    onHeard: () => undefined,
    onAnswer({ status, headers }) {
      const proxy = log.isOver('tcp') ? undefined : readProxy(url);
      endReached(
        proxy === undefined ? 'The server answered.' : `The server answered through the proxy ${proxy}.`,
      );
      if (status !== 401) return;
      challenge = headers.get('www-authenticate') ?? undefined;
    },
    succeed(facts) {
      endReached('The server answered.');
      if (!log.isOver('well-known'))
        log.end('well-known', 'skipped', { verdict: 'Not needed: the server asked for no sign-in.' });
      log.end('revision', 'ok', { verdict: `The server speaks ${facts.revision ?? 'an unknown revision'}.` });
      log.end('sign-in', 'ok', {
        verdict: hasCredentials(config)
          ? 'The server took the credentials it was given.'
          : 'The server asked for no sign-in.',
      });
      log.end('initialize', 'ok', { verdict: toReadyVerdict(facts) });
    },
    fail({ code, message, hint }, fault) {
      if (code === 'server-sign-in') {
        log.end('revision', 'skipped', { verdict: 'Not known before the sign-in.' });
        log.end('sign-in', 'failed', toSignInVerdict(challenge, hasCredentials(config)));
        skipRest(log, addressSteps, 'sign-in');
        return;
      }
      if (fault !== undefined && !log.isOver('tcp')) {
        for (const name of addressSteps.slice(0, addressSteps.indexOf(fault.step)))
          log.end(name, 'ok', { verdict: 'The next step was reached.' });
        log.end(fault.step, 'failed', fault);
        skipRest(log, addressSteps, fault.step);
        return;
      }
      for (const name of ['well-known', 'revision', 'sign-in'] as const) log.end(name, 'skipped');
      log.end('initialize', 'failed', { verdict: message, fix: hint });
      log.end('lists', 'skipped');
    },
    end: stopWatching,
  };
};

/** Says of an address without TLS what that means. */
export const endPlainTls = ({ hostname }: URL, log: Pick<StartLog, 'end'>): void => {
  if (isLoopbackHost(hostname)) log.end('tls', 'skipped', { verdict: 'http needs no certificate.' });
  else
    log.end('tls', 'warning', {
      verdict:
        'The address is http: whoever is on the way can read and change what is sent, secrets included.',
      fix: 'Use https, if the server offers it.',
    });
};

const hasCredentials = ({ headers = {} }: HttpServerConfig): boolean =>
  Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');

const readProxy = (url: URL): string | undefined => {
  try {
    return findProxy(url, process.env)?.url.host;
  } catch {
    // The request itself says what is wrong with the variable.
    return undefined;
  }
};

/** Watches one try to connect and writes its steps into the log. */
export const watchAttempt = (config: ServerConfig, log: StartLog): Attempt =>
  config.kind === 'http' ? watchAddress(config, log) : watchCommand(config, log);
