import { BlockList, isIP } from 'node:net';
import { toPrintable } from '@casement/protocol/basics';
import { CasementError } from '@casement/protocol/start';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Networks that nobody on the internet is in: this machine, this network, and forms that hide an address in another. */
const inner = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  inner.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of [
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 32],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
] as const)
  inner.addSubnet(network, bits, 'ipv6');

const isIn = (list: BlockList, address: string): boolean =>
  list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** A host as sockets know it: IPv6 without brackets. */
const toPlainHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** Whether an address is written as one of this machine itself. */
const isLoopback = (url: URL): boolean => {
  const host = toPlainHost(url);
  if (isIP(host) !== 0) return isIn(loopback, host);
  return host === 'localhost' || host.endsWith('.localhost');
};

/** Tokens travel encrypted, or do not leave this machine. */
export const isSafeForTokens = (url: URL): boolean =>
  url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));

/** The failure of an address that a stranger named and that is not used. */
export const toUnsafe = (what: string, hint: string): CasementError =>
  new CasementError('sign-in-unsafe', what, { hint });

const show = (text: string): string => `"${toPrintable(text, 200, { mode: 'replace' })}"`;

/**
 * Parses an address that metadata names: https, or http on this machine if the server runs here too (C16). Addresses
 * in digits are judged at once, names when they are resolved.
 */
export const parseForeignAddress = (text: string, server: URL): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const hint = 'Nothing was sent there. Tell whoever runs the server.';
  if (url === undefined) throw toUnsafe(`Its sign-in names ${show(text)}, which is no address.`, hint);
  const isAllowed = url.protocol === 'https:' || (isLoopback(server) && isSafeForTokens(url));
  if (!isAllowed || url.username !== '' || url.password !== '')
    throw toUnsafe(`Its sign-in names ${show(text)}, which is no plain https address.`, hint);
  url.hash = '';
  const host = toPlainHost(url);
  if (isIP(host) !== 0) checkResolved(host, url, server);
  return url;
};

/** Refuses an address inside this machine or network (C14, C15): only the server's own host may be there. */
export const checkResolved = (address: string, url: URL, server: URL): void => {
  if (!isIn(inner, address) || url.hostname === server.hostname) return;
  if (isLoopback(server) && isIn(loopback, address)) return;
  throw toUnsafe(
    `Its sign-in leads to ${show(url.host)}, an address inside this network (${address}).`,
    'Nothing was sent there: a server may only name its own host, or one on the internet.',
  );
};
