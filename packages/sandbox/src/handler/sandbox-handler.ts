import { parsePolicy } from '../policy/parse-policy.js';
import { OTHER_SITE, PROXY_LABEL, toSandboxAddress } from '../policy/sandbox-address.js';
import {
  toAnswer,
  toPageAnswer,
  toLoaderPage,
  toOpaquePage,
  toProxyPage,
  type SandboxAnswer,
  type SandboxRequest,
} from './answers.js';
import { toAppCsp, toConnectionAllowlist, toProxyCsp } from '../policy/content-security-policy.js';
import { toAllowAttribute, toFrameSandbox, toPermissionsPolicy } from '../policy/frame-permissions.js';
import { isBrowserReport, parseCspReport, readSmallBody, type CspReport } from './csp-report.js';
import { frameStyleHash } from '../generated/frame.js';
import { proxyScriptHash } from '../generated/proxy.js';
import { isOrigin } from '../policy/origin.js';
import { toPrintable } from '@casement/protocol/basics';
import { answerProbe } from './probe.js';
import type { SandboxPolicy } from '../policy/sandbox-policy.js';

export type { CspReport } from './csp-report.js';

/** The options of a sandbox; its caller opens the socket and builds each request's URL from the Host header. */
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
  /** Receives what browsers report of blocked requests; without it they are not asked to report. */
  onReport?(report: CspReport): void;
  /** Receives every request that is refused, for a log. */
  onRefusal?(refusal: SandboxRefusal): void;
}

/** A request that was not served. All of it is text of strangers, made printable. */
interface SandboxRefusal {
  readonly status: number;
  /** Why, for whoever runs the sandbox; the answer itself does not say it. */
  readonly reason: string;
  readonly url: string;
}

/**
 * Creates the fetch handler that serves proxies, apps and reports; it keeps no state and needs no key. A server that has no
 * use for a `Response` gives `toSent`, which makes what it sends out of status, headers and body.
 */
export const createSandboxHandler = <Sent = Response>(
  options: SandboxHandlerOptions,
  // Without it an answer is a Response, which is what the type is then.
  toSent: (answer: SandboxAnswer) => Sent = ({ body, ...init }) => new Response(body, init) as Sent,
): ((request: SandboxRequest) => Promise<Sent>) => {
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

  const refuse = (
    request: SandboxRequest,
    status: number,
    reason: string,
    headers?: Readonly<Record<string, string>>,
  ): SandboxAnswer => {
    options.onRefusal?.({ status, reason: toPrintable(reason), url: toPrintable(request.url, 500) });
    return toAnswer(status, headers);
  };

  /** The policy of an address, or why it is none. */
  const readPolicy = (url: URL): SandboxPolicy | string => {
    const encoded = url.searchParams.getAll('p');
    if (encoded.length !== 1) return 'The address does not carry exactly one policy.';
    try {
      return parsePolicy(encoded[0] ?? '', options);
    } catch (error) {
      return error instanceof Error ? error.message : 'The policy is not readable.';
    }
  };
  const ancestorsOf = (host: string): readonly string[] => options.hostAncestors?.[host] ?? [];

  const serveProxy = async (
    policy: SandboxPolicy,
    request: SandboxRequest,
    isOtherSite: boolean,
  ): Promise<SandboxAnswer> => {
    if (isOtherSite && options.otherSiteBase === undefined)
      return refuse(request, 404, 'This sandbox has no other site for its apps.');
    const otherSiteBase = isOtherSite ? options.otherSiteBase : undefined;
    const { appOrigin, appUrl } = await toSandboxAddress(options.base, policy, otherSiteBase);
    const sandbox = toFrameSandbox(policy);
    const allow = toAllowAttribute(policy.permissions);
    return toPageAnswer(toProxyPage({ host: policy.host, app: appUrl, allow, sandbox }), request, {
      'content-security-policy': toProxyCsp({
        scriptHash: proxyScriptHash,
        styleHash: frameStyleHash,
        appOrigin,
        host: policy.host,
        hostAncestors: ancestorsOf(policy.host),
        sandbox,
      }),
    });
  };

  const serveApp = async (policy: SandboxPolicy, request: SandboxRequest): Promise<SandboxAnswer> => {
    const { host } = new URL(request.url);
    const { appOrigin, proxyOrigin } = await toSandboxAddress(options.base, policy, toAppBase(host));
    // The label is the signature: under any other name this policy does not exist.
    if (new URL(appOrigin).host !== host)
      return refuse(request, 404, 'The policy of the address belongs to another name than this.');
    return toPageAnswer(toLoaderPage({ proxy: proxyOrigin }, policy.family), request, {
      'content-security-policy': toAppCsp(policy, {
        kind: 'origin',
        proxyOrigin,
        hostAncestors: ancestorsOf(policy.host),
        isReported: options.onReport !== undefined,
      }),
      'connection-allowlist': toConnectionAllowlist(policy, 'origin'),
      'permissions-policy': toPermissionsPolicy(policy.permissions),
    });
  };

  const serveOpaque = (policy: SandboxPolicy, request: SandboxRequest): Promise<SandboxAnswer> => {
    const { host, family } = policy;
    const hostAncestors = ancestorsOf(host);
    return toPageAnswer(
      toOpaquePage({ host, family, allow: toAllowAttribute(policy.permissions) }),
      request,
      {
        'content-security-policy': toAppCsp(policy, { kind: 'opaque', hostAncestors }),
        'connection-allowlist': toConnectionAllowlist(policy, 'opaque'),
      },
    );
  };

  const takeReport = async (request: SandboxRequest, url: URL): Promise<SandboxAnswer> => {
    if (options.onReport === undefined) return refuse(request, 404, 'Nobody listens to reports here.');
    if (!isBrowserReport(request)) return refuse(request, 403, 'A report that no browser made.');
    const body = await readSmallBody(request);
    const appOrigin = `${base.protocol}//${url.host}`;
    const report = body === undefined ? undefined : await parseCspReport(body, appOrigin, options);
    if (report === undefined) return refuse(request, 400, 'A report that cannot be read.');
    options.onReport(report);
    return toAnswer(204);
  };

  const route = async (request: SandboxRequest): Promise<SandboxAnswer> => {
    const url = new URL(request.url);
    const isProxyHost = url.host === `${PROXY_LABEL}.${base.host}`;
    const isOpaqueHost = url.host === opaqueHost;
    const isAppHost = toAppBase(url.host) !== undefined;
    if (isAppHost && url.pathname === '/csp-report') {
      return request.method === 'POST'
        ? takeReport(request, url)
        : refuse(request, 405, 'Reports are posted.', { allow: 'POST' });
    }
    const isPage =
      (isProxyHost && url.pathname === '/proxy') ||
      (isOpaqueHost && url.pathname === '/opaque') ||
      (isAppHost && ['/app', '/'].includes(url.pathname));
    // Under a foreign name too, to say that it is one; never on an app's origin, which has one page.
    const isProbe = !isAppHost && url.pathname === '/probe';
    if (!isPage && !isProbe) {
      return refuse(request, 404, `Nothing is served here: the base of this sandbox is ${options.base}.`);
    }
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return refuse(request, 405, 'Pages are read.', { allow: 'GET, HEAD' });
    if (isProbe) {
      return answerProbe(request, {
        isOwnHost: isProxyHost || isOpaqueHost,
        hostOrigins: options.hostOrigins,
        ancestorsOf,
        isServed: (address) => typeof readPolicy(address) !== 'string',
      });
    }
    const policy = readPolicy(url);
    if (typeof policy === 'string') return refuse(request, 404, policy);
    const isOtherSite = url.searchParams.get(OTHER_SITE.name) === OTHER_SITE.value;
    if (isProxyHost) return serveProxy(policy, request, isOtherSite);
    return isOpaqueHost ? serveOpaque(policy, request) : serveApp(policy, request);
  };

  return async (request) => {
    const answer = await route(request);
    return toSent(request.method === 'HEAD' ? { ...answer, body: null } : answer);
  };
};
