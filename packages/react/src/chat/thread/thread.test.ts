import type { ConversationMessage, ConversationState } from '@casement/chat';
import { ChatComposer, ChatProvider, ChatThread, ToolList } from '@casement/react/chat';
import { createElement, type FunctionComponent } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { createStillChat } from '../host/chat-host.test-support.js';

/** What a server would send of a conversation in this state; nothing here needs a browser. */
const render = (state: Partial<ConversationState>, component: FunctionComponent = ChatThread): string =>
  renderToStaticMarkup(
    createElement(ChatProvider, { value: createStillChat(state) }, createElement(component)),
  );

const says = (text: string): ConversationMessage => ({
  id: 'one',
  role: 'assistant',
  parts: [{ type: 'text', text }],
});

const renderText = (text: string): string =>
  /<div class="casement-text">(.*?)<\/div><\/div>/s.exec(render({ messages: [says(text)] }))?.[1] ?? '';

describe('text', () => {
  test('blank lines part paragraphs, other line ends stay', () => {
    expect(renderText('one\ntwo\r\n\r\n \n\nthree')).toBe('<p>one\ntwo</p><p>three</p>');
  });

  test('a list with blank lines in it is one piece', () => {
    expect(renderText('- a\n\n- b\n\n  c\n\nafter')).toBe('<p>- a\n\n- b\n\n  c</p><p>after</p>');
  });

  test('a fence keeps its lines as they are, and one that is still open takes the rest', () => {
    const code = (text: string): string => /<code>(.*?)<\/code>/s.exec(renderText(text))?.[1] ?? '';
    expect(code('```js\n  a\n\n`b`\n```\nafter')).toBe('  a\n\n`b`');
    expect(code('~~~\n```\nx\n~~~')).toBe('```\nx');
    expect(code('````md\n```\nin\n```\n````')).toBe('```\nin\n```');
    expect(code('before\n```ts\nhalf')).toBe('half');
    expect(renderText('```js\n1\n```\nafter')).toMatch(/<p>after<\/p>$/);
  });

  test('inline code stands out, whoever wrote it', () => {
    expect(renderText('a `b` c')).toBe('<p>a <code>b</code> c</p>');
    const said = { type: 'text' as const, text: 'a `b` [c](https://d.test/) **e**' };
    const from = { server: 's', app: 'n' };
    for (const more of [{ role: 'user' as const }, { role: 'user' as const, from }])
      expect(render({ messages: [{ id: 'one', parts: [said], ...more }] })).toContain(
        '<p>a <code>b</code> [c](https://d.test/) **e**</p>',
      );
  });

  test('markup is shown, not made', () => {
    expect(renderText('<b onclick="x">&')).toBe('<p>&lt;b onclick=&quot;x&quot;&gt;&amp;</p>');
  });
});

describe('values of a call', () => {
  const part = (more: object) => ({
    id: 'one',
    role: 'assistant' as const,
    parts: [
      {
        type: 'dynamic-tool' as const,
        toolName: 'a',
        toolCallId: 'c',
        source: { kind: 'server' as const, server: 's', tool: 'a' },
        state: 'output-available' as const,
        ...more,
      },
    ],
  });

  test('what is long is cut, and it is said how much is missing', () => {
    const html = render({
      messages: [part({ output: { content: [{ type: 'text', text: 'x'.repeat(20_500) }] } })],
    });
    expect(html).toContain('Only the beginning of 20,500 characters is in sight.');
    expect(html.match(/x{1000,}/g)?.map(({ length }) => length)).toEqual([4000]);
  });

  test('what nests without an end is not shown, and breaks nothing', () => {
    const structuredContent: Record<string, unknown> = {};
    structuredContent.self = structuredContent;
    expect(render({ messages: [part({ output: { content: [], structuredContent } })] })).toContain(
      'This cannot be shown.',
    );
  });

  test('a picture or link of a kind nobody expects is no picture and no link', () => {
    const content = [
      { type: 'image', mimeType: 'text/html', data: 'PHNjcmlwdD4=' },
      { type: 'image', mimeType: 'image/png;x="', data: 'x' },
      { type: 'resource_link', uri: 'javascript:alert(1)', name: 'n' },
      { type: 'resource_link', uri: ' java\nscript:alert(1)', name: 'n' },
      { type: 'resource_link', uri: 'https:/logout', name: 'n' },
      { type: 'resource_link', uri: 'https:bank.example', name: 'n' },
      { type: 'resource_link', uri: '//bank.example/', name: 'n' },
      { type: 'resource_link', uri: 'https://bank.example@other.example/', name: 'n' },
      { type: 'resource_link', uri: 'https://bаnk.example/', name: 'n' },
      { type: 'hologram', depth: 3 },
    ];
    const html = render({ messages: [part({ output: { content } })] });
    expect(html).not.toMatch(/<img|<a |href|src=/);
    expect(html).toContain('&quot;depth&quot;: 3');
  });

  test('a link leads where its address says', () => {
    const content = [{ type: 'resource_link', uri: 'https://Weather.example', name: 'n' }];
    expect(render({ messages: [part({ output: { content } })] })).toContain(
      '<a href="https://weather.example/" target="_blank" rel="noopener noreferrer">https://Weather.example</a>',
    );
  });

  test('names that would turn the text around are written out', () => {
    const source = {
      kind: 'app',
      server: 's\u202e',
      session: 'x',
      tool: 'a\u200b',
      app: { name: '\u2066n', version: '1' },
    };
    const html = render({ messages: [part({ source })] });
    expect(html).toContain('of the app \\u{2066}n 1, from s\\u{202e}');
    expect(html).toContain('a\\u{200b}');
  });

  test('a code nobody knows has a next step too, whatever it is called', () => {
    const failed = { state: 'output-error', errorText: 'It broke.' };
    for (const errorCode of ['something-new', 'constructor', '__proto__']) {
      expect(render({ messages: [part({ ...failed, errorCode })] })).toContain(
        'Ask once more, or in another way.',
      );
    }
  });
});

test('composer and list of tools can be drawn on a server', () => {
  const problems = [
    { server: 'gone', code: 'server-lost' as const, message: 'It ended.', hint: 'Restart it.' },
  ];
  expect(render({ problems }, ChatComposer as FunctionComponent)).toMatch(
    /The tools of gone are not on offer\.<\/b> It ended\. Restart it\./,
  );
  expect(render({}, ToolList)).toContain('No server offers a tool to the model.');
});

test('an answer that the limit of length ended says so', () => {
  expect(render({ messages: [{ ...says('half'), finish: 'length' }] })).toContain(
    'reached the limit of its length',
  );
  expect(render({ messages: [{ ...says('whole'), finish: 'stop' }] })).not.toContain('limit of its length');
});
