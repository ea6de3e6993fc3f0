import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import { createSandboxHandler, type CspReport } from './sandbox-handler.js';
import { createSandboxPolicy, type SandboxPolicy } from '../index.js';
import {
  encodePolicy,
  toAllowAttribute,
  toAppCsp,
  toOpaqueAddress,
  toProbeAddress,
  toSandboxAddress,
} from '../address.js';
import type { SandboxPolicyInput } from '../policy/create-sandbox-policy.js';
import { FRAME_SANDBOX } from '../policy/frame-permissions.js';

const base = 'http://casement.localhost:6271';
const opaqueBase = 'http://127.0.0.1:6271';
const hostOrigin = 'http://casement.localhost:6270';
const hostOrigins = [hostOrigin, 'http://localhost:6270'];
const strict = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

const create = (more: Partial<SandboxPolicyInput> = {}): SandboxPolicy =>
  createSandboxPolicy({
    hostOrigin,
    base,
    server: 'c2VydmVy',
    resourceUri: 'ui://test/app',
    family: 'mcp-apps',
    ...more,
  }).policy;

const handle = createSandboxHandler({ base, opaqueBase, hostOrigins });
const get = (url: string, init?: RequestInit) => handle(new Request(url, init));

const toDirectives = (csp: string | null): Map<string, string> =>
  new Map(
    (csp ?? '').split('; ').map((part): [string, string] => {
      const [name = '', ...sources] = part.split(' ');
      return [name, sources.join(' ')];
    }),
  );

const readCsp = (response: Response) => toDirectives(response.headers.get('content-security-policy'));

const expectRefusal = (response: Response, status: number): void => {
  expect(response.status).toBe(status);
  expect(response.headers.get('content-security-policy')).toBe(strict);
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
};

verifies(
  ['HOST-002', 'HOST-003', 'SANDBOX-009', 'SANDBOX-006', 'SANDBOX-007', 'SANDBOX-008', 'S4-20'],
  'an app without csp metadata gets the restrictive default in its response',
  async () => {
    const { appUrl, proxyOrigin } = await toSandboxAddress(base, create());
    const response = await get(appUrl);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(readCsp(response))).toEqual({
      'default-src': "'none'",
      'script-src': "'self' 'unsafe-inline'",
      'style-src': "'self' 'unsafe-inline'",
      'img-src': "'self' data: blob:",
      'media-src': "'self' data: blob:",
      'connect-src': "'none'",
      'worker-src': 'blob:',
      'frame-src': "'none'",
      'object-src': "'none'",
      'form-action': "'none'",
      'base-uri': "'self'",
      'frame-ancestors': `${proxyOrigin} ${hostOrigin}`,
      sandbox: FRAME_SANDBOX,
    });
    expect(response.headers.get('connection-allowlist')).toBe('(response-origin)');
    expect(response.headers.get('origin-agent-cluster')).toBe('?1');
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  },
);

verifies(
  ['HOST-001', 'HOST-007', 'SANDBOX-005', 'SANDBOX-006', 'SANDBOX-007', 'S1-75'],
  'declared domains appear in exactly their directives',
  async () => {
    const csp = {
      connectDomains: ['https://api.example', 'wss://live.example'],
      resourceDomains: ['https://*.cdn.example'],
      frameDomains: ['https://frame.example'],
      baseUriDomains: ['https://base.example'],
    };
    const response = await get((await toSandboxAddress(base, create({ csp }))).appUrl);
    const directives = readCsp(response);
    const assets = 'https://*.cdn.example';
    expect(directives.get('connect-src')).toBe('https://api.example wss://live.example');
    expect(directives.get('script-src')).toBe(`'self' 'unsafe-inline' data: blob: ${assets}`);
    expect(directives.get('style-src')).toBe(`'self' 'unsafe-inline' ${assets}`);
    expect(directives.get('img-src')).toBe(`'self' data: blob: ${assets}`);
    expect(directives.get('media-src')).toBe(`'self' data: blob: ${assets}`);
    expect(directives.get('font-src')).toBe(`'self' ${assets}`);
    expect(directives.get('frame-src')).toBe('https://frame.example');
    expect(directives.get('base-uri')).toBe('https://base.example');
    expect(directives.get('object-src')).toBe("'none'");
    expect(response.headers.get('connection-allowlist')).toBe(
      '(response-origin "https://*.cdn.example" "https://api.example" "https://frame.example" "wss://live.example");redirects=allow',
    );
  },
);

test('the same app is at the root of its origin, where routers of widgets look for their first page', async () => {
  const { appUrl } = await toSandboxAddress(base, create());
  const [usual, root] = await Promise.all([get(appUrl), get(appUrl.replace('/app?', '/?'))]);
  expect(root.status).toBe(200);
  expect(readCsp(root)).toEqual(readCsp(usual));
  expect(await root.text()).toBe(await usual.text());
  expectRefusal(await get(new URL('/', appUrl).href), 404);
  expectRefusal(await get(appUrl.replace('/app?', '/place/3?')), 404);
});

test('eval is allowed only by the host, in the form it names', () => {
  const scripts = (policy: SandboxPolicy) =>
    toDirectives(toAppCsp(policy, { kind: 'opaque' })).get('script-src');
  expect(scripts(create())).toBe("'unsafe-inline'");
  expect(scripts(create({ eval: 'wasm' }))).toBe("'unsafe-inline' 'wasm-unsafe-eval'");
  expect(scripts(create({ eval: 'unsafe' }))).toBe("'unsafe-inline' 'unsafe-eval'");
});

verifies(['S1-73', 'S2-07'], 'the proxy runs one script by hash and frames exactly its app', async () => {
  const { proxyUrl, appOrigin, appUrl } = await toSandboxAddress(base, create());
  const response = await get(proxyUrl);
  const html = await response.text();
  const [, script = ''] = /<script>([^]*)<\/script>/.exec(html) ?? [];
  const [, style = ''] = /<style>([^]*)<\/style>/.exec(html) ?? [];
  const hash = async (text: string) =>
    `'sha256-${Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(text))).toString('base64')}'`;
  expect(Object.fromEntries(readCsp(response))).toEqual({
    'default-src': "'none'",
    'script-src': await hash(script),
    'style-src': await hash(style),
    'frame-src': appOrigin,
    'frame-ancestors': hostOrigin,
    'base-uri': "'none'",
    'form-action': "'none'",
    sandbox: FRAME_SANDBOX,
  });
  expect(html).toContain(`data-app="${appUrl.replaceAll('&', '&amp;')}"`);
  expect(html).toContain(`data-host="${hostOrigin}"`);
});

test('only the policy’s host may frame it, with the pages that frame that host', async () => {
  const outer = createSandboxHandler({
    base,
    hostOrigins,
    hostAncestors: { [hostOrigin]: ['https://product.example'] },
  });
  const address = await toSandboxAddress(base, create());
  const app = await outer(new Request(address.appUrl));
  expect(readCsp(app).get('frame-ancestors')).toBe(
    `${address.proxyOrigin} ${hostOrigin} https://product.example`,
  );
  const other = await toSandboxAddress(base, create({ hostOrigin: 'http://localhost:6270' }));
  const response = await outer(new Request(other.proxyUrl));
  expect(readCsp(response).get('frame-ancestors')).toBe('http://localhost:6270');
});

test('the opaque proxy carries the app’s policy, without a hash that would switch inline scripts off', async () => {
  const policy = create({
    base: undefined,
    opaqueBase,
    hostOrigin: 'http://localhost:6270',
    csp: { connectDomains: ['https://api.example'], frameDomains: ['https://frame.example'] },
  });
  const response = await get(toOpaqueAddress(opaqueBase, policy).proxyUrl);
  const directives = readCsp(response);
  expect(response.status).toBe(200);
  expect(directives.get('script-src')).toBe("'unsafe-inline' data: blob:");
  expect(directives.get('connect-src')).toBe('https://api.example');
  expect(directives.get('frame-src')).toBe("'none'");
  expect(directives.get('frame-ancestors')).toBe('http://localhost:6270');
  expect(response.headers.get('connection-allowlist')).toBe('("https://api.example");redirects=allow');
});

const families = ['mcp-apps', 'openai', 'mcp-ui'] as const;

verifies('S1-10', 'every family has the same proxy, and an origin and a loader of its own', async () => {
  const addresses = await Promise.all(families.map((family) => toSandboxAddress(base, create({ family }))));
  expect(new Set(addresses.map(({ appOrigin }) => appOrigin)).size).toBe(3);
  const toScript = (html: string): string => /<script>(.*)<\/script>/s.exec(html)?.[1] ?? '';
  const read = async (url: string): Promise<string> => toScript(await (await get(url)).text());
  const proxies = await Promise.all(addresses.map(({ proxyUrl }) => read(proxyUrl)));
  expect(proxies[0]).toContain('proxy-ready');
  expect(new Set(proxies).size).toBe(1);
  const loaders = await Promise.all(addresses.map(({ appUrl }) => read(appUrl)));
  const words = ['mcpApp', 'openai:set_globals', 'ui-lifecycle-iframe-render-data'];
  for (const [at, word] of words.entries()) {
    expect(loaders.map((loader) => loader.includes(word))).toEqual(
      loaders.map((_loader, index) => index === at),
    );
  }
});

test('the opaque page names the family of its app', async () => {
  for (const family of families) {
    const policy = create({ base: undefined, opaqueBase, hostOrigin: 'http://localhost:6270', family });
    const html = await (await get(toOpaqueAddress(opaqueBase, policy).proxyUrl)).text();
    expect(html).toContain(` data-family="${family}"`);
  }
});

test('permissions are delegated by name and everything else is refused by name', async () => {
  const allow = toAllowAttribute(['camera', 'clipboardWrite']);
  expect(allow.split('; ')).toEqual(
    expect.arrayContaining(['camera', 'clipboard-write', "microphone 'none'"]),
  );
  expect(allow).toContain("local-network-access 'none'");
  const { appUrl, proxyUrl } = await toSandboxAddress(base, create({ permissions: ['camera'] }));
  const header = (await get(appUrl)).headers.get('permissions-policy') ?? '';
  expect(header.split(', ')).toEqual(expect.arrayContaining(['camera=(self)', 'microphone=()', 'usb=()']));
  // `feature=()` on the proxy would end the delegation to the app.
  expect((await get(proxyUrl)).headers.has('permissions-policy')).toBe(false);
});

const address = await toSandboxAddress(base, create());
const loose = await toSandboxAddress(base, create({ csp: { connectDomains: ['https://evil.example'] } }));
const openai = await toSandboxAddress(base, create({ family: 'openai' }));
const unknown = await toSandboxAddress(base, {
  ...create(),
  // What no builder makes and a stranger might.
  family: 'flash' as 'openai',
});
const foreign = await toSandboxAddress(base, create({ hostOrigin: 'https://evil.example' }));
const query = (url: string) => new URL(url).search;

test.each([
  ['an edited policy', address.appUrl.slice(0, -1)],
  ['another app’s label', `${address.appOrigin}/app${query(loose.appUrl)}`],
  ['a shortened label', address.appUrl.replace(/\/\/./, '//')],
  ['a longer name', address.appUrl.replace('//', '//x.')],
  ['an app under the label "sandbox"', `http://sandbox.casement.localhost:6271/app${query(address.appUrl)}`],
  ['a proxy under an app’s label', `${address.appOrigin}/proxy${query(address.appUrl)}`],
  ['the base itself', `${base}/app${query(address.appUrl)}`],
  ['another port', address.appUrl.replace(':6271', ':6272')],
  ['another domain', address.appUrl.replace('casement.localhost', 'evil.example')],
  ['a trailing dot', address.appUrl.replace('.localhost:', '.localhost.:')],
  ['no policy', `${address.appOrigin}/app`],
  ['two policies', `${address.appUrl}&p=${new URL(address.appUrl).searchParams.get('p')}`],
  ['a host page that is not configured', foreign.appUrl],
  ['a host page that is not configured, as proxy', foreign.proxyUrl],
  ['a family nobody knows', unknown.appUrl],
  ['a family nobody knows, as proxy', unknown.proxyUrl],
  ['another family’s app', `${openai.appOrigin}/app${query(address.appUrl)}`],
  ['the opaque proxy on an app’s origin', `${address.appOrigin}/opaque${query(address.appUrl)}`],
  ['the proxy on the opaque origin', `${opaqueBase}/proxy${query(address.appUrl)}`],
  ['an unknown path', `${address.appOrigin}/favicon.ico`],
  ['the root', `${address.appOrigin}/`],
  ['a probe on an app’s origin', `${address.appOrigin}/probe`],
  ['a policy of 200 KB', `${address.appOrigin}/app?p=${'A'.repeat(200_000)}`],
])('%s is not found, under the strict policy', async (_name, url) => {
  expectRefusal(await get(url), 404);
});

test('other query parameters change nothing', async () => {
  const plain = await get(address.appUrl);
  const decorated = await get(`${address.appUrl}&csp=*&host=https://evil.example`);
  expect(decorated.headers.get('content-security-policy')).toBe(plain.headers.get('content-security-policy'));
  expect(await decorated.text()).toBe(await plain.text());
});

test('a poisoned policy is refused even with its right label', async () => {
  const text = Buffer.from(encodePolicy(create()), 'base64url').toString();
  const poisoned = text.replace('"connect":[]', '"connect":["https://a.example; frame-ancestors *"]');
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', Buffer.from(poisoned)));
  const bits = [...digest]
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
    .padEnd(260, '0');
  const label = bits.replace(/.{5}/g, (five) => 'abcdefghijklmnopqrstuvwxyz234567'.charAt(parseInt(five, 2)));
  const p = Buffer.from(poisoned).toString('base64url');
  expectRefusal(await get(`http://${label}.casement.localhost:6271/app?p=${p}`), 404);
});

test('HEAD answers like GET without a body, other methods are refused', async () => {
  const head = await get(address.appUrl, { method: 'HEAD' });
  expect(head.status).toBe(200);
  expect(head.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await head.text()).toBe('');
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
    expectRefusal(await get(address.appUrl, { method }), 405);
    expectRefusal(await get(address.proxyUrl, { method }), 405);
  }
  expectRefusal(await get(`${address.appOrigin}/csp-report`), 405);
});

test('browsers are asked to report only where somebody listens', async () => {
  expect(readCsp(await get(address.appUrl)).has('report-uri')).toBe(false);
  const listening = createSandboxHandler({ base, hostOrigins, onReport: () => undefined });
  expect(readCsp(await listening(new Request(address.appUrl))).get('report-uri')).toBe('/csp-report');
  const post = { method: 'POST', headers: fromBrowser, body };
  expectRefusal(await get(`${address.appOrigin}/csp-report`, post), 404);
});

test('pages are compressed for who takes it, and are the same page', async () => {
  for (const url of [address.appUrl, address.proxyUrl, toOpaqueAddress(opaqueBase, create()).proxyUrl]) {
    const plain = await get(url);
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(plain.headers.get('vary')).toBe('Accept-Encoding');
    const small = await get(url, { headers: { 'accept-encoding': 'br, gzip;q=0.8' } });
    expect(small.headers.get('content-encoding')).toBe('gzip');
    expect(small.headers.get('content-security-policy')).toBe(plain.headers.get('content-security-policy'));
    const bytes = Buffer.from(await small.arrayBuffer());
    const text = await plain.text();
    expect(gunzipSync(bytes).toString()).toBe(text);
    expect(bytes.length).toBeLessThan(text.length / 2);
    const unwanted = await get(url, { headers: { 'accept-encoding': 'gzip;q=0, identity' } });
    expect(unwanted.headers.get('content-encoding')).toBeNull();
  }
});

test('proxy and loader together cost less than 10.5 KB', async () => {
  const sizes = [address.proxyUrl, address.appUrl].map(async (url) => {
    const response = await get(url, { headers: { 'accept-encoding': 'gzip' } });
    return (await response.arrayBuffer()).byteLength;
  });
  const [proxy = 0, loader = 0] = await Promise.all(sizes);
  expect(proxy + loader).toBeLessThan(10.5 * 1024);
});

test('a page may be kept under the address of its own release, and under no other', async () => {
  const caching = async (url: string) => (await get(url)).headers.get('cache-control');
  for (const url of [address.appUrl, address.proxyUrl, toOpaqueAddress(opaqueBase, create()).proxyUrl]) {
    expect(await caching(url)).toBe('public, max-age=3600');
    expect(await caching(url.replace(/v=[^&]+&/, ''))).toBe('no-store');
    expect(await caching(url.replace(/v=[^&]+&/, 'v=9.9.9&'))).toBe('no-store');
    expect(await caching(`${url}&v=9.9.9`)).toBe('no-store');
  }
  expect(await caching(loose.appUrl.replace('//', '//x.'))).toBe('no-store');
});

const ask = async (proxyUrl: string, around: string[] = [], ask = handle): Promise<string | undefined> => {
  const response = await ask(new Request(toProbeAddress(proxyUrl, around)));
  const csp = readCsp(response);
  expect(csp.get('default-src')).toBe("'none'");
  expect(csp.has('frame-ancestors')).toBe(false);
  expect(response.headers.get('cache-control')).toBe('no-store');
  return /data-verdict="([^"]*)"/.exec(await response.text())?.[1];
};

test('a probe says whether a proxy would be served to its page, and nothing else', async () => {
  expect(await ask(address.proxyUrl)).toBe('ready');
  expect(await ask(foreign.proxyUrl)).toBe('host-refused');
  expect(await ask(unknown.proxyUrl)).toBe('policy-refused');
  expect(await ask(`${address.proxyOrigin}/proxy?p=garbage`)).toBe('policy-refused');
  expect(await ask(address.proxyUrl.replace('casement.localhost', 'other.localhost'))).toBe('base-differs');
  expect(await ask(address.proxyUrl, ['https://around.example'])).toBe('ancestor-refused');
  const hostAncestors = { [hostOrigin]: ['https://around.example'] };
  const knowing = createSandboxHandler({ base, hostOrigins, hostAncestors });
  expect(await ask(address.proxyUrl, ['https://around.example'], knowing)).toBe('ready');
  expectRefusal(await get(`${address.appOrigin}/probe${query(address.proxyUrl)}`), 404);
});

test('what is refused is told to whoever wants to log it, in printable text', async () => {
  const refusals: { status: number; reason: string; url: string }[] = [];
  const logging = createSandboxHandler({ base, hostOrigins, onRefusal: (refusal) => refusals.push(refusal) });
  await logging(new Request(`${base}/%E2%80%AE?${'a'.repeat(9_000)}`));
  await logging(new Request(foreign.proxyUrl));
  await logging(new Request(address.proxyUrl, { method: 'POST' }));
  await logging(new Request(address.proxyUrl));
  expect(refusals.map(({ status, reason }) => `${status} ${reason}`)).toEqual([
    `404 Nothing is served here: the base of this sandbox is ${base}.`,
    '404 The sandbox policy names a host page this sandbox does not serve.',
    '405 Pages are read.',
  ]);
  expect(refusals[0]?.url.length).toBeLessThan(600);
});

test('both probes can be read from any origin and say nothing', async () => {
  for (const origin of [address.proxyOrigin, opaqueBase]) {
    const response = await get(`${origin}/probe`);
    expectRefusal(response, 204);
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  }
});

test('no answer carries a CORS header or a cookie', async () => {
  const urls = [address.appUrl, address.proxyUrl, `${base}/`, `${address.proxyOrigin}/probe`];
  for (const url of urls) {
    const names = [...(await get(url, { headers: { origin: 'https://evil.example' } })).headers.keys()];
    expect(names.filter((name) => /^access-control-|^set-cookie$/.test(name))).toEqual([]);
  }
});

const body = JSON.stringify({
  'csp-report': {
    'document-uri': address.appUrl,
    'effective-directive': 'connect-src',
    'blocked-uri': 'https://evil.example/x',
    'line-number': 3,
    'source-file': address.appUrl,
  },
});
const fromBrowser = {
  'content-type': 'application/csp-report',
  'sec-fetch-site': 'same-origin',
  'sec-fetch-dest': 'report',
};

test('a report of the browser itself reaches the caller with the app it belongs to', async () => {
  const reports: CspReport[] = [];
  const reporting = createSandboxHandler({ base, hostOrigins, onReport: (report) => reports.push(report) });
  const url = `${address.appOrigin}/csp-report`;
  const post = (headers: Record<string, string>, text: string) =>
    reporting(new Request(url, { method: 'POST', headers, body: text }));
  expectRefusal(await post(fromBrowser, body), 204);
  expect(reports).toEqual([
    {
      appOrigin: address.appOrigin,
      resource: 'ui://test/app',
      directive: 'connect-src',
      blockedUri: 'https://evil.example/x',
      sourceFile: `${address.appOrigin}/app`,
      line: 3,
    },
  ]);
  expectRefusal(await post({ ...fromBrowser, 'sec-fetch-dest': 'empty' }, body), 403);
  expectRefusal(await post({ ...fromBrowser, 'sec-fetch-site': 'same-site' }, body), 403);
  expectRefusal(await post({ 'content-type': 'application/csp-report' }, body), 403);
  expectRefusal(await post({ ...fromBrowser, 'content-type': 'text/plain' }, body), 403);
  expectRefusal(await post(fromBrowser, '{'), 400);
  expectRefusal(await post(fromBrowser, '{"csp-report":null}'), 400);
  expectRefusal(await post(fromBrowser, `"${'a'.repeat(100_000)}"`), 400);
  expect(reports).toHaveLength(1);
});

test('a report whose document is not this app’s names no resource', async () => {
  const reports: CspReport[] = [];
  const reporting = createSandboxHandler({ base, hostOrigins, onReport: (report) => reports.push(report) });
  const request = new Request(`${loose.appOrigin}/csp-report`, {
    method: 'POST',
    headers: fromBrowser,
    body,
  });
  expect((await reporting(request)).status).toBe(204);
  expect(reports[0]).not.toHaveProperty('resource');
});

test('a host origin that is none stops the handler from being created', () => {
  expect(() =>
    createSandboxHandler({ base, hostOrigins: ['https://a.example; frame-ancestors *'] }),
  ).toThrow();
});

verifies('SANDBOX-015', 'no frame may download by itself', () => {
  expect(FRAME_SANDBOX.split(' ')).toEqual(['allow-scripts', 'allow-same-origin', 'allow-forms']);
});

describe('the other site', () => {
  const otherSiteBase = 'http://localhost:6271';
  const handleBoth = createSandboxHandler({ base, otherSiteBase, opaqueBase, hostOrigins });
  const policy = create();

  test('a proxy of ours frames the app there, and nowhere else', async () => {
    const there = await toSandboxAddress(base, policy, otherSiteBase);
    expect(there.proxyOrigin).toBe('http://sandbox.casement.localhost:6271');
    expect(there.appOrigin).toMatch(/^http:\/\/[a-z2-7]{52}\.localhost:6271$/);
    const proxy = await handleBoth(new Request(there.proxyUrl));
    expect(proxy.status).toBe(200);
    expect(proxy.headers.get('content-security-policy')).toContain(`frame-src ${there.appOrigin};`);
    expect(await proxy.text()).toContain(there.appOrigin);
    const app = await handleBoth(new Request(there.appUrl));
    expect(app.status).toBe(200);
    expect(app.headers.get('content-security-policy')).toContain(
      'frame-ancestors http://sandbox.casement.localhost:6271 ',
    );
  });

  test('an app keeps its one policy there, and a handler that was not told of it serves nothing there', async () => {
    const there = await toSandboxAddress(base, policy, otherSiteBase);
    const wrongName = there.appUrl.replace(/\/\/[a-z2-7]{52}/, `//${'a'.repeat(52)}`);
    expect((await handleBoth(new Request(wrongName))).status).toBe(404);
    expect((await handle(new Request(there.appUrl))).status).toBe(404);
    expect((await handle(new Request(there.proxyUrl))).status).toBe(404);
    expect(
      (await handleBoth(new Request(`${otherSiteBase}/proxy${new URL(there.proxyUrl).search}`))).status,
    ).toBe(404);
  });
});

test('every page is compressed as its own, however often and in whatever order pages are asked for', async () => {
  const gzip = { headers: { 'accept-encoding': 'gzip' } };
  // More than are kept.
  const uris = Array.from({ length: 20 }, (_, index) => `ui://test/app-${index}`);
  for (const resourceUri of [...uris, ...uris.toReversed(), ...uris]) {
    const { proxyUrl } = await toSandboxAddress(base, create({ resourceUri }));
    const small = await get(proxyUrl, gzip);
    expect(small.headers.get('content-encoding')).toBe('gzip');
    const html = gunzipSync(await small.arrayBuffer()).toString();
    expect(html).toBe(await (await get(proxyUrl)).text());
  }
});
