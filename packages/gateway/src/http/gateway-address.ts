/** Every name and origin of one gateway, derived from its two ports. */
export interface GatewayAddress {
  pagePort: number;
  sandboxPort: number;
  /** Host headers the page server answers, port included. */
  pageHosts: ReadonlySet<string>;
  /** Origins of the page that may embed apps. */
  hostOrigins: string[];
  /** Parent of every app's origin. */
  sandboxBase: string;
  /** Parent of every app's origin where the browser isolates by site: each app is a site of its own there. */
  otherSiteBase: string;
  /** Where apps run when `*.localhost` does not resolve. */
  opaqueBase: string;
  /** Origin of the trusted proxy page. */
  sandboxOrigin: string;
}

/** Derives the names; the page and the sandbox differ in host, not only in port, because cookies ignore ports (T2). */
export const toGatewayAddress = (pagePort: number, sandboxPort: number): GatewayAddress => ({
  pagePort,
  sandboxPort,
  pageHosts: new Set(
    ['localhost', 'casement.localhost', '127.0.0.1', '[::1]'].map((host) => `${host}:${pagePort}`),
  ),
  hostOrigins: [`http://casement.localhost:${pagePort}`, `http://localhost:${pagePort}`],
  sandboxBase: `http://casement.localhost:${sandboxPort}`,
  otherSiteBase: `http://localhost:${sandboxPort}`,
  opaqueBase: `http://127.0.0.1:${sandboxPort}`,
  sandboxOrigin: `http://sandbox.casement.localhost:${sandboxPort}`,
});

/** Whether a Host header names the sandbox server: one label under the base, an app's under the other, the opaque base. */
export const isSandboxHost = (host: string, { sandboxPort }: GatewayAddress): boolean => {
  if (host === `127.0.0.1:${sandboxPort}`) return true;
  if (/^[a-z2-7]{52}\.$/.test(host.slice(0, 53)) && host.slice(53) === `localhost:${sandboxPort}`)
    return true;
  const suffix = `.casement.localhost:${sandboxPort}`;
  return (
    host.endsWith(suffix) && /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(host.slice(0, -suffix.length))
  );
};

/** Whether an Origin header is one of a sandboxed app or its proxy; an opaque app says `null`. */
export const isSandboxOrigin = (origin: string, address: GatewayAddress): boolean =>
  origin === 'null' ||
  (origin.startsWith('http://') && isSandboxHost(origin.slice('http://'.length), address));
