import { CasementError } from '@casement/protocol/start';
import { expect, test } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import { createSandboxPolicy, type SandboxPolicy } from '../index.js';
import {
  encodePolicy,
  toFrameSandbox,
  toOpaqueAddress,
  toSandboxAddress,
  SANDBOX_RELEASE,
} from '../address.js';
import type { SandboxPolicyInput } from './create-sandbox-policy.js';
import { createPlainPolicy } from './plain-policy.js';
import { parsePolicy } from './parse-policy.js';
import { toSandboxLabel } from './sandbox-address.js';
import { FRAME_SANDBOX } from './frame-permissions.js';

const base = 'http://casement.localhost:6271';
const hostOrigins = ['http://casement.localhost:6270'];

const create = (more: Partial<SandboxPolicyInput> = {}): SandboxPolicy =>
  createSandboxPolicy({
    hostOrigin: 'http://casement.localhost:6270',
    base,
    server: 'c2VydmVy',
    resourceUri: 'ui://test/app',
    family: 'mcp-apps',
    ...more,
  }).policy;

const toBase64Url = (text: string): string => Buffer.from(text).toString('base64url');
const decode = (encoded: string): string => Buffer.from(encoded, 'base64url').toString();
const parse = (encoded: string) => parsePolicy(encoded, { base, hostOrigins });

test('a policy survives its encoding', () => {
  const policy = create({
    csp: { connectDomains: ['https://b.example', 'https://a.example', 'https://b.example'] },
    permissions: ['microphone', 'camera'],
    domain: 'app.example',
    resourceUri: 'ui://tést/ünïcode',
    eval: 'wasm',
  });
  expect(parse(encodePolicy(policy))).toEqual(policy);
  expect(policy.connect).toEqual(['https://a.example', 'https://b.example']);
  expect(policy.permissions).toEqual(['camera', 'microphone']);
});

test('the same facts in another order are the same policy', async () => {
  const one = create({ csp: { connectDomains: ['https://a.example', 'https://b.example'] } });
  const two = create({ csp: { connectDomains: ['HTTPS://B.example/', 'https://a.example:443'] } });
  expect(encodePolicy(one)).toBe(encodePolicy(two));
  expect(await toSandboxLabel(one)).toBe(await toSandboxLabel(two));
});

const canonical = decode(
  encodePolicy(create({ csp: { connectDomains: ['https://a.example', 'https://b.example'] } })),
);
const edits: readonly (readonly [string, string])[] = [
  ['not JSON', '{'],
  ['no object', '"text"'],
  ['null', 'null'],
  ['extra space', canonical.replace(':', ': ')],
  [
    'another key order',
    `{"host":"http://casement.localhost:6270",${canonical.slice(1).replace(/"host":"[^"]*",/, '')}`,
  ],
  ['an extra key', canonical.replace('"v":1', '"v":1,"x":1')],
  ['a repeated key', canonical.replace('"v":1', '"v":2,"v":1')],
  ['an escaped letter', canonical.replace('ui://test', '\\u0075i://test')],
  [
    'unsorted domains',
    canonical.replace('"https://a.example","https://b.example"', '"https://b.example","https://a.example"'),
  ],
  ['a repeated domain', canonical.replace('"https://b.example"', '"https://a.example"')],
  ['an upper-case domain', canonical.replace('a.example', 'A.example')],
  ['a poisoned domain', canonical.replace('https://b.example', 'https://b.example; frame-ancestors *')],
  ['our own host as domain', canonical.replace('https://b.example', 'http://casement.localhost:6270')],
  ['a loopback domain', canonical.replace('https://b.example', 'http://127.0.0.1:9')],
  ['a keyword', canonical.replace('https://b.example', "'unsafe-eval'")],
  ['a wrong version', canonical.replace('"v":1', '"v":2')],
  ['a foreign host', canonical.replace('casement.localhost:6270', 'evil.example')],
  ['a host with a path', canonical.replace('casement.localhost:6270', 'casement.localhost:6270/')],
  ['an unknown family', canonical.replace('mcp-apps', 'other')],
  ['an unknown permission', canonical.replace('"permissions":[]', '"permissions":["usb"]')],
  ['a resource that is no ui:// address', canonical.replace('ui://', 'https://')],
  ['a server in clear', canonical.replace('c2VydmVy', 'node /home/me/server.js')],
  [
    'an eval option that does not exist',
    canonical.replace('"permissions":[]', '"permissions":[],"eval":"all"'),
  ],
  ['a list that is text', canonical.replace('"frame":[]', '"frame":"https://a.example"')],
];

test.each(edits)('a policy with %s is refused', (_name, text) => {
  expect(text).not.toBe(canonical);
  expect(() => parse(toBase64Url(text))).toThrow(CasementError);
});

test.each(['', '!', 'a b', 'eyJ2Ijox=', 'A'.repeat(8193), '__proto__'])(
  'the text %s is no policy',
  (encoded) => {
    expect(() => parse(encoded)).toThrow(CasementError);
  },
);

test('base64 with stray low bits is not canonical', () => {
  const encoded = encodePolicy(create({ resourceUri: 'ui://test/ap' }));
  const twins = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
    .map((last) => encoded.slice(0, -1) + last)
    .filter((twin) => twin !== encoded);
  for (const twin of twins) expect(() => parse(twin)).toThrow(CasementError);
});

test('the label is the whole SHA-256 of the canonical bytes, as a DNS label', async () => {
  const policy = create();
  const label = await toSandboxLabel(policy);
  expect(label).toMatch(/^[a-z2-7]{52}$/);
  const digest = new Uint8Array(
    await crypto.subtle.digest('SHA-256', Buffer.from(decode(encodePolicy(policy)))),
  );
  const bits = [...digest].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const expected = bits
    .match(/.{1,5}/g)
    ?.map((five) => 'abcdefghijklmnopqrstuvwxyz234567'[parseInt(five.padEnd(5, '0'), 2)]);
  expect(label).toBe(expected?.join(''));
});

test('every part of the policy changes the label', async () => {
  const variants = [
    create(),
    create({ hostOrigin: 'http://localhost:6270' }),
    create({ server: 'b3RoZXI' }),
    create({ resourceUri: 'ui://test/other' }),
    create({ family: 'openai' }),
    create({ csp: {} }),
    create({ csp: { connectDomains: ['https://a.example'] } }),
    create({ csp: { resourceDomains: ['https://a.example'] } }),
    create({ csp: { frameDomains: ['https://a.example'] } }),
    create({ csp: { baseUriDomains: ['https://a.example'] } }),
    create({ permissions: ['camera'] }),
    create({ domain: 'x' }),
    create({ eval: 'wasm' }),
    create({ eval: 'unsafe' }),
  ];
  const labels = await Promise.all(variants.map(toSandboxLabel));
  expect(new Set(labels).size).toBe(variants.length);
});

test('addresses lie below the base', async () => {
  const policy = create();
  const label = await toSandboxLabel(policy);
  expect(await toSandboxAddress(base, policy)).toEqual({
    proxyUrl: `http://sandbox.casement.localhost:6271/proxy?v=${SANDBOX_RELEASE}&p=${encodePolicy(policy)}`,
    proxyOrigin: 'http://sandbox.casement.localhost:6271',
    appUrl: `http://${label}.casement.localhost:6271/app?v=${SANDBOX_RELEASE}&p=${encodePolicy(policy)}`,
    appOrigin: `http://${label}.casement.localhost:6271`,
  });
  expect(toOpaqueAddress('http://127.0.0.1:6271', policy)).toEqual({
    proxyUrl: `http://127.0.0.1:6271/opaque?v=${SANDBOX_RELEASE}&p=${encodePolicy(policy)}`,
    proxyOrigin: 'http://127.0.0.1:6271',
    appOrigin: 'null',
  });
});

test.each([
  ['a host that is no origin', { hostOrigin: 'http://casement.localhost:6270/' }],
  ['a resource that is no ui:// address', { resourceUri: 'https://a.example' }],
  ['a resource of a megabyte', { resourceUri: `ui://${'a'.repeat(1_000_000)}` }],
  ['half a surrogate pair', { resourceUri: 'ui://\ud800' }],
  ['a server in clear', { server: 'node server.js' }],
])('%s is a mistake of the host and throws', (_name, more) => {
  expect(() => create(more)).toThrow(CasementError);
});

test('a domain hint separates apps when it is plain text and is left out when it is not', () => {
  expect(create({ domain: 'app.example' }).domain).toBe('app.example');
  expect(create({ domain: 'a\nb' })).not.toHaveProperty('domain');
  expect(create({ domain: { evil: true } })).not.toHaveProperty('domain');
});

verifies(
  ['S1-29', 'S1-76', 'S1-77'],
  'a host may take allow-forms away, which is part of the label, and can neither add a token nor take another',
  async () => {
    const narrow = create({ without: ['allow-forms'] });
    expect(parse(encodePolicy(narrow))).toEqual(narrow);
    expect(toFrameSandbox(narrow)).toBe('allow-scripts allow-same-origin');
    expect(toFrameSandbox(create())).toBe(FRAME_SANDBOX);
    expect(await toSandboxLabel(narrow)).not.toBe(await toSandboxLabel(create()));
    // An empty list is the policy without the field, so that one set of rights never has two labels.
    expect(encodePolicy(create({ without: [] }))).toBe(encodePolicy(create()));
    for (const without of [['allow-scripts'], ['allow-popups'], ['allow-same-origin'], 'allow-forms', [7]]) {
      const forged = toBase64Url(JSON.stringify({ ...JSON.parse(decode(encodePolicy(create()))), without }));
      expect(() => parse(forged), JSON.stringify(without)).toThrow(CasementError);
    }
  },
);

test('an app that declares no domains has the same policy without their grammar, any other has none', () => {
  const input = {
    hostOrigin: 'http://casement.localhost:6270',
    base,
    server: 'c2VydmVy',
    resourceUri: 'ui://test/app',
    family: 'mcp-apps',
  } as const;
  for (const csp of [undefined, null, {}, { connectDomains: [], frameDomains: undefined }]) {
    expect(createPlainPolicy({ ...input, csp })).toEqual(createSandboxPolicy({ ...input, csp }));
  }
  for (const csp of [
    { connectDomains: ['https://a.example'] },
    { baseUriDomains: 'x' },
    { frameDomains: {} },
    { other: ['x'] },
    [],
    'x',
  ]) {
    expect(createPlainPolicy({ ...input, csp })).toBeUndefined();
  }
  expect(createPlainPolicy({ ...input, hostOrigin: 'x' })).toBeUndefined();
});
