import { expect, test } from 'vitest';
import { createStage } from '../stage.test-support.js';
import { createConsentMemory } from './consent-memory.js';

const file = (uri: string) => ({ type: 'resource', resource: { uri, text: 'x' } });
const link = (uri: string) => ({ type: 'resource_link', uri, name: 'report' });

test('“always” to a download with a link is not remembered: later files are asked about', async () => {
  const consents = createConsentMemory();
  let asked = 0;
  const stage = createStage({
    consents,
    onDownload: async () => {
      asked += 1;
      return 'always';
    },
  });
  await stage.ready();
  const download = (id: number, ...contents: unknown[]) => stage.ask(id, 'ui/download-file', { contents });
  expect(await download(1, file('file:///1'), link('https://example.com/a'))).toHaveProperty('result');
  expect([asked, stage.surface.saved.length]).toEqual([1, 1]);
  await download(2, file('file:///2'));
  expect(asked).toBe(2);
  // This question was about files alone, so its answer counts from now on.
  await download(3, file('file:///3'));
  expect([asked, stage.surface.saved.length]).toEqual([2, 3]);
});

test('“always” to files is no yes to a link: a download with one is asked about', async () => {
  let asked = 0;
  const stage = createStage({
    consents: createConsentMemory(),
    onDownload: async () => {
      asked += 1;
      return 'always';
    },
  });
  await stage.ready();
  const download = (id: number, ...contents: unknown[]) => stage.ask(id, 'ui/download-file', { contents });
  await download(1, file('file:///1'));
  // It is remembered, for files.
  await download(2, file('file:///2'));
  expect([asked, stage.surface.saved.length]).toEqual([1, 2]);
  expect(await download(3, file('file:///3'), link('https://example.com/a'))).toHaveProperty('result');
  expect([asked, stage.surface.saved.length]).toEqual([2, 3]);
});
