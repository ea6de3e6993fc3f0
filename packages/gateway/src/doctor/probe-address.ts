import { lookup } from 'node:dns/promises';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { toPlainHost, type Proxy } from '../proxy/find-proxy.js';
import { toProxyRefusal, toProxySilence } from '../proxy/proxy-failure.js';
import { endPlainTls } from './attempt.js';
import { toTlsFacts, toTlsFault } from './certificate-facts.js';
import { toHandshakeFault, toNameFault, toPortFault } from './reach-fault.js';
import type { StartLog, Verdict } from './start-log.js';

/** How long each step of a probe may take. */
const STEP_MS = 10_000;
/** A name may have many addresses; the first ones tell enough. */
const MAX_ADDRESSES = 4;

/** What a probe writes into: the log, or only those steps of it that nothing is known of. */
export type ProbeLog = Pick<StartLog, 'begin' | 'end'>;

const readErrorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';

/** A failure of ours that reads like one of the system's. */
const toSlow = (): Error => Object.assign(new Error('It took too long.'), { code: 'ESLOW' });

const withLimit = async <T>(signal: AbortSignal, start: (limit: AbortSignal) => Promise<T>): Promise<T> => {
  const limit = new AbortController();
  const end = (): void => limit.abort();
  const timer = setTimeout(end, STEP_MS);
  signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([
      start(limit.signal),
      new Promise<never>((_, reject) => limit.signal.addEventListener('abort', () => reject(toSlow()))),
    ]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    end();
  }
};

const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);

const openSocket = (host: string, port: number, signal: AbortSignal): Promise<Socket> =>
  withLimit(
    signal,
    (limit) =>
      new Promise((resolve, reject) => {
        const socket = connect({ host, port });
        const drop = (): void => void socket.destroy();
        limit.addEventListener('abort', drop, { once: true });
        socket.once('connect', () => {
          limit.removeEventListener('abort', drop);
          resolve(socket);
        });
        socket.on('error', reject);
      }),
  );

/** Asks a proxy for a tunnel, as every request through it does. */
const openTunnel = ({ url }: Proxy, host: string, port: number, signal: AbortSignal): Promise<Socket> =>
  withLimit(
    signal,
    (limit) =>
      new Promise((resolve, reject) => {
        const request = url.protocol === 'https:' ? requestHttps : requestHttp;
        const { username, password } = url;
        const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
        const place = isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
        const asked = request({
          host: toPlainHost(url.hostname),
          port: portOf(url),
          method: 'CONNECT',
          path: place,
          headers: {
            host: place,
            ...(username !== '' && {
              'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}`,
            }),
          },
        });
        const drop = (): void => void asked.destroy();
        limit.addEventListener('abort', drop, { once: true });
        asked.once('connect', (response, socket) => {
          limit.removeEventListener('abort', drop);
          if (response.statusCode === 200) resolve(socket);
          else {
            socket.destroy();
            reject(Object.assign(new Error('The proxy refused.'), { proxyStatus: response.statusCode }));
          }
        });
        asked.once('response', (response) => {
          response.destroy();
          reject(Object.assign(new Error('The proxy refused.'), { proxyStatus: response.statusCode }));
        });
        asked.on('error', reject);
        asked.end();
      }),
  );

const probeName = async (host: string, log: ProbeLog, signal: AbortSignal): Promise<string[]> => {
  if (isIP(host) !== 0) {
    log.end('name', 'skipped', { verdict: 'The address is in digits: no name is looked up.' });
    return [host];
  }
  log.begin('name', true);
  try {
    const found = await withLimit(signal, () => lookup(host, { all: true }));
    const addresses = found.map(({ address }) => address);
    const shown = addresses.slice(0, MAX_ADDRESSES).join(', ');
    const more = addresses.length > MAX_ADDRESSES ? ` and ${addresses.length - MAX_ADDRESSES} more` : '';
    log.end('name', 'ok', { verdict: `"${host}" is ${shown}${more}.` });
    return addresses.slice(0, MAX_ADDRESSES);
  } catch (error) {
    const code = readErrorCode(error);
    log.end(
      'name',
      'failed',
      toNameFault(code, host) ?? {
        verdict: `The name "${host}" could not be looked up (${code}).`,
        fix: 'See whether this machine is online.',
      },
    );
    return [];
  }
};

const toOtherFault = (code: string, place: string): Verdict => ({
  verdict: `There was no connection to ${place} (${code}).`,
  fix: 'Check the address and that the server is running.',
});

const probePort = async (
  addresses: readonly string[],
  port: number,
  log: ProbeLog,
  signal: AbortSignal,
): Promise<Socket | undefined> => {
  log.begin('tcp', true);
  const refused: string[] = [];
  let last: Verdict | undefined;
  for (const address of addresses) {
    const place = `${address} port ${port}`;
    try {
      const socket = await openSocket(address, port, signal);
      const others = refused.length > 0 ? ` (${refused.join(', ')} did not)` : '';
      log.end('tcp', 'ok', { verdict: `${place} accepts connections${others}.` });
      return socket;
    } catch (error) {
      const code = readErrorCode(error);
      refused.push(address);
      last = toPortFault(code, place) ?? toOtherFault(code, place);
    }
  }
  log.end('tcp', 'failed', last ?? { verdict: 'There is no address to connect to.' });
  return undefined;
};

const probeProxy = async (
  proxy: Proxy,
  url: URL,
  log: ProbeLog,
  signal: AbortSignal,
): Promise<Socket | undefined> => {
  const { host } = proxy.url;
  log.end('name', 'skipped', { verdict: `The proxy ${host} (${proxy.variable}) looks the name up.` });
  log.begin('tcp', true);
  const target = toPlainHost(url.hostname);
  try {
    const isTunnel = url.protocol === 'https:';
    const socket = isTunnel
      ? await openTunnel(proxy, target, portOf(url), signal)
      : await openSocket(toPlainHost(proxy.url.hostname), portOf(proxy.url), signal);
    const done = isTunnel ? `opened a tunnel to ${target} port ${portOf(url)}` : 'accepts connections';
    log.end('tcp', 'ok', { verdict: `The proxy ${host} ${done}.` });
    return socket;
  } catch (error) {
    const status = error instanceof Error && 'proxyStatus' in error ? Number(error.proxyStatus) : undefined;
    const { message, hint } =
      status === undefined ? toProxySilence(proxy, readErrorCode(error)) : toProxyRefusal(proxy, status);
    log.end('tcp', 'failed', { verdict: message, fix: hint });
    return undefined;
  }
};

const probeTls = async (raw: Socket, host: string, log: ProbeLog, signal: AbortSignal): Promise<void> => {
  log.begin('tls', true);
  // The certificate is looked at even if it is refused, and nothing is sent over this connection.
  const options = {
    socket: raw,
    rejectUnauthorized: false,
    ...(isIP(host) === 0 && { servername: host }),
    host,
  };
  try {
    await withLimit(
      signal,
      (limit) =>
        new Promise<void>((resolve, reject) => {
          const socket = connectTls(options, () => {
            const facts = toTlsFacts(socket);
            // Node gives the code of the refusal as text, whatever the type says.
            const refusal: unknown = socket.authorizationError;
            const code = refusal instanceof Error ? readErrorCode(refusal) : String(refusal);
            if (socket.authorized) log.end('tls', 'ok', { verdict: facts });
            else log.end('tls', 'failed', toTlsFault(code, facts));
            socket.destroy();
            resolve();
          });
          limit.addEventListener('abort', () => void socket.destroy(), { once: true });
          socket.on('error', reject);
        }),
    );
  } catch (error) {
    const isSlow = readErrorCode(error) === 'ESLOW';
    log.end(
      'tls',
      'failed',
      isSlow
        ? {
            verdict: 'The port accepts connections, but nobody there begins to speak TLS.',
            fix: 'See whether the server hangs, and whether this is its port.',
          }
        : toHandshakeFault(),
    );
  }
};

/**
 * Looks up the name of an address, connects to it and shakes hands; nothing is asked of the server. Each step has a time
 * limit, and none is made after one that failed.
 */
export const probeAddress = async (
  url: URL,
  proxy: Proxy | undefined,
  log: ProbeLog,
  signal: AbortSignal,
): Promise<boolean> => {
  const host = toPlainHost(url.hostname);
  const reach = async (): Promise<Socket | undefined> => {
    if (proxy !== undefined) return probeProxy(proxy, url, log, signal);
    const addresses = await probeName(host, log, signal);
    if (addresses.length > 0) return probePort(addresses, portOf(url), log, signal);
    log.end('tcp', 'skipped');
    return undefined;
  };
  const socket = await reach();
  try {
    if (socket === undefined) log.end('tls', 'skipped');
    else if (url.protocol === 'https:') await probeTls(socket, host, log, signal);
    else endPlainTls(url, log);
  } finally {
    socket?.destroy();
  }
  return socket !== undefined;
};
