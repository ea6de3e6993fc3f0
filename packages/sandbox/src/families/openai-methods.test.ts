import { expect, test } from 'vitest';
import { toOpenaiMethods } from '../index.js';

const absent = ['setOpenInAppUrl', 'uploadFile', 'selectFiles', 'getFileDownloadUrl', 'requestCheckout'];

test('a host with everything withholds only what has no counterpart', () => {
  const { offered, withheld } = toOpenaiMethods({
    hostCapabilities: {
      serverTools: {},
      message: {},
      openLinks: {},
      experimental: { 'casement/widget-state': {}, 'casement/modal': {} },
    },
    hostContext: { availableDisplayModes: ['inline', 'pip'] },
  });
  expect(withheld).toEqual(absent);
  expect(offered).toHaveLength(9);
});

test.each([
  ['serverTools', ['callTool']],
  ['message', ['sendFollowUpMessage', 'sendFollowupTurn']],
  ['openLinks', ['openExternal']],
])('%s alone brings %j', (capability, methods) => {
  const { offered } = toOpenaiMethods({ hostCapabilities: { [capability]: {} } });
  expect(offered.sort()).toEqual([...methods, 'requestClose', 'notifyIntrinsicHeight'].sort());
});

test('anything but a proper capability brings nothing', () => {
  const bare = ['requestClose', 'notifyIntrinsicHeight'];
  for (const hostCapabilities of [
    undefined,
    {},
    { serverTools: true, message: 'yes', openLinks: undefined, experimental: [] },
    { experimental: { 'casement/modal': true } },
    Object.create({ serverTools: {} }) as object,
  ]) {
    expect(toOpenaiMethods({ hostCapabilities }).offered).toEqual(bare);
  }
  for (const availableDisplayModes of [['inline'], 'inline', undefined]) {
    expect(toOpenaiMethods({ hostContext: { availableDisplayModes } }).offered).toEqual(bare);
  }
});
