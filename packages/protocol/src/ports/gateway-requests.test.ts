import { expect, onTestFinished, test, vi } from 'vitest';
import { nextTask } from './next-task.js';
import { createGatewayRequests, PIECE, toRequestBody } from './gateway-requests.js';

test('a short text is sent as it is', async () => {
  expect(await toRequestBody('{}')).toBe('{}');
});

test('a short request leaves before its caller goes on', async () => {
  const sent: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    sent.push(url);
    return new Response('{}');
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const asked = createGatewayRequests({ url: 'http://localhost:1/', token: 'word' }).post('/tools/call', {});
  expect(sent).toEqual(['http://localhost:1/api/tools/call']);
  await asked;
});

test.each([0, 1, 2, 3])('sec-B1 a long text stays what it was, shifted by %i', async (shift) => {
  const text = JSON.stringify('x'.repeat(shift) + '\ud83d\ude00é'.repeat(PIECE));
  const body = await toRequestBody(text);
  expect(body).toBeInstanceOf(Blob);
  expect(await new Response(body).text()).toBe(text);
});

test('sec-B1 others have their turn while a long text is made into a body', async () => {
  let turns = 0;
  let isDone = false;
  const count = async (): Promise<void> => {
    for (; !isDone; turns++) await nextTask();
  };
  const counting = count();
  await toRequestBody('x'.repeat(16 * PIECE));
  isDone = true;
  await counting;
  expect(turns).toBeGreaterThanOrEqual(15);
});
