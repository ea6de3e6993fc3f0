import { describe, expect, test } from 'vitest';
import {
  toDownloadQuestion,
  toLinkQuestion,
  toMessageQuestion,
  toPageQuestion,
  toSamplingQuestion,
} from './consent-questions.js';

const link = (url: string, ...warnings: ('look-alike' | 'private-address')[]) => ({
  url,
  host: new URL(url).host,
  server: 'weather',
  warnings,
});

describe('questions to the user', () => {
  test('put the host first and the address below it', () => {
    const question = toLinkQuestion(link('https://bank.example/login?x=1'));
    expect(question).toMatchObject({
      subject: 'bank.example',
      detail: 'https://bank.example/login?x=1',
    });
    expect(question.warnings).toBeUndefined();
    expect(question.always).toContain('this site');
  });

  test('say what the host warns of', () => {
    const question = toLinkQuestion(link('http://xn--pple-43d.localhost/', 'look-alike', 'private-address'));
    expect(question.warnings?.join(' ')).toMatch(/letters.*machine or network/);
    expect(question.always).toBeUndefined();
  });

  test('tell a page that would be the app from a link, and ask about it each time', () => {
    const url = 'https://maps.example/one';
    const question = toPageQuestion({ ...link(url, 'look-alike'), origin: new URL(url).origin });
    expect(question).toMatchObject({
      title: 'Show this page as the app?',
      subject: 'maps.example',
      detail: url,
    });
    expect(question.warnings).toHaveLength(1);
    expect(question.always).toBeUndefined();
  });

  test('show a message whole, with a mark for what is not text', () => {
    const question = toMessageQuestion({
      role: 'user',
      content: [
        { type: 'text', text: 'Buy it' },
        { type: 'image', data: 'AA==', mimeType: 'image/png' },
      ],
      app: { server: 'shop', resource: 'ui://shop/cart' },
    });
    expect(question).toMatchObject({ subject: 'ui://shop/cart', detail: 'Buy it\n[image]' });
  });

  test('show what an app would ask the model, and how much it may answer', () => {
    const question = toSamplingQuestion({
      app: { server: 'shop', resource: 'ui://shop/cart', info: { name: 'Cart', version: '1' } },
      params: {
        systemPrompt: 'Be brief.',
        messages: [{ role: 'user', content: { type: 'text', text: 'Which one?' } }],
        maxTokens: 50,
      },
    });
    expect(question).toMatchObject({ subject: 'Cart', detail: 'system: Be brief.\n\nuser: Which one?' });
    expect(question.asker).toContain('at most 50 tokens');
  });

  test('name one file to be saved with its size', () => {
    const file = { name: 'report.pdf', mimeType: 'application/pdf', bytes: 2_048 };
    expect(toDownloadQuestion({ server: 'pdf', files: [file], links: [] })).toMatchObject({
      title: 'Save this file?',
      subject: 'report.pdf',
      detail: 'report.pdf · application/pdf · 2.0 KB',
    });
  });

  test('count several, with every name and every link, and warn for the links', () => {
    const files = [
      { name: 'a.txt', mimeType: 'text/plain', bytes: 1_000 },
      { name: 'b.txt', mimeType: 'text/plain', bytes: 24 },
    ];
    const links = [link('http://192.168.0.1/c.zip', 'private-address')];
    const question = toDownloadQuestion({ server: 'pdf', files, links });
    expect(question.subject).toBe('3 files, 1.0 KB');
    expect(question.detail.split('\n')).toEqual([
      'a.txt · text/plain · 1000 B',
      'b.txt · text/plain · 24 B',
      'opened as a link: http://192.168.0.1/c.zip',
    ]);
    expect(question.warnings?.[0]).toMatch(/machine or network/);
  });
});
