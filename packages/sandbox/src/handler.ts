import { OTHER_SITE, PROXY_LABEL, toSandboxAddress } from './address.js';
import { STRICT_CSP, toAppCsp, toConnectionAllowlist, toProxyCsp } from './content-policy.js';
import { isBrowserReport, parseCspReport, readSmallBody, type CspReport } from './csp-report.js';
import { toAllowAttribute, toFrameSandbox, toPermissionsPolicy } from './frame-permissions.js';
import { frameStyleHash } from './generated/frame.js';
import { proxyScriptHash } from './generated/proxy.js';
import { isOrigin } from './origin.js';
import { toLoaderPage, toOpaquePage, toProxyPage } from './page-html.js';
import { parsePolicy } from './policy-encoding.js';
import type { SandboxPolicy } from './policy-shape.js';

export type { CspReport } from './csp-report.js';

/** How a sandbox is served; the caller opens the socket and builds the request's URL from its Host header. */
export interface SandboxHandlerOptions {
  /** Address below which every app has its own name, e.g. `http://casement.localhost:6271`. */
  readonly base: string;
  /**
   * Address on another site than the host page's, below which apps live where the browser isolates by site; the proxy
   * stays below `base`. Give the same to the page, as `otherSiteBase` of its sandbox.
   */
  readonly otherSiteBase?: string;
  /** Origins of the host pages that may use this sandbox. */
  readonly hostOrigins: readonly string[];
  /** Origins that themselves frame a host page, by host origin: every ancestor is checked. */
  readonly hostAncestors?: Readonly<Record<string, readonly string[]>>;
  /** Address of fallback 1, e.g. `http://127.0.0.1:6271`. */
  readonly opaqueBase?: string;
  /** Developer switch: apps may declare loopback and private-network addresses. */
  readonly allowLoopback?: boolean;
  /** Receives what browsers report of blocked requests. */
  onReport?(report: CspReport): void;
}

// Every answer, also a refusal: a bare 404 on an app's origin was a way out of its policy.
const everyAnswer = {
  'content-security-policy': STRICT_CSP,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  // Own process per origin: a busy app must not freeze its neighbours (T13). Must not vary within an origin.
  'origin-agent-cluster': '?1',
};

const answer = (status: number, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(null, { status, headers: { ...everyAnswer, ...headers } });

const page = (html: string, headers: Readonly<Record<string, string>>): Response =>
  new Response(html, { headers: { ...everyAnswer, 'content-type': 'text/html; charset=utf-8', ...headers } });

const notFound = (): Response => answer(404);
const probed = (): Response => answer(204, { 'cross-origin-resource-policy': 'cross-origin' });

/** Creates the fetch handler that serves proxies, apps and reports; it keeps no state and needs no key. */
export const createSandboxHandler = (
  options: SandboxHandlerOptions,
): ((request: Request) => Promise<Response>) => {
  const base = new URL(options.base);
  const appBases = [options.base, options.otherSiteBase].filter((name) => name !== undefined);
  const toAppBase = (host: string): string | undefined =>
    appBases.find(
      (name) => /^[a-z2-7]{52}\.$/.test(host.slice(0, 53)) && host.slice(53) === new URL(name).host,
    );
  const opaqueHost = options.opaqueBase === undefined ? undefined : new URL(options.opaqueBase).host;
  for (const origin of options.hostOrigins) {
    if (!isOrigin(origin)) throw new TypeError(`"${origin}" is not an origin a host page can have.`);
  }

  const readPolicy = (url: URL): SandboxPolicy | undefined => {
    const encoded = url.searchParams.getAll('p');
    try {
      return encoded.length === 1 ? parsePolicy(encoded[0] ?? '', options) : undefined;
    } catch {
      return undefined;
    }
  };
  const ancestorsOf = (policy: SandboxPolicy): readonly string[] =>
    options.hostAncestors?.[policy.host] ?? [];

  const serveProxy = async (policy: SandboxPolicy, isOtherSite: boolean): Promise<Response> => {
    if (isOtherSite && options.otherSiteBase === undefined) return notFound();
    const otherSiteBase = isOtherSite ? options.otherSiteBase : undefined;
    const { appOrigin, appUrl } = await toSandboxAddress(options.base, policy, otherSiteBase);
    const sandbox = toFrameSandbox(policy);
    const allow = toAllowAttribute(policy.permissions);
    return page(toProxyPage({ host: policy.host, app: appUrl, allow, sandbox }), {
      'content-security-policy': toProxyCsp({
        scriptHash: proxyScriptHash,
        styleHash: frameStyleHash,
        appOrigin,
        host: policy.host,
        hostAncestors: ancestorsOf(policy),
        sandbox,
      }),
    });
  };

  const serveApp = async (policy: SandboxPolicy, host: string): Promise<Response> => {
    const { appOrigin, proxyOrigin } = await toSandboxAddress(options.base, policy, toAppBase(host));
    // The label is the signature: under any other name this policy does not exist.
    if (new URL(appOrigin).host !== host) return notFound();
    return page(toLoaderPage({ proxy: proxyOrigin }, policy.family), {
      'content-security-policy': toAppCsp(policy, {
        kind: 'origin',
        proxyOrigin,
        hostAncestors: ancestorsOf(policy),
      }),
      'connection-allowlist': toConnectionAllowlist(policy, 'origin'),
      'permissions-policy': toPermissionsPolicy(policy.permissions),
    });
  };

  const serveOpaque = (policy: SandboxPolicy): Response => {
    const { host, family } = policy;
    return page(toOpaquePage({ host, family, allow: toAllowAttribute(policy.permissions) }), {
      'content-security-policy': toAppCsp(policy, { kind: 'opaque', hostAncestors: ancestorsOf(policy) }),
      'connection-allowlist': toConnectionAllowlist(policy, 'opaque'),
    });
  };

  const takeReport = async (request: Request, url: URL): Promise<Response> => {
    if (!isBrowserReport(request)) return answer(403);
    const body = await readSmallBody(request);
    const appOrigin = `${base.protocol}//${url.host}`;
    const report = body === undefined ? undefined : await parseCspReport(body, appOrigin, options);
    if (report === undefined) return answer(400);
    options.onReport?.(report);
    return answer(204);
  };

  const route = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    const isProxyHost = url.host === `${PROXY_LABEL}.${base.host}`;
    const isOpaqueHost = url.host === opaqueHost;
    const isAppHost = toAppBase(url.host) !== undefined;
    if (isAppHost && url.pathname === '/csp-report') {
      return request.method === 'POST' ? takeReport(request, url) : answer(405, { allow: 'POST' });
    }
    const isPage =
      (isProxyHost && ['/proxy', '/probe'].includes(url.pathname)) ||
      (isOpaqueHost && ['/opaque', '/probe'].includes(url.pathname)) ||
      (isAppHost && ['/app', '/'].includes(url.pathname));
    if (!isPage) return notFound();
    if (request.method !== 'GET' && request.method !== 'HEAD') return answer(405, { allow: 'GET, HEAD' });
    if (url.pathname === '/probe') return probed();
    const policy = readPolicy(url);
    if (policy === undefined) return notFound();
    const isOtherSite = url.searchParams.get(OTHER_SITE.name) === OTHER_SITE.value;
    if (isProxyHost) return serveProxy(policy, isOtherSite);
    return isOpaqueHost ? serveOpaque(policy) : serveApp(policy, url.host);
  };

  return async (request) => {
    const response = await route(request);
    return request.method === 'HEAD' ? new Response(null, response) : response;
  };
};
