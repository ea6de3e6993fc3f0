import { expectLinearText, expectLinearValues, orRefusal, textOf, valueOf } from './inputs.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CasementError } from '@casement/protocol/start';
import { createDomainGrammar } from '../../packages/sandbox/src/policy/domain-grammar.js';
import { parsePolicy } from '../../packages/sandbox/src/policy/parse-policy.js';
import { checkPolicy } from '../../packages/sandbox/src/policy/check-policy.js';
import { encodePolicy, toSandboxLabel } from '../../packages/sandbox/src/policy/sandbox-address.js';
import type { SandboxPolicy } from '../../packages/sandbox/src/policy/sandbox-policy.js';
import { createSandboxPolicy } from '../../packages/sandbox/src/policy/create-sandbox-policy.js';
import { createPlainPolicy } from '../../packages/sandbox/src/policy/plain-policy.js';
import { runs } from './runs.js';

const base = 'https://sandbox.example:8443';
const host = 'https://host.example';
const options = { base, hostOrigins: [host] };
const grammar = createDomainGrammar({ hostOrigin: host, base });

const pieces = [
  ...[
    'https://',
    'wss://',
    'http://',
    'ws://',
    '*.',
    '*',
    'a.example',
    'example.com',
    '.',
    ':',
    ':443',
    ':8443',
    '/',
  ],
  ...[
    '127.0.0.1',
    '0x7f.1',
    '2130706433',
    'localhost',
    '[::1]',
    '@',
    '%2e',
    'xn--',
    '。',
    'host.example',
    "'self'",
  ],
  ...['10.0.0.1', '169.254.169.254', 'sandbox.example', 'HTTPS://', 'data:', 'ß'],
];
const domain = textOf(pieces, 6);

/** What a declared domain may become: nothing that could end a directive, name the host or leave the port open. */
const CANONICAL = /^(?:https|wss):\/\/(?:\*\.)?[a-z0-9.-]+(?::\d{1,5})?$/;

test('a declared domain becomes one canonical origin, or is refused with a reason', () => {
  fc.assert(
    fc.property(fc.oneof(domain, valueOf(['x'], pieces)), (value) => {
      const parsed = grammar.parse(value);
      if (!parsed.ok) {
        expect(parsed.reason).not.toBe('');
        return;
      }
      expect(parsed.domain).toMatch(CANONICAL);
      expect(grammar.parse(parsed.domain)).toEqual(parsed);
      const { hostname } = new URL(parsed.domain.replace('*.', ''));
      // A name that begins like an address (10.0.0.1a.example) is a name.
      expect(hostname).not.toMatch(/^(?:127|10|0|169\.254)(?:\.\d+)+$|^localhost$/);
      // A name that only ends in the same letters (1host.example) is somebody else's.
      expect(hostname).not.toMatch(/(?:^|\.)(?:host|sandbox)\.example$/);
    }),
    runs(1500),
  );
  expectLinearText(pieces, (value) => grammar.parse(value), 120);
  expectLinearText(pieces, (value) => grammar.parse(value));
});

test('a declared list becomes short, sorted, unique, and everything left out is told', () => {
  fc.assert(
    fc.property(fc.oneof(fc.array(domain, { maxLength: 150 }), valueOf(['x'], pieces)), (list) => {
      const { domains, dropped } = grammar.parseList('connectDomains', list);
      expect(domains.length).toBeLessThanOrEqual(30);
      expect(domains).toEqual([...new Set(domains)].sort());
      for (const each of domains) expect(each).toMatch(CANONICAL);
      for (const each of dropped) expect(each.value).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      if (Array.isArray(list) && list.length > domains.length && new Set(list).size === list.length)
        expect(dropped.length + domains.length).toBeGreaterThan(0);
      expect(grammar.parseList('connectDomains', domains)).toEqual({ domains, dropped: [] });
    }),
    runs(200),
  );
  expectLinearValues((value) => grammar.parseList('frameDomains', value));
  expectLinearText(pieces, (value) => grammar.parseList('frameDomains', value.split('/')));
});

const origins = fc.uniqueArray(
  fc.constantFrom('https://a.example', 'https://*.b.example', 'wss://c.example:81', 'https://d.example'),
  { maxLength: 4 },
);
const policy: fc.Arbitrary<SandboxPolicy> = fc.record(
  {
    v: fc.constant(1 as const),
    host: fc.constant(host),
    server: fc.stringMatching(/^[\w-]{1,20}$/),
    resource: fc
      .string({ unit: 'grapheme', maxLength: 20 })
      .map((text) => `ui://${text}`)
      .filter((text) => !/\p{Surrogate}/u.test(text)),
    family: fc.constantFrom('mcp-apps' as const, 'openai' as const, 'mcp-ui' as const),
    declared: fc.boolean(),
    connect: origins,
    assets: origins,
    frame: origins,
    baseUri: origins,
    permissions: fc.uniqueArray(
      fc.constantFrom('camera' as const, 'microphone' as const, 'clipboardWrite' as const),
    ),
    domain: fc.stringMatching(/^[\x21-\x7e]{1,20}$/),
    eval: fc.constantFrom('wasm' as const, 'unsafe' as const),
    without: fc.constantFrom(['allow-forms' as const]),
  },
  {
    requiredKeys: [
      ...(['v', 'host', 'server', 'resource', 'family', 'declared', 'connect', 'assets', 'frame'] as const),
      ...(['baseUri', 'permissions'] as const),
    ],
  },
);

const isCasementError = (error: unknown): boolean => error instanceof CasementError;
const toSorted = (each: SandboxPolicy): unknown =>
  Object.fromEntries(
    Object.entries(each).map(([key, value]) => [key, Array.isArray(value) ? [...value].sort() : value]),
  );

test('a policy comes back from its address as it was', () => {
  fc.assert(
    fc.property(policy, (each) => {
      const encoded = encodePolicy(each);
      const back = parsePolicy(encoded, options);
      expect(toSorted(back)).toEqual(toSorted(each));
      expect(encodePolicy(back)).toBe(encoded);
    }),
    runs(300),
  );
});

test('an address has one spelling: whatever is changed in it is refused or means another policy', () => {
  const change = fc.tuple(
    fc.nat(),
    fc.constantFrom('insert', 'delete', 'replace', 'append'),
    fc.constantFrom(...'AZaz09-_=+/. '),
  );
  fc.assert(
    fc.property(policy, change, (each, [place, kind, character]) => {
      const encoded = encodePolicy(each);
      const at = place % encoded.length;
      const changed =
        kind === 'append'
          ? encoded + character
          : encoded.slice(0, at) +
            (kind === 'delete' ? '' : character) +
            encoded.slice(kind === 'insert' ? at : at + 1);
      const read = orRefusal(() => parsePolicy(changed, options), isCasementError);
      if (read === undefined) return;
      expect(encodePolicy(read)).toBe(changed);
      if (changed !== encoded) expect(toSorted(read)).not.toEqual(toSorted(each));
    }),
    runs(500),
  );
});

test('the label changes exactly when the policy does', async () => {
  await fc.assert(
    fc.asyncProperty(policy, policy, async (one, other) => {
      const [first, second, again] = await Promise.all(
        [one, other, parsePolicy(encodePolicy(one), options)].map(toSandboxLabel),
      );
      expect(first).toBe(again);
      expect(first).toMatch(/^[a-z2-7]{52}$/);
      expect(first === second).toBe(encodePolicy(one) === encodePolicy(other));
    }),
    runs(150),
  );
});

test('anything else in the place of a policy is refused by name', () => {
  const keys = [
    'v',
    'host',
    'server',
    'resource',
    'family',
    'declared',
    'connect',
    'assets',
    'frame',
    'baseUri',
    'permissions',
    'without',
  ];
  const toEncoded = (value: unknown): string =>
    Buffer.from(JSON.stringify(value) ?? '').toString('base64url');
  const read = (encoded: string): unknown => orRefusal(() => parsePolicy(encoded, options), isCasementError);
  const almost = fc
    .tuple(policy, fc.constantFrom(...keys), valueOf(keys, pieces))
    .map(([each, key, value]) => ({ ...each, [key]: value }));
  fc.assert(
    fc.property(
      fc.oneof(
        textOf(['e', 'ey', 'J2', '-', '_', '=']),
        fc.oneof(valueOf(keys, pieces), almost).map(toEncoded),
      ),
      (encoded) => {
        const back = read(encoded);
        if (back !== undefined) expect(encodePolicy(back as SandboxPolicy)).toBe(encoded);
      },
    ),
    runs(500),
  );
  expectLinearText(['e', 'ey', 'J2', '-', '='], read);
  expectLinearValues((value) => orRefusal(() => checkPolicy(value, grammar), isCasementError));
  const whole: SandboxPolicy = {
    v: 1,
    host,
    server: 's',
    resource: 'ui://x',
    family: 'openai',
    declared: true,
    connect: [],
    assets: [],
    frame: [],
    baseUri: [],
    permissions: [],
  };
  for (const key of keys)
    expectLinearValues(
      (value) => orRefusal(() => checkPolicy(value, grammar), isCasementError),
      (large) => ({ ...whole, [key]: large }),
    );
});

test('the short way to a policy gives what the long one gives, or leaves it to that', () => {
  const none = fc.constantFrom(undefined, null, {}, { connectDomains: [] }, { frameDomains: null });
  const address = fc.oneof(
    textOf(['ui://', 'a', '/', 'b.html']).map((text) => `ui://${text}`),
    textOf(['ui://', 'http://']),
    fc.constantFrom(
      'ui://',
      `ui://${'a'.repeat(2043)}`,
      `ui://${'a'.repeat(2044)}`,
      `ui://${'\u{1f600}'.repeat(1022)}`,
    ),
  );
  let plain = 0;
  fc.assert(
    fc.property(
      address,
      fc.oneof(
        { arbitrary: none, weight: 3 },
        { arbitrary: valueOf(['connectDomains', 'frameDomains'], pieces), weight: 1 },
      ),
      fc.oneof(fc.constant('c2VydmVy'), textOf(['a', '-', '_'])),
      fc.constantFrom(host, 'https://host.example/', 'null', ''),
      fc.subarray(['camera', 'microphone', 'geolocation', 'clipboardWrite'] as const),
      fc.constantFrom(undefined, 'app.example', 5),
      (resourceUri, csp, server, hostOrigin, permissions, hint) => {
        const input = {
          hostOrigin,
          base,
          server,
          resourceUri,
          family: 'openai',
          csp,
          permissions,
          domain: hint,
        } as const;
        const short = createPlainPolicy(input);
        if (!short) return;
        plain += 1;
        expect(short).toStrictEqual(createSandboxPolicy(input));
      },
    ),
    runs(2_000),
  );
  expect(plain).toBeGreaterThan(10);
});
