import { expectLinearText, expectLinearValues, textOf, valueOf } from './inputs.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redact } from '../../packages/protocol/src/recording/redact.js';
import { runs } from './runs.js';

const letters = fc.stringMatching(/^[A-Za-z0-9]{24,40}$/);

/** A secret of each kind, planted in text: what must not survive, and the text it stands in. */
const planted: fc.Arbitrary<{ secret: string; text: string }> = fc.oneof(
  letters.map((secret) => ({ secret, text: `https://user:${secret}@example.com/` })),
  fc
    .tuple(
      fc.constantFrom(
        '?token=',
        '&api_key=',
        '#access_token=',
        '--password=',
        ';client_secret=',
        '?x-signature=',
      ),
      letters,
    )
    .map(([before, secret]) => ({ secret, text: `${before}${secret}` })),
  fc
    .tuple(fc.constantFrom('Bearer ', 'bearer ', 'Basic ', 'BEARER  '), letters)
    .map(([before, secret]) => ({ secret: `${secret}1`, text: `${before}${secret}1` })),
  letters.map((secret) => ({ secret, text: `eyJhbGciOiJIUzI1NiJ9.eyJ${secret}.${secret}` })),
  fc
    .tuple(fc.constantFrom('sk-', 'pk_', 'ghp_', 'gho_', 'github_pat_', 'xoxb-', 'xoxp-'), letters)
    .map(([before, secret]) => ({ secret, text: `${before}${secret}` })),
  fc.stringMatching(/^[A-Z0-9]{16}$/).map((secret) => ({ secret, text: `AKIA${secret}` })),
);

const pieces = [
  ...[
    '-eyJaaaaaa',
    'eyJ',
    '.',
    '--',
    '?token=',
    '=',
    '&',
    '://',
    '@',
    'Bearer ',
    'basic',
    ' ',
    'sk-',
    'ghp_',
    'AKIA',
  ],
  ...['token', '#', 'a', '-', '_'],
];
/** What may stand around a secret without being part of it. */
const around = fc.array(
  fc.constantFrom(' ', '\n', '"', '<b>', ', ', ' - ', ' é ', ' eyJ ', ' token ', '(', ') ', ' :// '),
  { maxLength: 5 },
);

test('a planted secret survives nowhere in a text', () => {
  fc.assert(
    fc.property(around, planted, around, (before, { secret, text }, after) => {
      const whole = `${before.join('')} ${text} ${after.join('')}`;
      expect(JSON.stringify(redact({ data: [whole] }))).not.toContain(secret);
      expect(JSON.stringify(redact({ [whole]: 1 }))).not.toContain(secret);
    }),
    runs(600),
  );
});

test('of two secrets without a space between them neither survives', () => {
  expect(redact('AKIAAKIAAKIAAKIAghp_ghp_ghp_ghp_ghp_ghp_')).toBe('[redacted]');
});

test('a secret that a cut goes through survives in no part', () => {
  // Where texts, short texts and keys are cut.
  const limits = fc.constantFrom(64 * 1024, 128 * 1024, 256, 512);
  fc.assert(
    fc.property(limits, fc.nat({ max: 90 }), planted, (limit, offset, { secret, text }) => {
      const filler = 'word '.repeat(limit / 5 + 1).slice(0, Math.max(0, limit - offset));
      const whole = `${filler} ${text} rest`;
      const kept = JSON.stringify([
        redact({ data: whole }),
        redact({ [whole]: 1 }),
        redact([filler, whole, whole]),
      ]);
      expect(kept).not.toContain(secret.slice(0, 12));
    }),
    runs(150),
  );
});

test('a value under a secret name never survives', () => {
  const name = fc.constantFrom(
    'authorization',
    'Cookie',
    'set-cookie',
    'api_key',
    'apiKey',
    'clientSecret',
    'password',
    'access_token',
  );
  fc.assert(
    fc.property(name, letters, fc.nat({ max: 5 }), (key, secret, depth) => {
      let value: unknown = { [key]: secret, list: { [key]: [secret] } };
      for (let level = 0; level < depth; level += 1) value = level % 2 ? [value] : { params: value };
      expect(JSON.stringify(redact(value))).not.toContain(secret);
      expect(JSON.stringify(redact({ env: { ANY: secret }, headers: { 'x-any': secret } }))).not.toContain(
        secret,
      );
    }),
    runs(200),
  );
});

test('what is stored is JSON, bounded, and the same when it is redacted again', () => {
  fc.assert(
    fc.property(valueOf(['params', 'token', 'env', 'data', '_meta'], pieces), (value) => {
      const once = redact(JSON.parse(JSON.stringify(value) ?? 'null'));
      const text = JSON.stringify(once) ?? '';
      expect(text.length).toBeLessThan(4_000_000);
      expect(JSON.stringify(redact(once)) ?? '').toBe(text);
    }),
    runs(300),
  );
});

test('redaction does linear work', () => {
  expectLinearText(pieces, redact);
  expectLinearText(pieces, (text) => redact({ jsonrpc: '2.0', params: { data: text, [text]: text } }));
  expectLinearValues(redact);
  expectLinearValues(redact, (large) => ({ jsonrpc: '2.0', id: 1, method: 'm', params: { large } }));
});

test('text without a secret stays as it is', () => {
  fc.assert(
    fc.property(textOf(['hello', ' ', '\n', 'word', '.', ',']), (text) => {
      fc.pre(text.length < 500 && !/[=:@]|eyJ|sk|pk|rk|gh|xox|AKIA|basic|bearer/i.test(text));
      expect(redact(text)).toBe(text);
    }),
    runs(200),
  );
});
