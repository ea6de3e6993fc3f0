import { describe, expect, test } from 'vitest';
import { verifies } from '../../../../../test/verifies.js';
import { createStage, settle } from '../stage.test-support.js';
import type { Stage } from '../stage.test-support.js';

const partials = (stage: Stage): unknown[] =>
  stage.received.flatMap(({ method, params }) =>
    method === 'ui/notifications/tool-input-partial' ? [params?.arguments] : [],
  );

/** What the app is shown of one text, or undefined. */
const show = async (text: string): Promise<unknown> => {
  const stage = await toReady();
  stage.session.sendToolInputText(text);
  stage.surface.paint();
  await settle();
  return partials(stage)[0];
};

const toReady = async (): Promise<Stage> => {
  const stage = createStage();
  await stage.ready();
  // What reads the text is loaded with the first of it; an empty one shows nothing.
  stage.session.sendToolInputText('');
  await settle();
  stage.surface.paint();
  return stage;
};

describe('streamed arguments', () => {
  test.each<[string, unknown]>([
    ['', undefined],
    ['  \n', undefined],
    ['{', {}],
    ['{"', {}],
    ['{"ci', {}],
    ['{"city"', {}],
    ['{"city":', {}],
    ['{"city": "', { city: '' }],
    ['{"city":"Kö', { city: 'Kö' }],
    ['{"city":"Köln"', { city: 'Köln' }],
    ['{"city":"Köln",', { city: 'Köln' }],
    ['{"city":"Köln","day', { city: 'Köln' }],
    ['{"n":12', {}],
    ['{"n":-', {}],
    ['{"n":12,', { n: 12 }],
    ['{"n":1.5e3 }', { n: 1500 }],
    ['{"a":tru', {}],
    ['{"a":true', { a: true }],
    ['{"a":null', { a: null }],
    ['{"a":[', { a: [] }],
    ['{"a":[1,2', { a: [1] }],
    ['{"a":[1,2,', { a: [1, 2] }],
    ['{"a":["x","y', { a: ['x', 'y'] }],
    ['{"a":{"b":[{"c":"d', { a: { b: [{ c: 'd' }] } }],
    ['{"a":"quote \\"', { a: 'quote "' }],
    ['{"a":"half \\', { a: 'half ' }],
    ['{"a":"half \\u00', { a: 'half ' }],
    ['{"a":"whole \\u00e9', { a: 'whole é' }],
    ['{"a":"slash \\\\', { a: 'slash \\' }],
    ['{"a":"\\\\u00', { a: '\\u00' }],
    ['{"a":"\\ud83d', { a: '' }],
    ['{"a":"\\ud83d\\ude', { a: '' }],
    ['{"a":"\\ud83d\\ude00', { a: '😀' }],
    ['{"a":"x\ud83d', { a: 'x' }],
    ['{"a":"}],{"', { a: '}],{' }],
    ['{"a":1}  ', { a: 1 }],
  ])('%j are shown as far as they came', async (text, expected) => {
    expect(await show(text)).toEqual(expected);
  });

  test.each([
    '[1',
    '"text',
    'true',
    'x',
    '{]',
    '{"a" 1',
    '{"a":}',
    '{,',
    '{"a":1,}',
    '{"a":[1,]',
    '{"a":01,',
    '{"a":nul,',
    '{"a":@',
    "{'a':1",
    '{"a":"\n"',
    '{"a":1}}',
    '{"a":1} {',
    '{"a":-,',
  ])('%j is named once as no JSON of an object, and nothing is shown', async (text) => {
    const stage = await toReady();
    for (const more of ['', ' ', '  ']) {
      stage.session.sendToolInputText(text + more);
      stage.surface.paint();
    }
    await settle();
    expect(partials(stage)).toEqual([]);
    const { findings, status } = stage.session.getSnapshot();
    expect(findings).toMatchObject([{ code: 'partial-input', path: 'sendToolInputText' }]);
    expect(stage.kinds('finding')).toHaveLength(1);
    expect(status).toBe('ready');
  });

  const whole = {
    query: 'a "quoted" \\ path, ünïcode 😀 and a\nline',
    limit: -12.5e3,
    flags: [true, false, null, [], {}, [1, [22, '333']]],
    nested: { deeper: { empty: {}, list: [{ a: 1 }, { b: 'two' }] }, last: '' },
    'odd "key"': 0,
  };

  verifies('S3-16', 'at every cut hold nothing the complete ones do not', async () => {
    for (const text of [JSON.stringify(whole), JSON.stringify(whole, null, 2)]) {
      const stage = await toReady();
      for (let length = 1; length <= text.length; length += 1) {
        stage.session.sendToolInputText(text.slice(0, length));
        stage.surface.paint();
      }
      await settle();
      const shown = partials(stage);
      expect(shown.length).toBeGreaterThan(50);
      for (const part of shown) expectPrefix(part, whole);
      expect(shown.at(-1)).toEqual(whole);
      expect(stage.session.getSnapshot().findings).toEqual([]);
      // However complete the text was, nobody said that it is: the app has not been given its input.
      expect(stage.methods()).not.toContain('ui/notifications/tool-input');
    }
  });

  test('are read once per painted frame, and only the latest', async () => {
    const stage = await toReady();
    for (let length = 1; length <= 1000; length += 1) {
      stage.session.sendToolInputText(`{"a":"${'x'.repeat(length)}`);
    }
    await settle();
    expect(partials(stage)).toEqual([]);
    stage.surface.paint();
    stage.surface.paint();
    await settle();
    expect(partials(stage)).toEqual([{ a: 'x'.repeat(1000) }]);
  });

  test('that change nothing that can be shown are not sent again', async () => {
    const stage = await toReady();
    for (const text of ['{"a":"b"', '{"a":"b",', '{"a":"b","c', '{"a":"b","cd":', '{"a":"b","cd":1']) {
      stage.session.sendToolInputText(text);
      stage.surface.paint();
    }
    await settle();
    expect(partials(stage)).toEqual([{ a: 'b' }]);
  });

  test('of a megabyte in small pieces are shown up to the limit, at a bounded cost', async () => {
    const stage = await toReady();
    const text = `{"a":"${'x'.repeat(1024 * 1024)}"}`;
    let paints = 0;
    for (let length = 20; length < text.length; length += 20) {
      stage.session.sendToolInputText(text.slice(0, length));
      // A frame takes the time of many pieces.
      if (length % 20_000 === 0) {
        stage.surface.paint();
        paints += 1;
      }
    }
    stage.session.sendToolInput({ a: 'whole' });
    await settle();
    expect(paints).toBeGreaterThan(50);
    expect(partials(stage).length).toBeLessThanOrEqual(14);
    expect(stage.session.getSnapshot().findings).toMatchObject([{ code: 'partial-input' }]);
    expect(stage.received.at(-1)).toMatchObject({ params: { arguments: { a: 'whole' } } });
  }, 20_000);

  test('cannot be nested so deeply that reading them fails elsewhere', async () => {
    expect(await show(`{"a":${'['.repeat(100)}`)).toBeDefined();
    expect(await show(`{"a":${'['.repeat(150)}`)).toBeUndefined();
    expect(await show(`{"a":${'['.repeat(100_000)}`)).toBeUndefined();
  });

  test('pollute no prototype', async () => {
    const shown = await show('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"a":"b');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(shown)).toBe(Object.prototype);
    expect(shown).toMatchObject({ a: 'b' });
  });

  verifies('HOST-069', 'stop with the complete input, also when a frame still waited', async () => {
    const stage = await toReady();
    stage.session.sendToolInputText('{"a":"b');
    stage.session.sendToolInput({ a: 'bc' });
    stage.surface.paint();
    stage.session.sendToolInputText('{"a":"bcd');
    stage.surface.paint();
    await settle();
    expect(stage.methods().filter((method) => method.includes('/tool-'))).toEqual([
      'ui/notifications/tool-input',
    ]);
    expect(stage.kinds('dropped')).toEqual([{ reason: 'out of order', what: 'tool-input-text' }]);
  });

  test('that came before the app are shown once it is there, the latest alone', async () => {
    const stage = createStage();
    for (const text of ['{"a":"1', '{"a":"12']) stage.session.sendToolInputText(text);
    await stage.handOver();
    stage.surface.paint();
    stage.session.sendToolInputText('{"a":"123');
    stage.surface.paint();
    await stage.ask('init', 'ui/initialize', {
      protocolVersion: '2026-01-26',
      appInfo: { name: 'a', version: '1' },
      appCapabilities: {},
    });
    expect(partials(stage)).toEqual([]);
    await stage.send({ jsonrpc: '2.0', method: 'ui/notifications/initialized' });
    expect(partials(stage)).toEqual([{ a: '123' }]);
  });
});

/** Asserts that nothing in `part` was made up: each value is one of `whole`, or the beginning of one. */
const expectPrefix = (part: unknown, known: unknown): void => {
  if (typeof part === 'string') {
    expect(typeof known === 'string' && known.startsWith(part)).toBe(true);
  } else if (Array.isArray(part)) {
    const items = known as unknown[]; // compared with an array only
    expect(part.length).toBeLessThanOrEqual(items.length);
    part.forEach((item, index) => expectPrefix(item, items[index]));
  } else if (typeof part === 'object' && part !== null) {
    const fields = known as Record<string, unknown>; // compared with an object only
    for (const [key, value] of Object.entries(part)) {
      expect(Object.keys(fields)).toContain(key);
      expectPrefix(value, fields[key]);
    }
  } else {
    expect(part).toBe(known);
  }
};
