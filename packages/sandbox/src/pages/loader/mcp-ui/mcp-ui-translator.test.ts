import { describe, expect, test } from 'vitest';
import { createTranslator } from './mcp-ui-translator.js';
import { createScriptedHost, settled, surroundings } from '../host-line.test-support.js';

interface Told {
  readonly type: string;
  readonly messageId?: unknown;
  readonly payload: Readonly<Record<string, unknown>>;
}

const renderData = {
  toolInput: null,
  toolOutput: null,
  theme: 'dark',
  locale: 'de-CH',
  displayMode: 'inline',
  maxHeight: 600,
};

/** A translator between a host and what its app hears; messages are copied on their way to the app, too. */
const createApp = () => {
  const told: Told[] = [];
  const host = createScriptedHost();
  const translator = createTranslator(
    host.line,
    (message) => void told.push(structuredClone(message) as Told),
  );
  return {
    ...host,
    translator,
    told: (type: string) => told.filter((message) => message.type === type),
    ask: (type: string, payload?: unknown, messageId?: unknown) =>
      translator.hear({ type, payload, ...(messageId === undefined ? {} : { messageId }) }),
    tell: (name: string, params: object) => translator.news(`ui/notifications/${name}`, { ...params }),
    begin: (context: object = surroundings) => translator.begin({ ...context }),
    shown: () =>
      told.filter(({ type }) => type === 'ui-lifecycle-iframe-render-data').map(({ payload }) => payload),
  };
};
type App = ReturnType<typeof createApp>;

const exchange = async (type: string, payload: unknown, respond?: (app: App) => Promise<unknown>) => {
  const app = createApp();
  app.begin();
  expect(app.ask(type, payload, 7)).toBe(true);
  await respond?.(app);
  await settled();
  expect(app.told('ui-message-received')).toEqual([
    { type: 'ui-message-received', messageId: 7, payload: { messageId: 7 } },
  ]);
  const [heard, ...more] = app.told('ui-message-response');
  expect(more).toEqual([]);
  expect(heard).toMatchObject({ messageId: 7, payload: { messageId: 7 } });
  const { error, ...rest } = heard?.payload ?? {};
  return error instanceof Error ? { ...rest, error: error.message } : rest;
};
const toMessage = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] });

describe('each action, both ways', () => {
  test('tool: the result, also of a tool that failed; a refusal is an error', async () => {
    const failed = { content: [], isError: true };
    expect(await exchange('tool', { toolName: 'x' }, ({ answer }) => answer('tools/call', failed))).toEqual({
      messageId: 7,
      response: failed,
    });
    expect(
      await exchange('tool', { toolName: 'hidden' }, ({ refuse }) => refuse('tools/call', 'not visible')),
    ).toEqual({ messageId: 7, error: 'not visible' });
    expect(await exchange('tool', {})).toEqual({ messageId: 7, error: 'payload.toolName must be a string.' });
  });

  test('prompt and intent: a message; a person’s no is an error', async () => {
    const asks: unknown[] = [];
    expect(
      await exchange('prompt', { prompt: 'Hi' }, async ({ answer }) => asks.push(await answer('ui/message'))),
    ).toEqual({ messageId: 7, response: {} });
    expect(
      await exchange('intent', { intent: 'book', params: { seat: 3 } }, async ({ answer }) =>
        asks.push(await answer('ui/message', { isError: true })),
      ),
    ).toEqual({ messageId: 7, error: 'The user declined.' });
    expect(asks).toEqual([toMessage('Hi'), toMessage('Intent: book\nParameters: {"seat":3}')]);
  });

  test('notify: a log line, answered at once', async () => {
    const seen: unknown[] = [];
    const payload = await exchange('notify', { message: 'Saved' }, async ({ sent }) =>
      seen.push(...sent('notifications/message').map(({ params }) => params)),
    );
    expect(seen).toEqual([{ level: 'info', logger: 'mcp-ui', data: 'Saved' }]);
    expect(payload).toEqual({ messageId: 7, response: {} });
  });

  test('link: a link, and addresses the host refuses', async () => {
    for (const url of ['javascript:alert(1)', 'file:///etc/passwd', 'https://user@example.com/']) {
      let asked: unknown;
      const payload = await exchange('link', { url }, async ({ refuse }) => {
        asked = await refuse('ui/open-link', 'Policy violation');
      });
      expect(asked).toEqual({ url });
      expect(payload).toEqual({ messageId: 7, error: 'Policy violation' });
    }
    const good = await exchange('link', { url: 'https://example.com/' }, ({ answer }) =>
      answer('ui/open-link'),
    );
    expect(good).toEqual({ messageId: 7, response: {} });
  });

  test('ui-request-data: there is none, by name', async () => {
    expect(await exchange('ui-request-data', { requestType: 'payment', params: {} })).toEqual({
      messageId: 7,
      error: 'This host has no data of type "payment".',
    });
  });

  test('ui-size-change: a size, unanswered, and from then on the document’s own is not told', async () => {
    const { begin, ask, translator, sent, told } = createApp();
    begin();
    translator.reportHeight(120);
    for (const size of [{ width: 320, height: 240 }, { height: 'x' }, {}]) ask('ui-size-change', size, 's');
    translator.reportHeight(320);
    await settled();
    expect(sent('ui/notifications/size-changed').map(({ params }) => params)).toEqual([
      { height: 120 },
      { width: 320, height: 240 },
    ]);
    expect(told('ui-message-received')).toEqual([]);
    expect(told('ui-message-response')).toEqual([]);
  });

  test('ui-request-render-data: the same again, with its messageId', () => {
    const { begin, ask, told } = createApp();
    begin();
    ask('ui-request-render-data', undefined, 'r1');
    expect(told('ui-lifecycle-iframe-render-data')).toEqual([
      {
        type: 'ui-lifecycle-iframe-render-data',
        messageId: 'r1',
        payload: { messageId: 'r1', renderData },
      },
    ]);
  });

  test('without a messageId nothing is answered', async () => {
    const { begin, ask, answer, refuse, told } = createApp();
    begin();
    ask('tool', { toolName: 'x' });
    ask('tool', { toolName: 'hidden' });
    ask('tool', {});
    ask('notify', { message: 1 });
    await answer('tools/call', { content: [] });
    await refuse('tools/call', 'not visible', 1);
    expect(told('ui-message-received')).toEqual([]);
    expect(told('ui-message-response')).toEqual([]);
  });
});

test('an app that never says it is ready is told once it has loaded, and again at every change', () => {
  const { begin, translator, tell, shown } = createApp();
  begin({ ...surroundings, 'casement/renderData': { rows: [1, 2] } });
  const first = { ...renderData, rows: [1, 2] };
  expect(shown()).toEqual([]);
  translator.listen();
  tell('tool-input-partial', { arguments: { a: 1 } });
  tell('tool-input', { arguments: { a: 1, b: 2 } });
  tell('tool-result', { content: [], structuredContent: { sum: 3 } });
  tell('host-context-changed', { theme: 'light', displayMode: 'fullscreen' });
  const tool = { toolInput: { a: 1, b: 2 }, toolOutput: { sum: 3 }, toolResponseMetadata: null };
  expect(shown()).toEqual([
    { renderData: first },
    { renderData: { ...first, toolInput: { a: 1 } } },
    { renderData: { ...first, toolInput: { a: 1, b: 2 } } },
    { renderData: { ...first, ...tool } },
    { renderData: { ...first, ...tool, theme: 'light', displayMode: 'fullscreen' } },
  ]);
});

test('an app that says it is ready is not told a second time when it has loaded', () => {
  const { begin, ask, translator, shown } = createApp();
  begin();
  ask('ui-lifecycle-iframe-ready');
  translator.listen();
  expect(shown()).toEqual([{ renderData }]);
});

test('what an app asks before the host has introduced itself is asked afterwards, in order', async () => {
  const { ask, told, sent, begin, tell, shown, translator } = createApp();
  for (const name of ['a', 'b', 'c']) ask('tool', { toolName: name }, name);
  translator.listen();
  tell('host-context-changed', { theme: 'light' });
  tell('tool-cancelled', { reason: 'user' });
  await settled();
  expect(told('ui-message-received')).toHaveLength(3);
  expect(sent('tools/call')).toEqual([]);
  expect(shown()).toEqual([]);
  begin();
  await settled();
  expect(sent('tools/call').map(({ params }) => params?.['name'])).toEqual(['a', 'b', 'c']);
  expect(shown()).toEqual([{ renderData: { ...renderData, theme: 'light' } }]);
  expect(told('ui-lifecycle-tool-cancelled').map(({ payload }) => payload)).toEqual([{ reason: 'user' }]);
});

test('what is none of this family is left to others', () => {
  const { begin, ask, translator, messages } = createApp();
  begin();
  expect(ask('constructor')).toBe(false);
  expect(translator.hear({ jsonrpc: '2.0', method: 'ping' })).toBe(false);
  expect(messages).toEqual([]);
});
