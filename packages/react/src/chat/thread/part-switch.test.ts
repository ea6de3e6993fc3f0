import { isValidElement } from 'react';
import { expect, test } from 'vitest';
import { PartSwitch } from './part-switch.js';

const part = { type: 'text', text: '[Sign in again](https://evil.example/)' } as const;

/** What the part's view is given. Markdown itself comes later, in a browser. */
const readProps = (role?: 'user' | 'assistant'): unknown => {
  const element = PartSwitch({ part, role });
  return isValidElement(element) ? element.props : undefined;
};

test('only what the assistant wrote is Markdown, and nothing is the assistant’s unless it is said', () => {
  expect(readProps('assistant')).toEqual({ text: part.text, isMarkdown: true });
  expect(readProps('user')).toEqual({ text: part.text, isMarkdown: false });
  expect(readProps()).toEqual({ text: part.text, isMarkdown: false });
});
