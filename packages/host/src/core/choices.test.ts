import type { ContentBlock } from '@casement/protocol';
import { describe, expect, vi } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import type { ConsentAnswer, SessionOptions } from './session-options.js';
import { appContents, createPlainServer } from './plain-server.test-support.js';
import { createStage, holdTime, settle, type Stage, until } from './stage.test-support.js';

/*
 * What the specification leaves to a host, and what this one chose.
 */

const declaring = (...domains: readonly string[]) => {
  const server = createPlainServer();
  const csp = { connectDomains: domains, resourceDomains: domains };
  server.onRead = () => appContents({ _meta: { ui: { csp, permissions: { camera: {}, microphone: {} } } } });
  return server;
};
const toldSandbox = (stage: Stage) => stage.session.getSnapshot().hostCapabilities?.sandbox;

describe('the policy of an app', () => {
  verifies(
    ['HOST-005', 'HOST-010'],
    'has none of the origins the embedder denies, for every app, and says which were dropped',
    async () => {
      const denyOrigins = ['https://tracker.example'];
      for (const other of ['https://api.example.com', 'https://maps.example.com']) {
        const server = declaring('https://tracker.example', other);
        const stage = createStage({ server, denyOrigins });
        await stage.ready();
        const { policy } = stage.session.getSnapshot();
        expect(policy?.effective).toMatchObject({ connect: [other], assets: [other] });
        expect(policy?.csp).not.toContain('tracker');
        expect(policy?.dropped.map(({ field, value }) => [field, value])).toEqual([
          ['connectDomains', 'https://tracker.example'],
          ['resourceDomains', 'https://tracker.example'],
        ]);
        expect(JSON.stringify(toldSandbox(stage))).not.toContain('tracker');
        expect(stage.session.getSnapshot().findings).toContainEqual(
          expect.objectContaining({ code: 'domain-dropped' }),
        );
        const free = createStage({ server });
        await free.ready();
        expect(free.session.getSnapshot().policy?.effective.connect).toContain('https://tracker.example');
      }
    },
  );

  verifies(
    'HOST-012',
    'is told to the app as it is in force: approved origins, granted permissions',
    async () => {
      const stage = createStage({
        server: declaring('https://api.example.com', '*'),
        permissions: ['camera', 'geolocation'],
      });
      await stage.ready();
      const told = toldSandbox(stage);
      expect(told).toMatchObject({
        permissions: { camera: {} },
        csp: { connectDomains: ['https://api.example.com'], resourceDomains: ['https://api.example.com'] },
      });
      expect(Object.keys(told?.permissions ?? {})).toEqual(['camera']);
      expect(stage.received.find(({ id }) => id === 'init')?.result).toHaveProperty(
        'hostCapabilities.sandbox',
        told,
      );
    },
  );
});

verifies(
  'HOST-030',
  'what is not in the method table is answered -32601 and never reaches the server',
  async () => {
    const stage = createStage();
    await stage.ready();
    const { server } = stage;
    const reached = vi.spyOn(server, 'listTools');
    const before = server.reads.length;
    const asked = ['prompts/get', 'completion/complete', 'logging/setLevel', 'roots/list', 'vendor/own', 'x'];
    for (const method of asked) {
      const answer = await stage.ask(method, method, { name: 'weather', uri: 'file:///a' });
      expect([method, answer.error?.code]).toEqual([method, -32601]);
    }
    expect([server.calls, server.reads.length - before, reached.mock.calls]).toEqual([[], 0, []]);
    expect(await stage.ask('known', 'tools/call', { name: 'weather' })).toHaveProperty('result.content');
  },
);

describe('what the user decides', () => {
  const wishes: readonly (readonly [
    keyof SessionOptions,
    string,
    Record<string, unknown>,
    Partial<SessionOptions>,
  ])[] = [
    ['onOpenLink', 'ui/open-link', { url: 'https://example.com/' }, {}],
    ['onMessage', 'ui/message', { role: 'user', content: [{ type: 'text', text: 'hi' }] }, {}],
    [
      'onDownload',
      'ui/download-file',
      { contents: [{ type: 'resource', resource: { uri: 'file:///a.txt', text: 'a' } }] },
      {},
    ],
    [
      'onSampling',
      'sampling/createMessage',
      { messages: [{ role: 'user', content: { type: 'text', text: 'a' } }], maxTokens: 1 },
      {
        createMessage: async () => ({ model: 'm', role: 'assistant', content: { type: 'text', text: 'b' } }),
      },
    ],
  ];

  for (const [hook, method, params, more] of wishes)
    verifies('HOST-032', `holds ${method} until there is an answer, which a no is as well`, async () => {
      for (const says of [true, false]) {
        let answer: ((answer: ConsentAnswer) => void) | undefined;
        const stage = createStage({
          ...more,
          [hook]: () => new Promise<ConsentAnswer>((resolve) => (answer = resolve)),
        });
        await stage.ready();
        await stage.send({ jsonrpc: '2.0', id: 'held', method, params });
        await until(() => expect(answer).toBeDefined());
        const reply = () => stage.received.find(({ id, method: name }) => id === 'held' && !name);
        expect(reply()).toBeUndefined();
        answer?.(says);
        await until(() => expect(reply()).toBeDefined());
        const isRefused = reply()?.error !== undefined || reply()?.result?.isError === true;
        expect(isRefused).toBe(!says);
      }
    });

  verifies('HOST-032', 'is not asked where policy has refused it', async () => {
    const onOpenLink = vi.fn(async () => true as const);
    const stage = createStage({ onOpenLink });
    await stage.ready();
    const { error } = await stage.ask(1, 'ui/open-link', { url: 'javascript:alert(1)' });
    expect([error?.code, onOpenLink.mock.calls]).toEqual([-32000, []]);
  });
});

verifies('HOST-057', 'a change of the context is told once, with what changed and nothing else', async () => {
  const stage = createStage({ hostContext: { theme: 'dark', locale: 'de-CH', timeZone: 'Europe/Zurich' } });
  await stage.ready();
  const changes = () =>
    stage.received.flatMap(({ method, params }) =>
      method === 'ui/notifications/host-context-changed' ? [params] : [],
    );
  const before = changes().length;
  stage.session.sendHostContextChanged({ theme: 'light' });
  stage.session.sendHostContextChanged({ theme: 'light', locale: 'de-CH' });
  stage.session.sendHostContextChanged({ theme: 'light', locale: 'fr-CH' });
  stage.session.setSurfaceContext({ containerDimensions: { width: 300, maxHeight: 4000 } });
  stage.session.setSurfaceContext({ containerDimensions: { maxHeight: 4000, width: 300 } });
  await settle();
  expect(changes().slice(before)).toEqual([
    { theme: 'light' },
    { locale: 'fr-CH' },
    { containerDimensions: { width: 300, maxHeight: 4000 } },
  ]);
});

verifies('HOST-074', 'an app that is to stop is told why, when there is a reason', async () => {
  holdTime();
  for (const [reason, params] of [
    ['The chat was closed.', { reason: 'The chat was closed.' }],
    [undefined, {}],
  ] as const) {
    const stage = createStage({ limits: { teardownMs: 10 } });
    await stage.ready();
    const closed = stage.session.close(reason);
    await vi.advanceTimersByTimeAsync(10);
    await closed;
    expect(stage.received.find(({ method }) => method === 'ui/resource-teardown')?.params).toEqual(params);
  }
});

verifies('HOST-088', 'every kind of content that is declared is taken, and no other', async () => {
  const blocks: Readonly<Record<string, ContentBlock>> = {
    text: { type: 'text', text: 'a' },
    image: { type: 'image', data: 'QUFB', mimeType: 'image/png' },
    audio: { type: 'audio', data: 'QUFB', mimeType: 'audio/wav' },
    resource: { type: 'resource', resource: { uri: 'file:///a', text: 'a' } },
    resourceLink: { type: 'resource_link', uri: 'https://example.com/a', name: 'a' },
  };
  for (const [method, capability, role] of [
    ['ui/message', 'message', { role: 'user' }],
    ['ui/update-model-context', 'updateModelContext', {}],
  ] as const) {
    const ask = async (params: object) => {
      const stage = createStage({ onMessage: async () => true, onModelContext: () => undefined });
      await stage.ready();
      const declared = stage.session.getSnapshot().hostCapabilities?.[capability];
      return { answer: await stage.ask(1, method, { ...role, ...params }), declared };
    };
    for (const [kind, block] of Object.entries(blocks)) {
      const { answer, declared } = await ask({ content: [block] });
      expect([kind, answer.error, declared]).toEqual([
        kind,
        undefined,
        expect.objectContaining({ [kind]: {} }),
      ]);
    }
    const structured = await ask({ structuredContent: { a: 1 }, ...(role.role ? { content: [] } : {}) });
    expect('structuredContent' in (structured.declared ?? {})).toBe(capability === 'updateModelContext');
    const odd = await ask({ content: [{ type: 'video', data: 'QUFB', mimeType: 'video/mp4' }] });
    expect(odd.answer.error).toBeDefined();
    expect(Object.keys(odd.declared ?? {})).not.toContain('video');
  }
});
