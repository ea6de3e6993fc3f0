import { describe, expect, test } from 'vitest';
import { redact } from '../index.js';
import { createRedactor } from './redact.js';

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
    expect(JSON.stringify(redact(shared)).length).toBeLessThan(2_000_000);
    expect(redact(Array.from({ length: 500_000 }, () => 0))).toHaveLength(25_001);
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
});

const kept = (value: unknown): number => JSON.stringify(redact(value)).length;
const leftOut = (text: string): number => Number(/\[… (\d+) characters left out\]$/.exec(text)?.[1] ?? 0);

describe('what one entry may cost', () => {
  const size = 4_000_000;
  const pieces = ['-', '-eyJaaaaaa', 'eyJaaaaaa.', 'http://', 'a://@', '?token', '?a_key=', '--key=', '='];
  const words = ['Bearer ', 'Basic aaaaaa ', 'sk-a.', 'sk-', 'ghp_', 'a', '\ud83d\ude00', '\\"'];
  const shapes: [string, unknown][] = [
    ...[...pieces, ...words].map((piece): [string, unknown] => [
      piece,
      piece.repeat(Math.ceil(size / piece.length)),
    ]),
    ['many long texts', Array.from({ length: 31 }, () => '-'.repeat(size / 31))],
    ['many short texts', Array.from({ length: size / 40 }, () => 'x'.repeat(40))],
    ['numbers', Array.from({ length: size / 2 }, () => 1)],
    ['empty lists', Array.from({ length: size / 3 }, () => [])],
    ['keys', Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`key number ${index}`, 1]))],
    ['long keys', Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`${n}${'k'.repeat(4000)}`, n]))],
    ['one huge key', { ['k'.repeat(size)]: 1 }],
  ];

  test.each(shapes)('sec-B1 4 MB of %j become an entry of a bounded size', (_name, data) => {
    expect(kept({ jsonrpc: '2.0', method: 'notifications/message', params: { data } })).toBeLessThan(
      1_000_000,
    );
  });

  test('long texts that are alike, one after another, are each cut and cleaned by themselves', () => {
    const toText = (secret: string, length: number): string => `?token=${secret} ${'x'.repeat(length)}`;
    for (const [secret, length] of [
      ['one', 100_000],
      ['one', 100_001],
      ['two', 100_001],
      ['one', 100_000],
    ] as const) {
      const text = toText(secret, length);
      const copy = redact(text) as string;
      expect(copy.startsWith('?token=[redacted] xxx')).toBe(true);
      expect(leftOut(copy)).toBe(text.length - 64 * 1024);
      expect(redact(text)).toBe(copy);
    }
    // Within one entry the second has less room.
    const [first = '', second = ''] = redact([toText('one', 90_000), toText('one', 90_000)]) as string[];
    expect([leftOut(first), leftOut(second)]).toEqual([90_011 - 64 * 1024, 90_011 - 64 * 1024]);
    const third = (
      redact(['y', toText('one', 90_000), toText('one', 90_000), toText('one', 90_000)]) as string[]
    )[3];
    expect(third).toBe('[… 90011 characters left out]');
  });

  test('sec-B1 what is left out of texts and lists is counted exactly', () => {
    const texts = Array.from({ length: 10 }, (_, index) => String(index).repeat(50_000));
    const copies = redact(texts) as string[];
    for (const copy of copies) expect(copy.replace(/\[….*/, '').length + leftOut(copy)).toBe(50_000);
    expect(leftOut(copies[0] ?? '')).toBe(0);
    expect(copies[9]).toBe('[… 50000 characters left out]');
    const list = redact({ list: Array.from({ length: 30_000 }, () => 0) }) as { list: unknown[] };
    expect(list.list.at(-1)).toBe(`[… ${30_000 - (list.list.length - 1)} values left out]`);
    const record = redact(
      Object.fromEntries(Array.from({ length: 40_000 }, (_, n) => [`k${n}`, n])),
    ) as object;
    expect(Object.entries(record).at(-1)).toEqual([
      '[…]',
      `${40_000 - (Object.keys(record).length - 1)} members left out`,
    ]);
  });

  test('sec-B1 the method and the id of a message are readable whatever else it carries', () => {
    const junk = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`junk ${index}`, 'x']));
    const params = { list: Array.from({ length: 60_000 }, () => 'some text') };
    const long = { a: 'x'.repeat(size), b: 'x'.repeat(size), c: 'x'.repeat(size) };
    for (const more of [junk, { params }, { params: long }, { ...junk, params }]) {
      const copy = redact({ ...more, jsonrpc: '2.0', id: 'the id', method: 'tools/call' });
      expect(copy).toMatchObject({ id: 'the id', method: 'tools/call' });
    }
  });

  test('sec-B1 one budget for both forms of a message, and parts they share are read once', () => {
    const params = { list: Array.from({ length: 60_000 }, () => 'some text') };
    const { redact: copy } = createRedactor();
    const raw = copy({ jsonrpc: '2.0', method: 'old-name', params }) as { params: unknown };
    const normalised = copy({ jsonrpc: '2.0', method: 'new/name', params }) as { params: unknown };
    expect(normalised).toMatchObject({ method: 'new/name' });
    expect(normalised.params).toBe(raw.params);
    expect(JSON.stringify(copy({ list: params.list.slice() })).length).toBeLessThan(100);
  });

  test('sec-B1 long keys are cut, and none of them is lost', () => {
    const copy = redact({ [`a${'k'.repeat(5000)}`]: 1, [`a${'k'.repeat(5000)}`.replace(/k$/, 'x')]: 2 });
    expect(Object.values(copy as object)).toEqual([1, 2]);
    expect(JSON.stringify(copy)).toContain('[… 4745 characters left out]');
    expect(leaks({ [`${'k'.repeat(5000)}_token`]: secret })).toBe(false);
    expect(leaks({ [`https://me:${secret}@example.com`]: 1 })).toBe(false);
  });

  test.each([
    ['userinfo', `https://me:${secret.repeat(20)}@example.com`, 9],
    ['query', `?access_token=${secret.repeat(20)}`, 14],
    ['bearer', `Bearer ${secret.repeat(20)}`, 7],
    ['web token', `eyJ${'x'.repeat(60)}.${'y'.repeat(60)}.${'z'.repeat(60)}`, 0],
    ['provider key', `sk-${'a1'.repeat(40)}`, 0],
  ])('sec-B1 a secret across the cut is gone wherever the cut is: %s', (_name, token, head) => {
    const limit = 64 * 1024;
    for (let before = 0; before < token.length; before++) {
      const text = `${'a '.repeat(limit).slice(0, limit - before - 1)} ${token} ${'b '.repeat(limit)}`;
      const tail = String(redact(text)).slice(-120);
      // The few characters that a word of these begins with tell nothing.
      for (let at = head; at + 8 <= token.length; at += 4)
        expect(tail).not.toContain(token.slice(at, at + 8));
    }
  });
});
