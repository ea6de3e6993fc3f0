import { findProxy, type Proxy } from './find-proxy.js';
import { findProxyFailure } from './proxy-failure.js';

/** A fetch of one address. */
export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * The way to fetch from an address: straight, or through the proxy of the environment. Node 20 knows no such variables
 * itself; what does is loaded only where one counts.
 */
export const chooseFetch = (address: string, straight: Fetch = fetch): Fetch => {
  const url = new URL(address);
  let proxied: Promise<Fetch> | undefined;
  return async (input, init) => {
    const proxy = findProxy(url, process.env);
    if (proxy === undefined) return straight(input, init);
    proxied ??= createProxyFetch(proxy, url.protocol === 'https:');
    return (await proxied)(input, init);
  };
};

const createProxyFetch = async (proxy: Proxy, isTunnel: boolean): Promise<Fetch> => {
  const { fetch: fetchBy, ProxyAgent } = await import('undici');
  // Many proxies tunnel to the port of https alone: http is asked for in the open, as everybody does.
  const dispatcher = new ProxyAgent({ uri: proxy.url.href, proxyTunnel: isTunnel });
  // The same interface in other types: those of the package, in place of those of Node.
  const fetchPlainly = fetchBy as unknown as (
    url: string | URL,
    init: RequestInit & { dispatcher: unknown },
  ) => Promise<Response>;
  return async (input, init) => {
    try {
      return await fetchPlainly(input, { ...init, dispatcher });
    } catch (error) {
      throw findProxyFailure(error, proxy) ?? error;
    }
  };
};
