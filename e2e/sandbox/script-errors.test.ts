import { describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { page, useSandbox, variants, world } from './fixture.js';
import { mountApp, toGuest, waitFor } from './support.js';

useSandbox();

describe.each(Object.entries(variants))('an app %s', (_name, mount) => {
  test('whose link would open a tab is told of, as the sandbox lets it do nothing', async () => {
    const html = `<!doctype html><a href="https://maps.example/own" target="_blank" onclick="event.preventDefault()">own</a>
<a href="#part">within</a><a href="https://maps.example/tab" target="_blank">tab</a>`;
    const app = await mount(html);
    const guest = await app.guest();
    for (const name of ['own', 'within', 'tab']) await guest.getByText(name).click();
    await eventually(() => app.sandboxMessages('violation')).toEqual([
      { directive: 'sandbox', blockedUri: 'https://maps.example/tab' },
    ]);
  });

  test('that throws or rejects is reported with place and text, also when it hides it from itself', async () => {
    const html = `<!doctype html>
<script>addEventListener('error', (event) => { event.stopImmediatePropagation(); event.preventDefault(); }, true);</script>
<script>
missing.field;
</script>
<script>Promise.reject(new TypeError('late')); Promise.reject({ status: 401 });</script>
<script>this is no script</script>`;
    const app = await mount(html);
    await eventually(() => app.sandboxMessages('script-error')).toHaveLength(4);
    const errors = await app.sandboxMessages('script-error');
    expect(errors).toContainEqual({
      message: 'Uncaught ReferenceError: missing is not defined',
      sourceFile: expect.not.stringContaining('?'),
      // Counted from the script element.
      line: 2,
      column: expect.any(Number),
      stack: expect.stringMatching(/^ReferenceError: missing is not defined\n[^?]+$/),
    });
    const messages = errors.map(({ message }) => message);
    expect(messages).toContain('Uncaught (in promise) TypeError: late');
    expect(messages).toContain('Uncaught (in promise) {"status":401}');
    expect(messages.join()).toContain('SyntaxError');
  });
});

test('twenty errors of a document are told, in short, and the app’s own messages still pass', async () => {
  const throwing = `for (let n = 0; n < 2000; n += 1) setTimeout(() => { throw new Error('x'.repeat(9999)); });
    setTimeout(() => say('after', true), 500);`;
  const app = await mountApp(page, world, toGuest(throwing));
  await waitFor(app, 'after');
  const errors = await app.sandboxMessages('script-error');
  expect(errors).toHaveLength(20);
  expect(errors.every(({ message }) => String(message).length === 500)).toBe(true);
  expect(await app.sandboxMessages('dropped')).toEqual([]);
});

test('an image that does not load is no script error, and a reason that cannot be read is one without words', async () => {
  const odd = `document.body.innerHTML = '<img src="data:image/png,broken">';
    Promise.reject({ get secret() { throw new Error('no'); } }); Promise.reject(undefined);`;
  const app = await mountApp(page, world, toGuest(odd));
  await eventually(() => app.sandboxMessages('script-error')).toEqual([
    { message: 'Uncaught (in promise)' },
    { message: 'Uncaught (in promise) undefined' },
  ]);
});

test('a forged script error is cut down to short text and numbers', async () => {
  const params = `{ message: 'x'.repeat(9999), sourceFile: ['evil'], line: 1e300, column: 3, stack: 'x'.repeat(99999), html: '<b>' }`;
  const forges = `send({ method: 'ui/notifications/sandbox-script-error', params: ${params} });`;
  const app = await mountApp(page, world, toGuest(forges));
  await eventually(() => app.sandboxMessages('script-error')).toEqual([
    { message: 'x'.repeat(500), column: 3, stack: 'x'.repeat(4000) },
  ]);
});
