import { expectLinearText, expectLinearValues, orRefusal, textOf, valueOf } from './inputs.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { healJson } from '../../packages/host/src/core/call/heal-json.js';
import { createConsentStore } from '../../packages/protocol/src/consent/consent-store.js';
import { CasementError } from '../../packages/protocol/src/errors.js';
import { parseRecording } from '../../packages/protocol/src/recording/parse-recording.js';
import { readCommands } from '../../packages/chat/src/scripted/scripted-commands.js';
import { createTextReader } from '../../packages/react/src/chat/content/text-blocks.js';
import { runs } from './runs.js';

const toTextBlocks = (text: string) => createTextReader()(text).flat();

const marks = ['```', '~~~', '`', '~', ' ', '\n', '\r\n', 'js', 'word', '   ', '\t'];

test('sec-W16 fences and code in a text of a model are read in linear work', () => {
  // Short, so that work that is not linear ends.
  expectLinearText(['~', '`', ' '], (text) => toTextBlocks(`~~~${text}\``), 200);
  expectLinearText([...marks, '- ', '> '], toTextBlocks);
});

test('blocks keep every word of a text', () => {
  const toWords = (text: string): string => text.match(/word|x/g)?.join('') ?? '';
  fc.assert(
    fc.property(textOf(['word', ' ', '\n', '`', 'x', '- ', '> ', '1. ']), (text) => {
      fc.pre(!/```|~~~/.test(text));
      expect(
        toWords(
          toTextBlocks(text)
            .map((block) => block.text)
            .join(''),
        ),
      ).toBe(toWords(text));
    }),
    runs(300),
  );
});

test('commands of the scripted model are read in linear work', () => {
  expectLinearText(['/', 'tool', '\n', ' ', 'call ', 'with ', '`', '.', '{'], (text) => [
    readCommands(text),
    readCommands(`/${text}`),
    readCommands(`call ${text}`),
  ]);
});

test('arguments that are still being written are a beginning of what they become', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 3 })),
      fc.nat(),
      (value, place) => {
        const text = JSON.stringify(value);
        expect(healJson(text)).toEqual({ status: 'object', text, value: JSON.parse(text) as unknown });
        const begun = healJson(text.slice(0, place % (text.length + 1)));
        expect(begun.status).not.toBe('malformed');
        if (begun.status === 'object')
          expect(Object.keys(value)).toEqual(expect.arrayContaining(Object.keys(begun.value)));
      },
    ),
    runs(400),
  );
  const pieces = [
    '{',
    '}',
    '[',
    ']',
    '"',
    '\\',
    ',',
    ':',
    '1',
    '-',
    'true',
    'nul',
    '\\u12',
    '{"a":',
    '["',
    ' ',
  ];
  fc.assert(
    fc.property(textOf(pieces), (text) => {
      const healed = healJson(`{${text}`);
      if (healed.status === 'object') expect(JSON.parse(healed.text)).toEqual(healed.value);
    }),
    runs(500),
  );
  expectLinearText(pieces, (text) => [healJson(text), healJson(`{"a":${text}`), healJson(`{"a":"${text}`)]);
});

test('whatever is stored under its name, the consent store gives well-formed answers', () => {
  const keys = ['kind', 'server', 'scope', 'link', 'v', 'keys'];
  const create = (stored: string | null): ReturnType<typeof createConsentStore> =>
    createConsentStore({ getItem: () => stored, setItem: () => undefined, removeItem: () => undefined });
  const stored = fc.oneof(
    fc.constant(null),
    textOf(['[', '{', '"kind"', ':', ',']),
    valueOf(keys, ['link', 'message']).map((value) => JSON.stringify(value) ?? ''),
  );
  fc.assert(
    fc.property(stored, (text) => {
      for (const key of create(text).keys()) {
        expect([typeof key.kind, typeof key.server, typeof key.scope]).toEqual([
          'string',
          'string',
          'string',
        ]);
        expect(key.server).not.toBe('');
      }
    }),
    runs(300),
  );
  const read = (text: string): unknown => create(text).keys();
  expectLinearText(['[', '{"kind":"link"', ',', '"'], read);
  expectLinearValues(
    (text) => read(String(text)),
    (large) => JSON.stringify([large]),
  );
});

test('a recording is read, or refused by name', () => {
  const line = JSON.stringify({
    v: 1,
    seq: 1,
    t: 1,
    writer: 'page',
    session: 's',
    epoch: 0,
    leg: 'app',
    dir: 'in',
    kind: 'request',
    raw: { a: 1 },
  });
  const read = (text: string): unknown =>
    orRefusal(
      () => parseRecording(text),
      (error) => error instanceof CasementError,
    );
  fc.assert(
    fc.property(textOf([line, '\n', '{', '"v":1', '\r', ' ']), (text) => {
      const entries = orRefusal(
        () => parseRecording(text),
        (error) => error instanceof CasementError,
      );
      if (entries)
        expect(parseRecording(entries.map((entry) => JSON.stringify(entry)).join('\n'))).toEqual(entries);
    }),
    runs(300),
  );
  expectLinearText([`${line}\n`, '\n', '{', ' ', '"'], read, 4000);
  expectLinearValues(
    (text) => read(String(text)),
    (large) => line.replace('{"a":1}', JSON.stringify(large) ?? '1'),
  );
});
