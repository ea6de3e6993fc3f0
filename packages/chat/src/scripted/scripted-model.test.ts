import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ChatModel, ModelEvent, ModelRequest } from '../index.js';
import type { ModelMessage, ModelTool } from '../model/model.js';
import { createScriptedModel, parseModelScript } from '../index.js';

const toTool = (name: string, properties: Record<string, unknown> = {}): ModelTool => ({
  name,
  inputSchema: { type: 'object', properties },
});
const tools = [
  toTool('get_weather', { city: { type: 'string' }, days: { type: 'number' } }),
  toTool('north__ping'),
  toTool('south__ping'),
  toTool('east__count'),
];

const user = (...texts: string[]): ModelMessage => ({
  role: 'user',
  content: texts.map((text) => ({ type: 'text', text })),
});
const said = (text: string): ModelMessage => ({ role: 'assistant', content: [{ type: 'text', text }] });

const collect = async (
  model: ChatModel,
  messages: readonly ModelMessage[],
  { offered = tools, signal = new AbortController().signal } = {},
): Promise<ModelEvent[]> => {
  const events: ModelEvent[] = [];
  const request: ModelRequest = { messages, tools: offered };
  for await (const event of model.stream(request, { signal })) events.push(event);
  return events;
};

const toText = (events: readonly ModelEvent[]): string =>
  events.map((event) => (event.type === 'text' ? event.delta : '')).join('');

const toCalls = (events: readonly ModelEvent[]) =>
  events.flatMap((event) => (event.type === 'tool-call' ? [[event.name, event.text]] : []));

const model = createScriptedModel({ pace: 0 });
const tell = (text: string, offered = tools) => collect(model, [user(text)], { offered });

describe('the scripted model, told what to do', () => {
  test('writes the arguments piece by piece, then the call, then that it waits for it', async () => {
    expect(
      await collect(createScriptedModel({ pace: 0, chunk: 6 }), [user('/get_weather {"city":"🌧 Bö"}')]),
    ).toEqual([
      { type: 'tool-input-start', id: 'call_1', name: 'get_weather' },
      { type: 'tool-input-delta', id: 'call_1', delta: '{"city' },
      { type: 'tool-input-delta', id: 'call_1', delta: '":"🌧 B' },
      { type: 'tool-input-delta', id: 'call_1', delta: 'ö"}' },
      { type: 'tool-call', id: 'call_1', name: 'get_weather', text: '{"city":"🌧 Bö"}' },
      { type: 'finish', reason: 'tool-calls' },
    ]);
  });

  test.each([
    ['/get_weather', 'get_weather', '{}'],
    ['  /get_weather  ', 'get_weather', '{}'],
    ['/get_weather{"days":2}', 'get_weather', '{"days":2}'],
    ['/get_weather {\n  "days": 2\n}', 'get_weather', '{\n  "days": 2\n}'],
    ['/get_weather city=Rome', 'get_weather', '{"city":"Rome"}'],
    ['/north__ping {}', 'north__ping', '{}'],
    ['/count {"to":3}', 'east__count', '{"to":3}'],
    ['call get_weather', 'get_weather', '{}'],
    ['Call `get_weather`.', 'get_weather', '{}'],
    ['call get_weather with {"city":"Oslo"}', 'get_weather', '{"city":"Oslo"}'],
    ['Please call get_weather with city=Oslo, days=2', 'get_weather', '{"city":"Oslo","days":2}'],
    ['call count with a=1, b=two', 'east__count', '{"a":1,"b":"two"}'],
    [
      'call count with a=true,b="x, \\"y\\"" , c=[1, 2], d=',
      'east__count',
      '{"a":true,"b":"x, \\"y\\"","c":[1,2],"d":""}',
    ],
    ['call get_weather with city=12, days=12', 'get_weather', '{"city":"12","days":12}'],
    ['call count with __proto__=1', 'east__count', '{"__proto__":1}'],
  ])('understands %j', async (text, name, args) => {
    expect(toCalls(await tell(text))).toEqual([[name, args]]);
  });

  test.each([
    '/get_weather {"city": "Par',
    '/get_weather {city: Paris}',
    '/get_weather [1]',
    '/get_weather Paris',
  ])('passes on %j as it is, for the conversation to name', async (text) => {
    expect(toCalls(await tell(text))).toEqual([['get_weather', text.slice('/get_weather '.length)]]);
  });

  test('makes several calls when several lines ask for one each', async () => {
    const events = await tell('/get_weather {"city":"Rome"}\n/nowhere\n/north__ping');
    expect(toCalls(events)).toEqual([
      ['get_weather', '{"city":"Rome"}'],
      ['north__ping', '{}'],
    ]);
    expect(toText(events)).toContain('“nowhere”');
    expect(new Set(events.map((event) => ('id' in event ? event.id : '')))).toEqual(
      new Set(['', 'call_1', 'call_2']),
    );
  });

  test('says which tools there are when it is asked for another', async () => {
    const events = await tell('/get_wether {}');
    expect(toText(events)).toBe(
      'There is no tool called “get_wether”. There are: get_weather, north__ping, south__ping, east__count.',
    );
    expect(events.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
    expect(toText(await tell('/x', []))).toBe('There is no tool called “x”. There are no tools.');
    const many = Array.from({ length: 25 }, (_, index) => toTool(`t${index}`));
    expect(toText(await tell('call x with a=1', many))).toMatch(/ t19 and 5 more\.$/);
  });

  test('does not choose between tools that share a name', async () => {
    const events = await tell('/ping');
    expect(toText(events)).toBe(
      'Several tools are called “ping”: north__ping, south__ping. Name one of them.',
    );
    expect(toCalls(events)).toEqual([]);
  });

  test.each(['Hello', '', 'call me maybe', 'recall get_weather', '/', 'What does /get_weather do?'])(
    'explains itself when told %j',
    async (text) => {
      const events = await tell(text);
      expect(toCalls(events)).toEqual([]);
      expect(toText(events)).toContain('Write /get_weather {"key": "value"}');
      expect(events.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
    },
  );

  test('takes orders only from what was said last, not from what it was given to know', async () => {
    const events = await collect(model, [user('/north__ping', 'Hello')]);
    expect(toCalls(events)).toEqual([]);
    expect(toCalls(await collect(model, [user('[Context]', '/north__ping')]))).toEqual([
      ['north__ping', '{}'],
    ]);
  });

  test('names what came back', async () => {
    const messages: ModelMessage[] = [
      user('/get_weather'),
      {
        role: 'tool',
        results: [
          { id: 'call_1', name: 'get_weather', content: [{ type: 'text', text: 'Lisbon:\n21 °C' }] },
          { id: 'call_2', name: 'snap', content: [{ type: 'image', data: 'AA==', mimeType: 'image/png' }] },
          { id: 'call_3', name: 'count', content: [{ type: 'text', text: 'no number' }], isError: true },
          { id: 'call_4', name: 'quiet', content: [] },
          { id: 'call_5', name: 'long', content: [{ type: 'text', text: 'x'.repeat(5000) }] },
        ],
      },
    ];
    const events = await collect(model, messages);
    expect(toText(events).split('\n')).toEqual([
      'get_weather came back with “Lisbon: 21 °C”.',
      'snap came back with an image (image/png).',
      'count failed: “no number”.',
      'quiet came back with nothing.',
      `long came back with “${'x'.repeat(200)}…”.`,
    ]);
    expect(events.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
  });

  test('gives each call of a conversation an id of its own, and the same one every time', async () => {
    const earlier: ModelMessage = {
      role: 'assistant',
      content: [{ type: 'tool-call', id: 'call_1', name: 'get_weather', arguments: {} }],
    };
    const messages = [user('/get_weather'), earlier, user('/north__ping')];
    const events = await collect(model, messages);
    expect(events[0]).toEqual({ type: 'tool-input-start', id: 'call_2', name: 'north__ping' });
    expect(await collect(model, messages)).toEqual(events);
  });
});

describe('a recorded script', () => {
  const script = parseModelScript(
    JSON.stringify([
      { text: 'Let me look.', calls: [{ tool: 'get_weather', arguments: { city: 'Rome' }, chunk: 5 }] },
      { text: 'Sunny.' },
      { calls: [{ tool: 'count', arguments: '{"to": ' }, { tool: 'nowhere' }] },
    ]),
  );
  const scripted = createScriptedModel({ script, pace: 0 });
  const result: ModelMessage = {
    role: 'tool',
    results: [{ id: 'call_1', name: 'get_weather', content: [{ type: 'text', text: 'sun' }] }],
  };

  test('is played step by step along the conversation, and a step tried again is the same', async () => {
    const first = await collect(scripted, [user('Hi')]);
    expect(toText(first)).toBe('Let me look.');
    expect(first.flatMap((event) => (event.type === 'tool-input-delta' ? event.delta : []))).toEqual([
      '{"cit',
      'y":"R',
      'ome"}',
    ]);
    expect(first.at(-1)).toEqual({ type: 'finish', reason: 'tool-calls' });
    expect(await collect(scripted, [user('Hi')])).toEqual(first);
    const messages = [user('Hi'), said('Let me look.'), result];
    const second = await collect(scripted, messages);
    expect(toText(second)).toBe('Sunny.');
    expect(second.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
  });

  test('may hold what a model gets wrong: arguments that are no JSON, a tool that is not there', async () => {
    const messages = [user('Hi'), said('Let me look.'), result, said('Sunny.'), user('And?')];
    expect(toCalls(await collect(scripted, messages))).toEqual([
      ['east__count', '{"to": '],
      ['nowhere', '{}'],
    ]);
  });

  test('does not count what the page itself said', async () => {
    expect(toText(await collect(scripted, [said('Welcome.'), user('Hi')]))).toBe('Let me look.');
  });

  test('gives way to commands when it has ended', async () => {
    const short = createScriptedModel({ script: [{ text: 'Once.' }], pace: 0 });
    expect(toText(await collect(short, [user('/north__ping')]))).toBe('Once.');
    const events = await collect(short, [user('/north__ping'), said('Once.'), user('/north__ping')]);
    expect(toCalls(events)).toEqual([['north__ping', '{}']]);
  });

  test.each<[unknown, string]>([
    ['[{"text": "x"', 'it is not JSON ('],
    ['{}', 'it must be a list of turns'],
    [undefined, 'it must be a list of turns'],
    [[{ text: 'x' }, 'y'], '[1] must be an object'],
    [[{ text: 7 }], '[0].text must be a string'],
    [[{}], '[0] says nothing: give it text or calls'],
    [[{ text: 'x', call: [] }], '[0] has the unknown key "call"; known are text, calls'],
    [[{ calls: {} }], '[0].calls must be a list'],
    [[{ calls: ['get_weather'] }], '[0].calls[0] must be an object'],
    [[{ calls: [{ tool: '' }] }], '[0].calls[0].tool must be the name of a tool'],
    [[{ calls: [{ name: 'x' }] }], '[0].calls[0] has the unknown key "name"'],
    [[{ calls: [{ tool: 'x', arguments: [] }] }], '[0].calls[0].arguments must be an object, or the text'],
    [[{ calls: [{ tool: 'x', chunk: 0 }] }], '[0].calls[0].chunk must be a whole number'],
    [[{ calls: [{ tool: 'x', pace: -1 }] }], '[0].calls[0].pace must be milliseconds from 0 to 60000'],
  ])('that is %j is refused with the place of the mistake', (value, message) => {
    expect(() => parseModelScript(value)).toThrow(
      expect.objectContaining({ code: 'config-invalid', message: expect.stringContaining(message) }),
    );
  });

  test('is looked at before the first word, like pace and chunk', () => {
    expect(() => createScriptedModel({ script: [{}] })).toThrow('[0] says nothing');
    expect(() => createScriptedModel({ pace: Number.NaN })).toThrow('pace must be milliseconds');
    expect(() => createScriptedModel({ chunk: 1.5 })).toThrow('chunk must be a whole number');
  });
});

describe('the pace of the scripted model', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('is the time before each chunk, for a call its own', async () => {
    const paced = createScriptedModel({
      script: [{ text: 'abcd', calls: [{ tool: 'x', arguments: '{}', chunk: 1, pace: 100 }] }],
      pace: 10,
      chunk: 2,
    });
    const start = Date.now();
    const times: (readonly [string, number])[] = [];
    const stream = paced.stream({ messages: [], tools }, { signal: new AbortController().signal });
    const reading = (async () => {
      for await (const { type } of stream) times.push([type, Date.now() - start]);
    })();
    await vi.runAllTimersAsync();
    await reading;
    expect(times).toEqual([
      ['text', 10],
      ['text', 20],
      ['tool-input-start', 20],
      ['tool-input-delta', 120],
      ['tool-input-delta', 220],
      ['tool-call', 220],
      ['finish', 220],
    ]);
  });

  test('does not hold up an abort: the stream ends at once, without an error and without a timer left', async () => {
    const slow = createScriptedModel({ script: [{ text: 'abcdef' }], pace: 60_000, chunk: 1 });
    const controller = new AbortController();
    const reading = collect(slow, [user('Hi')], { signal: controller.signal });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(vi.getTimerCount()).toBe(1);
    controller.abort();
    expect(await reading).toEqual([{ type: 'text', delta: 'a' }]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each([0, 1, 2, 3])('of nothing is stopped by an abort after %i events too', async (count) => {
    const controller = new AbortController();
    const events: ModelEvent[] = [];
    if (count === 0) controller.abort();
    const request = { messages: [user('/get_weather {"days":1}')], tools };
    for await (const event of model.stream(request, { signal: controller.signal })) {
      events.push(event);
      if (events.length === count) controller.abort();
    }
    expect(events).toHaveLength(count);
  });
});
