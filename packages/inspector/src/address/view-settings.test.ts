import { describe, expect, test } from 'vitest';
import { parseViewState, toViewAddress } from './view-settings.js';

describe('how the page looks', () => {
  test('survives the way through the address', () => {
    const view = {
      view: 'chat',
      model: 'local',
      tab: 'security',
      filter: 'tools/call',
      theme: 'dark',
      width: 'phone',
      locale: 'ar-EG',
      stream: 'model',
      storage: 'persistent',
    } as const;
    expect(toViewAddress(parseViewState(view))).toEqual(view);
  });

  test('defaults leave the address empty', () => expect(toViewAddress(parseViewState({}))).toEqual({}));

  test('what an address makes up takes its default', () => {
    const made = {
      view: 'kitchen',
      model: '',
      tab: 'constructor',
      theme: 'pink',
      width: '9',
      locale: 'not a locale',
      filter: '',
      stream: '9',
      storage: 'for ever',
    };
    expect(parseViewState(made)).toEqual(parseViewState({}));
  });
});
