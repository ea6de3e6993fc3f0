import { describe, expect, test } from 'vitest';
import { toLinkQuestion, toMessageQuestion } from './consent-questions.js';

const ask = (url: string) =>
  toLinkQuestion({ url, host: new URL(url).host, server: 'weather', warnings: [] });

describe('questions to the user', () => {
  test('put the host first and the address below it', () => {
    expect(ask('https://bank.example/login?x=1')).toMatchObject({
      subject: 'bank.example',
      detail: 'https://bank.example/login?x=1',
    });
    expect(ask('https://bank.example/').warning).toBeUndefined();
  });

  test('warn of look-alike names', () => {
    expect(ask('https://xn--pple-43d.com/').warning).toMatch(/letters/);
    expect(ask('https://www.xn--pple-43d.com/').warning).toMatch(/letters/);
  });

  test.each([
    'http://localhost:3000/',
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://[::1]/',
    'http://10.1.2.3/',
    'http://172.20.0.1/',
    'http://192.168.0.1/',
    'http://169.254.169.254/latest',
    'http://printer.local/',
  ])('warn that %s is close by', (url) => expect(ask(url).warning).toMatch(/machine or network/));

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
});
