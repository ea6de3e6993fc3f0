import { describe, expect, test } from 'vitest';
import { redact } from './index.js';

const secret = 'hunter2-Zm9v';
const leaks = (value: unknown) => JSON.stringify(redact(value)).includes(secret);

describe('secrets', () => {
  test.each([
    ['authorization header', { headers: { Authorization: `Bearer ${secret}` } }],
    ['own header', { headers: { 'X-Company-Key': secret } }],
    ['request headers', { requestHeaders: { 'x-a': secret } }],
    ['cookie', { headers: { cookie: `sid=${secret}` } }],
    ['set-cookie list', { headers: { 'set-cookie': [`sid=${secret}`] } }],
    ['environment', { env: { OPENAI_KEY: secret, NESTED: { A: secret } } }],
    ['access_token', { access_token: secret }],
    ['refreshToken', { a: [{ refreshToken: secret }] }],
    ['apiKey', { apiKey: secret }],
    ['api-key', { 'api-key': secret }],
    ['clientSecret', { clientSecret: secret }],
    ['password', { password: secret }],
    ['list of tokens', { token: [secret] }],
    ['userinfo', { url: `https://me:${secret}@example.com/x` }],
    ['query', { url: `https://example.com/?a=1&access_token=${secret}&b=2` }],
    ['query key', `see https://example.com/?key=${secret}.`],
    ['fragment', { url: `http://localhost:6270/#token=${secret}` }],
    ['code', { url: `http://localhost/callback?code=${secret}` }],
    ['flag', 'node server.js --api-key=' + secret],
    ['bearer in a sentence', { message: `Sent "Bearer ${secret}" and failed.` }],
    ['header in a line', `Authorization: Basic ${secret}==`],
  ])('%s', (_name, value) => {
    expect(leaks(value)).toBe(false);
    expect(JSON.stringify(redact(value))).toContain('[redacted]');
  });

  test('tokens known by their shape', () => {
    const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl';
    for (const token of [jwt, `sk-${'a1'.repeat(12)}`, `ghp_${'a1'.repeat(12)}`, `AKIA${'A1'.repeat(8)}`]) {
      expect(redact(`the token ${token} here`)).toBe('the token [redacted] here');
    }
  });
});

test('what is no secret stays readable', () => {
  const value = {
    _meta: { progressToken: 'abc', nextPageToken: 'p2' },
    maxTokens: 100,
    headers: ['City', 'Temperature'],
    responseHeaders: { 'content-type': 'application/json' },
    inputSchema: { properties: { token: { type: 'string' }, password: { type: 'string' } } },
    url: 'https://example.com/path?city=Bern&zipcode=3000#top',
    mail: 'me@example.com',
    text: 'Basic information about bearer tokens; monkey business.',
    flags: [true, null, 0],
    key: 'C major',
  };
  expect(redact(value)).toEqual(value);
});

describe('hostile values', () => {
  test('B20 cycles, depth, breadth and shared objects are bounded', () => {
    const cyclic: Record<string, unknown> = { a: 1 };
    cyclic['self'] = [cyclic];
    expect(redact(cyclic)).toEqual({ a: 1, self: ['[cycle]'] });
    let deep: unknown = 1;
    for (let i = 0; i < 20_000; i++) deep = { deep };
    expect(JSON.stringify(redact(deep))).toContain('[too deep]');
    let shared: unknown = {};
    for (let i = 0; i < 60; i++) shared = { left: shared, right: shared };
    const start = performance.now();
    expect(JSON.stringify(redact(shared)).length).toBeLessThan(20_000_000);
    expect(JSON.stringify(redact(Array.from({ length: 500_000 }, () => 0)))).toContain('300000 more');
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  test('values JSON cannot hold become words', () => {
    expect(
      redact([
        1n,
        NaN,
        Infinity,
        () => 1,
        Symbol('x'),
        new Map(),
        new Date(0),
        undefined,
        new ArrayBuffer(1),
      ]),
    ).toEqual([
      '[bigint]',
      '[NaN]',
      '[Infinity]',
      '[function]',
      '[symbol]',
      '[object Map]',
      '[object Date]',
      null,
      '[object ArrayBuffer]',
    ]);
  });

  test('B19 an own __proto__ stays data', () => {
    const value: unknown = JSON.parse(
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    );
    expect(JSON.stringify(redact(value))).toBe(JSON.stringify(value));
    expect('polluted' in {}).toBe(false);
    expect('polluted' in Object(redact(value))).toBe(false);
  });

  test('members that throw make the value unreadable, not the caller fail', () => {
    const trap = {
      get a(): unknown {
        throw new Error('trap');
      },
    };
    expect(redact(trap)).toBe('[unreadable]');
  });

  test('long strings are cut with a marker, and a secret across the cut is gone', () => {
    const token = `eyJ${'x'.repeat(60)}.${'y'.repeat(60)}.${'z'.repeat(60)}`;
    const text = `${'a'.repeat(128 * 1024 - 30)} ${token} ${'b'.repeat(100_000)}`;
    const cut = redact(text);
    expect(cut).toMatch(/\[truncated: \d+ characters in all\]$/);
    expect(String(cut).length).toBeLessThan(129 * 1024);
    expect(cut).not.toContain('eyJ');
  });

  test.each([
    ['a:/', 'a:/'],
    ['scheme', 'a://b'],
    ['queries', '?a&'],
    ['dashes', '--a-'],
    ['words', 'Bearer '],
    ['capitals', 'Basic aaaaaa'],
    ['jwt', 'eyJaaaaaaa.'],
    ['keys', '?a_key'],
    ['sk', 'sk-a'],
    ['letters', 'a'],
  ])('matching stays fast on repeated %s', (_name, piece) => {
    const text = piece.repeat(Math.ceil(131_072 / piece.length));
    const start = performance.now();
    redact(text);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});
