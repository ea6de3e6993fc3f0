import { describe, expect, test } from 'vitest';
import { verifies } from '../../../../../test/verifies.js';
import type { SessionOptions } from '../session-options.js';
import { createStage } from '../stage.test-support.js';

const yes = async (): Promise<true> => true;
const kinds = { text: {}, image: {}, audio: {}, resource: {}, resourceLink: {} };

/** What each hook adds, and the request it stands for. */
const features: readonly [string, Partial<SessionOptions>, unknown, string, Record<string, unknown>][] = [
  ['openLinks', { onOpenLink: yes }, {}, 'ui/open-link', { url: 'https://example.com' }],
  [
    'message',
    { onMessage: yes },
    kinds,
    'ui/message',
    { role: 'user', content: [{ type: 'text', text: 'a' }] },
  ],
  [
    'updateModelContext',
    { onModelContext: () => undefined },
    { ...kinds, structuredContent: {} },
    'ui/update-model-context',
    {},
  ],
  [
    'downloadFile',
    { onDownload: yes },
    {},
    'ui/download-file',
    { contents: [{ type: 'resource', resource: { uri: 'file:///a', text: '' } }] },
  ],
  [
    'sampling',
    {
      onSampling: yes,
      createMessage: async () => ({ model: 'm', role: 'assistant', content: { type: 'text', text: '' } }),
    },
    {},
    'sampling/createMessage',
    { messages: [{ role: 'user', content: { type: 'text', text: 'a' } }], maxTokens: 1 },
  ],
];

describe('hostCapabilities', () => {
  verifies(['HOST-045', 'HOST-083'], 'name exactly what is answered', async () => {
    for (const [present, options] of features) {
      const stage = createStage(options);
      await stage.ready();
      const told = { ...stage.session.getSnapshot().hostCapabilities };
      delete told.sandbox;
      const always = {
        logging: {},
        serverTools: { listChanged: true },
        serverResources: { listChanged: true },
      };
      const value = features.find(([name]) => name === present)?.[2];
      expect(told).toEqual({ ...always, [present]: value });
      for (const [name, , , method, params] of features) {
        const { error } = await stage.ask(method, method, params);
        expect([name, error?.code]).toEqual([name, name === present ? undefined : -32601]);
      }
      expect(await stage.ask('t', 'tools/list')).toHaveProperty('result.tools');
      expect(await stage.ask('r', 'resources/read', { uri: 'ui://a' })).toHaveProperty('result.contents');
    }
  });

  test('are objects throughout, as official apps refuse booleans', async () => {
    const stage = createStage(Object.assign({}, ...features.map(([, options]) => options)));
    await stage.ready();
    const told = stage.session.getSnapshot().hostCapabilities ?? {};
    expect(Object.values(told).every((value) => typeof value === 'object')).toBe(true);
    expect(Object.keys(told)).toEqual(expect.arrayContaining(features.map(([name]) => name)));
  });
});
