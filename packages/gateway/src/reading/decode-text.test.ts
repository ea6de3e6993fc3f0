import { expect, test } from 'vitest';
import { decodeText } from './decode-text.js';

test('sec-B1 bytes are decoded as they would be at once, wherever a character is cut', async () => {
  for (let before = 0; before < 5; before += 1) {
    const text = `${'x'.repeat(128 * 1024 - before)}𝄞é日${'y'.repeat(128 * 1024)}`;
    expect(await decodeText(Buffer.from(text))).toBe(text);
  }
  const broken = Buffer.concat([Buffer.from('\uFEFFa'), Buffer.of(0xe6, 0x97, 0xff, 0xf0, 0x9d)]);
  expect(await decodeText(broken)).toBe(broken.toString('utf8'));
  expect(await decodeText(Buffer.alloc(0))).toBe('');
});

test('sec-B1 a long text of another script leaves others their turns', async () => {
  let turns = 0;
  let isDecoded = false;
  const tick = (): void => {
    turns += 1;
    if (!isDecoded) setImmediate(tick);
  };
  setImmediate(tick);
  await decodeText(Buffer.from('日本語é'.repeat(1_000_000)));
  isDecoded = true;
  expect(turns).toBeGreaterThan(1);
});
