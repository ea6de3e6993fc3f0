import { isLoopbackName } from './private-hosts.js';

/** The addresses of the host page and of the sandbox itself, which no app may declare (A37). */
export interface OwnHosts {
  /** Host names that are refused on every port, with everything below them when `below` is set. */
  readonly names: readonly { readonly name: string; readonly below: boolean }[];
  /** Ports that are refused on every loopback name: another spelling of loopback reaches the same server. */
  readonly loopbackPorts: ReadonlySet<string>;
}

const defaultPorts: Readonly<Record<string, string>> = { http: '80', ws: '80', https: '443', wss: '443' };

/** The port an address connects to, also when it is the scheme's default and therefore not written. */
const toPort = (scheme: string, port: string): string => port || (defaultPorts[scheme] ?? '');

/** Collects what is ours from the host page's origins and the addresses the sandbox is served on. */
export const toOwnHosts = (
  hostOrigins: readonly string[],
  sandboxBases: readonly (string | undefined)[],
): OwnHosts => {
  const names: { name: string; below: boolean }[] = [];
  const loopbackPorts = new Set<string>();
  const add = (address: string, below: boolean): void => {
    const url = new URL(address);
    const bare = url.hostname === 'localhost' || /^127\./.test(url.hostname) || url.hostname === '[::1]';
    if (isLoopbackName(url.hostname)) loopbackPorts.add(toPort(url.protocol.slice(0, -1), url.port));
    // Bare loopback also carries the developer's own servers on other ports; there only the port is ours.
    if (!bare) names.push({ name: url.hostname, below });
  };
  for (const origin of hostOrigins) add(origin, false);
  for (const base of sandboxBases) if (base !== undefined) add(base, true);
  return { names, loopbackPorts };
};

/** Whether a declared host, or a wildcard over it, would reach the host page or the sandbox. */
export const isOwnHost = (
  own: OwnHosts,
  declared: { scheme: string; wildcard: boolean; name: string; port: string },
): boolean => {
  const { name, wildcard } = declared;
  if (isLoopbackName(name) && own.loopbackPorts.has(toPort(declared.scheme, declared.port))) return true;
  return own.names.some(
    (mine) =>
      (!wildcard && name === mine.name) ||
      (wildcard && mine.name.endsWith(`.${name}`)) ||
      (mine.below && (name === mine.name || name.endsWith(`.${mine.name}`))),
  );
};
