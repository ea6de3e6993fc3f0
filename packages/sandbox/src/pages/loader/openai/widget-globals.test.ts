import { expect, test } from 'vitest';
import { toChanges, toContextGlobals } from './widget-globals.js';

const device = { hover: true, touch: false };

test('a host that says nothing leaves the defaults of the family, and the device to the browser', () => {
  expect(toContextGlobals({}, device)).toEqual({
    theme: 'light',
    locale: 'en-US',
    displayMode: 'inline',
    maxHeight: null,
    safeArea: { insets: { top: 0, right: 0, bottom: 0, left: 0 } },
    userAgent: { device: { type: 'desktop' }, capabilities: { hover: true, touch: false } },
    view: { mode: 'inline' },
    widgetState: null,
  });
});

test.each([
  [{ platform: 'mobile' }, 'mobile'],
  [{ platform: 'desktop', deviceCapabilities: { hover: false, touch: true } }, 'desktop'],
  [{ platform: 'web' }, 'desktop'],
  [{ platform: 'web', deviceCapabilities: { hover: false, touch: true } }, 'mobile'],
  [{ platform: 'web', deviceCapabilities: { hover: false, touch: false } }, 'unknown'],
  [{ platform: 'web', deviceCapabilities: { touch: true } }, 'desktop'],
])('%j is a device of type %s', (context, type) => {
  expect(toContextGlobals(context, device)).toMatchObject({ userAgent: { device: { type } } });
});

test('the room is its maximum, else its fixed height', () => {
  const toHeight = (containerDimensions: unknown) =>
    toContextGlobals({ containerDimensions }, device)['maxHeight'];
  expect(toHeight({ maxHeight: 600, height: 300 })).toBe(600);
  expect(toHeight({ height: 300 })).toBe(300);
  for (const odd of [{}, null, 'tall', []]) expect(toHeight(odd)).toBeNull();
});

test('a view and a state of the host win over what follows from the mode', () => {
  const view = { mode: 'modal', params: { id: 7 } };
  expect(
    toContextGlobals({ displayMode: 'pip', 'casement/view': view, 'casement/widgetState': 0 }, device),
  ).toMatchObject({ displayMode: 'pip', view, widgetState: 0 });
});

test('changes are the entries whose JSON differs', () => {
  expect(toChanges({ a: { x: 1 }, b: 1, c: null }, { a: { x: 1 }, b: 2, c: null, d: [] })).toEqual({
    b: 2,
    d: [],
  });
});
