import { BlockList, isIP } from 'node:net';
import { CasementError } from '@casement/protocol/start';
import { isLoopbackName } from '@casement/sandbox/private-hosts';

/** A proxy that requests to one address go through. */
export interface Proxy {
  /** With user name and password, if the variable has them: never shown. */
  url: URL;
  /** The variable that names it. */
  variable: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** A name, in the small letters that curl knows or in large ones; the small ones count first. */
const readVariable = (env: Environment, name: string): { variable: string; value: string } | undefined => {
  for (const variable of [name.toLowerCase(), name]) {
    const value = env[variable]?.trim();
    if (value !== undefined && value !== '') return { variable, value };
  }
  return undefined;
};

/** A host as it is compared: without brackets, and without the dot that ends a complete name. */
export const toPlainHost = (hostname: string): string => hostname.replace(/^\[|\]$|\.$/g, '').toLowerCase();

/** The family of an address in digits, as block lists name it. */
const toFamily = (host: string): 'ipv4' | 'ipv6' => (isIP(host) === 6 ? 'ipv6' : 'ipv4');

/** Other ways to write this machine: no address at all, and 127.0.0.0/8 inside IPv6. */
const otherLoopback = /^(?:0\.0\.0\.0|\[::\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])$/;

/** Whether a host, as the URL parser writes it, is this machine itself. */
export const isLoopbackHost = (hostname: string): boolean =>
  isLoopbackName(hostname.replace(/\.$/, '')) || otherLoopback.test(hostname);

/** Whether one entry of NO_PROXY means this host: a name with all below it, an address, a network, with or without a port. */
const isMeant = (entry: string, host: string, port: string): boolean => {
  if (entry === '*') return true;
  const [network = '', bits] = entry.split('/', 2);
  if (bits !== undefined) return isInNetwork(network, bits, host);
  const { name, port: wantedPort } = splitPort(entry);
  if (wantedPort !== undefined && wantedPort !== port) return false;
  const plain = toPlainHost(name.replace(/^\*?\./, ''));
  return plain !== '' && (host === plain || host.endsWith(`.${plain}`));
};

const splitPort = (entry: string): { name: string; port?: string } => {
  const at = entry.lastIndexOf(':');
  const port = entry.slice(at + 1);
  const isPort = at > 0 && isIP(entry) !== 6 && /^\d{1,5}$/.test(port);
  return isPort ? { name: entry.slice(0, at), port } : { name: entry };
};

const isInNetwork = (network: string, bits: string, host: string): boolean => {
  const family = toFamily(network);
  const isNetwork = isIP(network) !== 0 && /^\d{1,3}$/.test(bits);
  if (!isNetwork || Number(bits) > (family === 'ipv6' ? 128 : 32)) return false;
  if (isIP(host) === 0 || toFamily(host) !== family) return false;
  const list = new BlockList();
  list.addSubnet(network, Number(bits), family);
  return list.check(host, family);
};

const parseProxy = ({ variable, value }: { variable: string; value: string }): Proxy => {
  const text = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && (url.protocol === 'http:' || url.protocol === 'https:')) return { url, variable };
  // Its value may hold a password.
  throw new CasementError('proxy-refused', `The variable ${variable} names no proxy that can be used.`, {
    hint: `Give it as http://host:port, or unset ${variable}.`,
  });
};

/**
 * The proxy for an address, by HTTPS_PROXY or HTTP_PROXY and NO_PROXY. This machine itself is never asked through one: no
 * proxy could reach it, and what is meant for it, secrets included, must not leave it (C29).
 */
export const findProxy = ({ protocol, hostname, port }: URL, env: Environment): Proxy | undefined => {
  const isSecure = protocol === 'https:';
  const named = readVariable(env, isSecure ? 'HTTPS_PROXY' : 'HTTP_PROXY');
  if (named === undefined || isLoopbackHost(hostname)) return undefined;
  const host = toPlainHost(hostname);
  const reachedPort = port === '' ? (isSecure ? '443' : '80') : port;
  const except =
    readVariable(env, 'NO_PROXY')
      ?.value.toLowerCase()
      .split(/[\s,]+/) ?? [];
  if (except.some((entry) => entry !== '' && isMeant(entry, host, reachedPort))) return undefined;
  return parseProxy(named);
};
