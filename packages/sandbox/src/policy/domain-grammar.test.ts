import { expect, test } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import { createSandboxPolicy } from '../index.js';
import { toAppCsp } from '../address.js';
import type { SandboxPolicyInput } from './create-sandbox-policy.js';
import { isPrivateHost } from './private-hosts.js';

const input = (csp: unknown, more: Partial<SandboxPolicyInput> = {}): SandboxPolicyInput => ({
  hostOrigin: 'http://casement.localhost:6270',
  base: 'http://casement.localhost:6271',
  server: 'c2VydmVy',
  resourceUri: 'ui://test/app',
  family: 'mcp-apps',
  csp,
  ...more,
});

const accept = (domain: unknown, more: Partial<SandboxPolicyInput> = {}) => {
  const { policy, dropped } = createSandboxPolicy(input({ connectDomains: [domain] }, more));
  return { connect: policy.connect, dropped };
};

test.each([
  ['https://api.example.com', 'https://api.example.com'],
  ['wss://live.example.com:8443', 'wss://live.example.com:8443'],
  ['https://*.example.com', 'https://*.example.com'],
  ['HTTPS://API.Example.COM', 'https://api.example.com'],
  ['https://api.example.com:443', 'https://api.example.com'],
  ['https://api.example.com/', 'https://api.example.com'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ['https://８.8.8.8', 'https://8.8.8.8'],
])('%s is accepted as %s', (domain, canonical) => {
  expect(accept(domain)).toEqual({ connect: [canonical], dropped: [] });
});

// A30, A32–A38 and the ways a declared domain was seen to change a policy.
const poisoned: readonly unknown[] = [
  'https://a.example; script-src *',
  'https://a.example;',
  'https://a.example,https://b.example',
  'https://a.example https://b.example',
  'https://a.example\thttps://b.example',
  'https://a.exam\nple',
  'https://a.example\r\nx-injected: 1',
  'https://a.example\0',
  'https://a.example%0d%0a',
  'https://a.example\u2028',
  'https://a.\u202eexample',
  'https://a\u00ad.example',
  ' https://a.example',
  '"><script>alert(1)</script>',
  '&quot;&gt;&lt;script&gt;',
  "https://a.example'",
  'https://a.example"',
  'https://$&.example',
  "https://$'.example",
  'https://$`.example',
  "'self'",
  "'none'",
  "'unsafe-eval'",
  "'unsafe-inline'",
  "'strict-dynamic'",
  "'nonce-abc'",
  "'sha256-abc='",
  "'report-sample'",
  'self',
  '*',
  '*.example.com',
  '*:*',
  'https://*',
  'http://*',
  'https://*.com',
  'https://*.',
  'https://*.*.example.com',
  'https://a.*.example.com',
  'https://a*.example.com',
  'https://＊.example.com',
  'https://**.example.com',
  'https:',
  'https://',
  'wss:',
  'data:',
  'blob:',
  'filesystem:',
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'ftp://a.example',
  'chrome-extension://abc',
  'a.example',
  'example.com:443',
  '//a.example',
  'https:/a.example',
  'https:a.example',
  'https:\\\\a.example',
  'https://a.example\\@b.example',
  'https://user@a.example',
  'https://user:pass@a.example',
  'https://a.example/path',
  'https://a.example//',
  'https://a.example?query',
  'https://a.example#part',
  'https://a.example:*',
  'https://a.example:0',
  'https://a.example:99999',
  'https://a.example:443:443',
  'https://a.example:',
  'https://a..example',
  'https://.example',
  'https://a.example.',
  'https://-a.example',
  'https://a_b.example',
  'https://xn--.example',
  'https://%61.example',
  'https://[::1]',
  'https://[2001:db8::1]',
  `https://${'a'.repeat(64)}.example`,
  `https://${'a.'.repeat(130)}example`,
  `https://${'a'.repeat(200_000)}.example`,
  'http://a.example',
  'ws://a.example',
  'http://*.example.com',
  // This machine and the network it is on.
  'http://localhost:3000',
  'http://127.0.0.1:3000',
  'https://localhost',
  'https://127.0.0.1',
  'https://127.1',
  'https://2130706433',
  'https://0x7f.1',
  'https://0.0.0.0',
  'https://0',
  'https://10.0.0.1',
  'https://172.16.0.1',
  'https://192.168.1.1',
  'https://169.254.169.254',
  'https://100.64.0.1',
  'https://intranet',
  'https://printer.local',
  'https://metadata.google.internal',
  'http://localhost:*',
  'http://127.0.0.1:*',
  // Our own addresses.
  'http://casement.localhost:6270',
  'http://casement.localhost:6271',
  'https://casement.localhost',
  'http://sandbox.casement.localhost:6271',
  'http://*.casement.localhost:6271',
  'http://*.localhost:6270',
  'https://casement。localhost',
  'http://CASEMENT.localhost:6270',
  '',
  null,
  undefined,
  42,
  true,
  Number.NaN,
  {},
  [],
  ['https://a.example'],
  { toString: () => 'https://a.example' },
  () => 'https://a.example',
  Symbol('https://a.example'),
  new Date(0),
];

test.each(poisoned.map((value) => ({ value })))('$value is dropped and listed with a reason', ({ value }) => {
  const { connect, dropped } = accept(value);
  expect(connect).toEqual([]);
  expect(dropped).toHaveLength(1);
  expect(dropped[0]?.reason).toMatch(/^[\x20-\x7e]{5,200}$/);
  expect(dropped[0]?.value.length).toBeLessThanOrEqual(230);
  expect(dropped[0]?.value.replaceAll(' ', '')).not.toMatch(/[\p{C}\p{Z}]/u);
});

verifies(
  ['HOST-001', 'HOST-004', 'SANDBOX-005'],
  'a policy from poisoned lists is the policy of their good entries alone',
  () => {
    const fields = ['connectDomains', 'resourceDomains', 'frameDomains', 'baseUriDomains'];
    const good = Object.fromEntries(fields.map((name, at) => [name, [`https://good${at}.example`]]));
    const clean = createSandboxPolicy(input(good)).policy;
    const frame = { kind: 'origin', proxyOrigin: 'http://sandbox.casement.localhost:6271' } as const;
    for (const value of poisoned) {
      const csp = Object.fromEntries(fields.map((name) => [name, [value, ...(good[name] ?? [])]]));
      const { policy, dropped } = createSandboxPolicy(input(csp));
      expect(toAppCsp(policy, frame)).toBe(toAppCsp(clean, frame));
      expect(dropped.map(({ field }) => field)).toEqual(fields);
    }
  },
);

test.each(['https://a.example', 42, true, { 0: 'https://a.example', length: 1 }])(
  'the list %s is no list',
  (list) => {
    const { policy, dropped } = createSandboxPolicy(input({ connectDomains: list }));
    expect(policy.connect).toEqual([]);
    expect(dropped).toHaveLength(1);
  },
);

test.each(['default-src *', 42, true, ['https://a.example']])('the csp %s is no csp object', (csp) => {
  const { policy, dropped } = createSandboxPolicy(input(csp));
  expect(policy.declared).toBe(false);
  expect(dropped).toHaveLength(1);
});

test('getters and proxies that throw are dropped, and read only once', () => {
  let reads = 0;
  const list = ['https://good.example'];
  Object.defineProperty(list, 1, {
    enumerable: true,
    get: () => ((reads += 1) === 1 ? 'https://first.example' : "'unsafe-eval'"),
  });
  const hostile = new Proxy([], {
    get: () => {
      throw new Error('no');
    },
  });
  const { policy, dropped } = createSandboxPolicy(
    input({
      connectDomains: list,
      frameDomains: hostile,
      get resourceDomains() {
        throw new Error('no');
      },
    }),
  );
  expect(policy.connect).toEqual(['https://first.example', 'https://good.example']);
  expect(reads).toBe(1);
  expect(policy.assets).toEqual([]);
  expect(dropped.map(({ field }) => field)).toEqual(['resourceDomains', 'frameDomains']);
});

test('of 10,000 entries thirty are kept and the list of drops stays short', () => {
  const many = Array.from({ length: 10_000 }, (_, at) => `https://d${at}.example`);
  const { policy, dropped } = createSandboxPolicy(input({ connectDomains: many }));
  expect(policy.connect).toHaveLength(30);
  expect(dropped.length).toBeLessThanOrEqual(71);
  expect(dropped.at(-1)?.value).toBe('9900 more entries');
});

test('a policy too long for an address loses domains, not the app', () => {
  const long = (name: string) =>
    Array.from({ length: 30 }, (_, at) => `https://${name}${at}.${'a'.repeat(60)}.${'b'.repeat(60)}.example`);
  const { policy, dropped } = createSandboxPolicy(
    input({ connectDomains: long('c'), resourceDomains: long('r'), frameDomains: long('f') }),
  );
  expect(policy.connect.length).toBeGreaterThan(5);
  expect(dropped.some(({ reason }) => reason.includes('8 KB'))).toBe(true);
});

test('loopback and private addresses are accepted only with the developer switch', () => {
  for (const domain of ['http://localhost:3000', 'ws://127.0.0.1:3000', 'https://192.168.1.1']) {
    expect(accept(domain, { allowLoopback: true }).connect).toEqual([domain]);
  }
  for (const domain of ['http://192.168.1.1', 'http://a.example', 'http://0.0.0.0:3000']) {
    expect(accept(domain, { allowLoopback: true }).connect).toEqual([]);
  }
});

test('our own addresses are refused even with the developer switch, under every spelling', () => {
  const own = [
    'http://localhost:6270',
    'http://127.0.0.1:6271',
    'http://127.0.0.2:6270',
    'http://anything.localhost:6271',
    'http://casement.localhost:9999',
    'http://sandbox.casement.localhost:9999',
    'http://*.casement.localhost:9999',
    'ws://localhost:6270',
    'https://*.localhost:6270',
  ];
  for (const domain of own) expect(accept(domain, { allowLoopback: true }).connect, domain).toEqual([]);
});

test('in production the product, its siblings named by the embedder and the sandbox are refused', () => {
  const production = {
    hostOrigin: 'https://chat.product.example',
    base: 'https://apps-product.example',
    denyOrigins: ['https://api.product.example'],
  };
  const refused = [
    'https://chat.product.example',
    'https://chat.product.example:8443',
    'wss://chat.product.example',
    'https://*.product.example',
    'https://api.product.example',
    'https://apps-product.example',
    'https://abc.apps-product.example',
    'https://*.apps-product.example',
  ];
  for (const domain of refused) expect(accept(domain, production).connect, domain).toEqual([]);
  expect(accept('https://cdn.product.example', production).connect).toEqual(['https://cdn.product.example']);
});

test('the opaque fallback drops frame domains, because its guest could move there and keep the bridge', () => {
  const { policy, dropped } = createSandboxPolicy({
    ...input({ frameDomains: ['https://frame.example'] }),
    base: undefined,
    opaqueBase: 'http://127.0.0.1:6271',
  });
  expect(policy.frame).toEqual([]);
  expect(dropped).toMatchObject([{ field: 'frameDomains', value: 'https://frame.example' }]);
});

const privateHosts = [
  ...[
    'db.corp',
    'x.intranet',
    'x.home',
    'nas.lan',
    'router.home.arpa',
    'a.test',
    'a.invalid',
    'a.onion',
    'a.private',
  ],
  ...[
    '224.0.0.1',
    '239.1.1.1',
    '240.0.0.1',
    '255.255.255.255',
    '192.0.0.192',
    '192.0.2.1',
    '198.18.0.1',
    '198.19.9.9',
  ],
  ...['198.51.100.1', '203.0.113.1', '100.127.255.255', '172.31.0.1', '0.1.2.3', '3232235777', '0xe0.0.0.1'],
];

test.each(privateHosts)(
  'sec-W14 %s is no public host, and may be declared by the developer switch',
  (host) => {
    const address = `https://${host}`;
    expect(accept(address)).toMatchObject({
      connect: [],
      dropped: [{ reason: expect.stringContaining('private') }],
    });
    expect(accept(address, { allowLoopback: true }).dropped).toEqual([]);
    expect(isPrivateHost(new URL(address).hostname)).toBe(true);
  },
);

test.each(['[::]', '[::1]', '[fc00::1]', '[fdab::1]', '[fe80::1]', '[febf::1]', '[fec0::1]', '[ff02::1]'])(
  'sec-W14 %s is no public address',
  (host) => expect(isPrivateHost(new URL(`http://${host}/`).hostname)).toBe(true),
);

test.each([
  '[::ffff:8.8.8.8]',
  '[::ffff:10.0.0.1]',
  '[64:ff9b::a00:1]',
  '[64:ff9b:1::1]',
  '[2002:a00:1::]',
  '[::7f00:1]',
])('sec-W14 %s hides an IPv4 address, so it counts as private', (host) =>
  expect(isPrivateHost(new URL(`http://${host}/`).hostname)).toBe(true),
);

test.each([
  '8.8.8.8',
  '100.63.0.1',
  '100.128.0.1',
  '172.32.0.1',
  '192.0.1.1',
  '223.255.255.255',
  '[2606:4700::1111]',
  '[2001:4860::8888]',
  'example.com',
  'corp.example',
  'home.example.com',
])('%s is public', (host) => expect(isPrivateHost(new URL(`http://${host}/`).hostname)).toBe(false));

test.each([
  ...[
    'co.uk',
    'com.au',
    'co.jp',
    'com.br',
    'org.uk',
    'ac.nz',
    'github.io',
    'ngrok.io',
    'ngrok-free.app',
    'pages.dev',
  ],
  ...[
    'workers.dev',
    'vercel.app',
    'netlify.app',
    'herokuapp.com',
    'azurewebsites.net',
    'cloudfront.net',
    'web.app',
  ],
  ...[
    'amazonaws.com',
    's3.amazonaws.com',
    's3.eu-west-1.amazonaws.com',
    'blob.core.windows.net',
    'azure.com',
  ],
  ...['trycloudflare.com', 'GitHub.IO', 'onrender.com', 'run.app', 'a.run.app', 'com', 'oast.fun'],
])('sec-W14 a wildcard over %s would name anybody', (host) => {
  for (const scheme of ['https', 'wss'])
    expect(accept(`${scheme}://*.${host}`)).toMatchObject({
      connect: [],
      dropped: [{ reason: expect.stringContaining('wildcard') }],
    });
});

test.each([
  'example.co.uk',
  'me.github.io',
  'openstreetmap.org',
  'cesium.com',
  'googleapis.com',
  'web.de',
  'cdn.example',
])('a wildcard over %s names one owner', (host) =>
  expect(accept(`https://*.${host}`).connect).toEqual([`https://*.${host}`]),
);

test('one name below a shared domain may be declared', () => {
  expect(accept('https://me.github.io').connect).toEqual(['https://me.github.io']);
});
