import { describe, expect, test, vi } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import { createConsentMemory } from './consent/consent-memory.js';
import type { ConsentAnswer, LinkRequest, MessageRequest, SessionOptions } from './session-options.js';
import { createPlainServer } from './plain-server.test-support.js';
import type { Stage } from './stage.test-support.js';
import { createStage, holdTime, settle, until } from './stage.test-support.js';

const openLink = (id: number | string, url: string) => ({
  jsonrpc: '2.0',
  id,
  method: 'ui/open-link',
  params: { url },
});

/** A stage whose user answers links as told, with a memory of its own. */
const createLinks = async (answer: ConsentAnswer, options: Partial<SessionOptions> = {}) => {
  const asked: LinkRequest[] = [];
  const consents = createConsentMemory();
  const stage = createStage({
    consents,
    async onOpenLink(request) {
      asked.push(request);
      return answer;
    },
    ...options,
  });
  await stage.ready();
  return { stage, asked, consents, links: stage.surface.links };
};

describe('a link', () => {
  test('comes with a warning where its address is not what it seems (E05, E06)', async () => {
    const expected: Record<string, LinkRequest['warnings']> = {
      'https://example.com/': [],
      'https://8.8.8.8/': [],
      'https://[2606:4700::1111]/': [],
      'https://аpple.com/': ['look-alike'],
      'https://shop.xn--pple-43d.com/': ['look-alike'],
      'http://127.0.0.1:9999/': ['private-address'],
      'http://2130706433:9999/': ['private-address'],
      'http://0x7f.1:9999/': ['private-address'],
      'http://0.0.0.0:9999/': ['private-address'],
      'http://10.1.2.3/': ['private-address'],
      'http://172.20.0.1/': ['private-address'],
      'http://172.32.0.1/': [],
      'http://192.168.1.1/': ['private-address'],
      'http://169.254.169.254/latest/': ['private-address'],
      'http://100.64.0.1/': ['private-address'],
      'http://[::1]:9999/': ['private-address'],
      'http://[::ffff:10.0.0.1]/': ['private-address'],
      'http://[fe80::1]/': ['private-address'],
      'http://[fd00::1]/': ['private-address'],
      'http://router/': ['private-address'],
      'http://printer.local/': ['private-address'],
      'http://db.internal/': ['private-address'],
      'http://localhost.:9999/': ['private-address'],
      'http://app.localhost:9999/': ['private-address'],
    };
    const urls = Object.keys(expected);
    // Three questions are what one app may ask in ten seconds.
    for (let start = 0; start < urls.length; start += 3) {
      const { stage, asked } = await createLinks(false);
      const few = urls.slice(start, start + 3);
      for (const url of few) await stage.ask(url, 'ui/open-link', { url });
      expect(asked.map(({ warnings }, index) => [few[index], warnings])).toEqual(
        few.map((url) => [url, expected[url]]),
      );
    }
  });

  test('to a mailbox is for embedders who want it, and plain', async () => {
    const { stage, asked, links } = await createLinks(true, { links: { mailto: true } });
    const url = 'mailto:ann@example.com?subject=Hi%20there&body=a%0D%0Ab';
    expect((await stage.ask(1, 'ui/open-link', { url })).result).toEqual({});
    expect(asked).toEqual([{ url, host: 'ann@example.com', server: 'weather-server', warnings: [] }]);
    expect(links).toEqual([url]);
    const refused = [
      'mailto:',
      'mailto:ann@example.com,bob@example.com',
      'mailto:ann@example.com?cc=bob@example.com',
      'mailto:ann@example.com?bcc=bob@example.com',
      'mailto:ann@example.com?attach=/etc/passwd',
      'mailto:ann@example.com?subject=a%0D%0ABcc:bob@example.com',
      'mailto:a%0Ab@example.com',
      'mailto:"a b"@example.com',
      'mailto://ann@example.com',
    ];
    for (const wrong of refused) {
      const { error } = await stage.ask(wrong, 'ui/open-link', { url: wrong });
      expect([wrong, error?.code]).toEqual([wrong, -32000]);
    }
    expect(asked).toHaveLength(1);
  });

  test('of a trusted origin needs no question, but something the user did', async () => {
    const links = { trusted: ['https://docs.example.com/anything', 'nonsense', 'null'] };
    const { stage, asked, links: opened } = await createLinks(false, { links });
    await stage.ask(1, 'ui/open-link', { url: 'https://docs.example.com/page' });
    expect([asked.length, opened]).toEqual([0, ['https://docs.example.com/page']]);
    expect(stage.kinds('decision')).toContainEqual(
      expect.objectContaining({ allow: true, reason: 'The embedder trusts this origin.' }),
    );
    await stage.ask(2, 'ui/open-link', { url: 'https://docs.example.com:8443/' });
    stage.surface.isActive = false;
    await stage.ask(3, 'ui/open-link', { url: 'https://docs.example.com/page' });
    expect([asked.length, opened.length]).toEqual([2, 1]);
  });

  test('answered "always" is remembered for this server and origin only (E11)', async () => {
    const { stage, asked, consents, links } = await createLinks('always');
    const url = 'https://example.com/a';
    await stage.ask(1, 'ui/open-link', { url });
    await stage.ask(2, 'ui/open-link', { url: 'https://example.com/b' });
    expect([asked.length, links.length]).toEqual([1, 2]);
    expect(consents.keys()).toEqual([
      { kind: 'link', server: stage.server.identity, scope: 'https://example.com' },
    ]);
    await stage.ask(3, 'ui/open-link', { url: 'http://example.com/b' });
    expect(asked).toHaveLength(2);
    stage.surface.isActive = false;
    await stage.ask(4, 'ui/open-link', { url });
    expect(asked).toHaveLength(3);

    const other = Object.assign(createPlainServer(), { identity: 'another' });
    const second = await createLinks(false, { consents, server: other });
    await second.stage.ask(1, 'ui/open-link', { url });
    expect([second.asked.length, second.links]).toEqual([1, []]);

    consents.forget(stage.server.identity);
    const third = await createLinks(false, { consents });
    await third.stage.ask(1, 'ui/open-link', { url });
    expect(third.asked).toHaveLength(1);
  });

  test('remembered or not, is opened a few times only in a burst', async () => {
    const { stage, links } = await createLinks(false, { links: { trusted: ['https://example.com'] } });
    for (let id = 1; id <= 25; id += 1) await stage.send(openLink(id, 'https://example.com/'));
    expect(links).toHaveLength(10);
    expect(stage.received.filter(({ error }) => error?.data?.code === 'rate-limited')).toHaveLength(15);
  });

  test('is not opened for answers that are no yes', async () => {
    for (const answer of [false, undefined, null, 'yes', 1, {}]) {
      // Hooks come from embedders without types, too.
      const { stage, links } = await createLinks(answer as ConsentAnswer);
      expect((await stage.ask(1, 'ui/open-link', { url: 'https://example.com' })).result).toEqual({
        isError: true,
      });
      expect(links).toEqual([]);
    }
  });
});

describe('questions', () => {
  const pending = () => {
    const open: { answer(value: ConsentAnswer): void; signal: AbortSignal }[] = [];
    const hook = (_request: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise<ConsentAnswer>((answer) => open.push({ answer, signal }));
    return { open, hook };
  };

  test('are asked one at a time on the whole page (T20, E08)', async () => {
    const { open, hook } = pending();
    const first = createStage({ onOpenLink: hook, onMessage: hook });
    const second = createStage({ onOpenLink: hook });
    await first.ready();
    await second.ready();
    await first.send(openLink(1, 'https://example.com'));
    expect(open).toHaveLength(1);
    expect(await second.ask(1, 'ui/open-link', { url: 'https://example.com' })).toHaveProperty(
      'error.data.code',
      'rate-limited',
    );
    expect(
      await first.ask(2, 'ui/message', { role: 'user', content: [{ type: 'text', text: 'hi' }] }),
    ).toHaveProperty('error.data.code', 'rate-limited');
    open[0]?.answer(false);
    await settle();
    await second.send(openLink(2, 'https://example.com'));
    expect(open).toHaveLength(2);
    open[1]?.answer(true);
    await until(() => expect(second.surface.links).toHaveLength(1));
  });

  test('come three in ten seconds for an app, whatever they are about', async () => {
    const asked: unknown[] = [];
    const deny = async (request: unknown): Promise<boolean> => {
      asked.push(request);
      return false;
    };
    const stage = createStage({ onOpenLink: deny, onMessage: deny, onDownload: deny });
    await stage.ready();
    await stage.ask(1, 'ui/open-link', { url: 'https://example.com' });
    await stage.ask(2, 'ui/message', { role: 'user', content: [{ type: 'text', text: 'hi' }] });
    await stage.ask(3, 'ui/download-file', {
      contents: [{ type: 'resource', resource: { uri: 'file:///a.txt', text: 'a' } }],
    });
    expect(asked).toHaveLength(3);
    expect(await stage.ask(4, 'ui/open-link', { url: 'https://example.com' })).toHaveProperty(
      'error.data.code',
      'rate-limited',
    );
    expect(asked).toHaveLength(3);
  });

  describe('the user wanted', () => {
    const url = 'https://example.com';
    const isLimited = (answer: Awaited<ReturnType<Stage['ask']>>): boolean =>
      answer.error?.data?.code === 'rate-limited';

    /** Presses in the app and lets it ask; gives whether the question was refused. */
    const pressAndAsk = async (stage: Stage, id: number): Promise<boolean> => {
      stage.surface.pressedAt = performance.now();
      return isLimited(await stage.ask(id, 'ui/open-link', { url }));
    };

    test.each([true, 'always'] as const)(
      'are not counted: each followed a click and was answered with %s',
      async (answer) => {
        // Asked each time, whatever was answered: no key of the memory is ever there.
        const forgetful = { ...createConsentMemory(), has: () => false };
        const { stage, asked } = await createLinks(answer, { consents: forgetful });
        for (let id = 1; id <= 9; id += 1) expect([id, await pressAndAsk(stage, id)]).toEqual([id, false]);
        expect(asked).toHaveLength(9);
      },
    );

    test('count when the user says no, though they clicked', async () => {
      const { stage, asked } = await createLinks(false);
      for (let id = 1; id <= 3; id += 1) expect(await pressAndAsk(stage, id)).toBe(false);
      expect(await pressAndAsk(stage, 4)).toBe(true);
      expect(asked).toHaveLength(3);
    });

    test('count when the hook fails', async () => {
      const asked: unknown[] = [];
      const stage = createStage({
        async onOpenLink(request) {
          asked.push(request);
          throw new Error('no dialog');
        },
      });
      await stage.ready();
      for (let id = 1; id <= 5; id += 1) await pressAndAsk(stage, id);
      expect(asked).toHaveLength(3);
    });

    test('are those after a click of their own: one old click pays for one question', async () => {
      const { stage, asked } = await createLinks(true);
      stage.surface.pressedAt = performance.now();
      const limited: boolean[] = [];
      for (let id = 1; id <= 6; id += 1)
        limited.push(isLimited(await stage.ask(id, 'ui/open-link', { url })));
      expect(limited).toEqual([false, false, false, false, true, true]);
      expect(asked).toHaveLength(4);
    });

    test('are those after a click of their own, also when the app asks many times at that click', async () => {
      const { stage, asked } = await createLinks(true);
      const looks: ((isActive: boolean) => void)[] = [];
      stage.surface.hasUserActivation = (since) =>
        since === undefined ? new Promise((resolve) => looks.push(resolve)) : Promise.resolve(false);
      // Nothing is remembered: the looks are those before the questions, after one for a standing yes each.
      for (let id = 1; id <= 8; id += 1) await stage.send(openLink(id, url));
      for (const look of looks.splice(0)) look(true);
      await settle();
      for (const look of looks.splice(0)) {
        look(true);
        await settle();
      }
      expect(asked).toHaveLength(4);
    });

    test('are none that come without anything the user did', async () => {
      const { stage, asked } = await createLinks(true);
      stage.surface.isActive = false;
      for (let id = 1; id <= 6; id += 1) await stage.ask(id, 'ui/open-link', { url });
      expect(asked).toHaveLength(3);
    });

    test('are none that the app takes back, whatever the user answers then', async () => {
      const { open, hook } = pending();
      const stage = createStage({ onOpenLink: hook });
      await stage.ready();
      for (let id = 1; id <= 6; id += 1) {
        stage.surface.pressedAt = performance.now();
        await stage.send(openLink(id, url));
        await stage.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
        open.at(-1)?.answer(true);
        await settle();
      }
      expect(open).toHaveLength(3);
    });

    test('do not open for a request that was taken back before it could be asked', async () => {
      const { open, hook } = pending();
      const stage = createStage({ onOpenLink: hook });
      await stage.ready();
      let look: (isActive: boolean) => void = () => undefined;
      stage.surface.hasUserActivation = () => new Promise((resolve) => (look = resolve));
      await stage.send(openLink(1, url));
      await stage.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
      look(true);
      await settle();
      look(true);
      await settle();
      expect(open).toEqual([]);
    });
  });

  test('are called off with the request, and leave nothing behind when the app goes', async () => {
    holdTime();
    const { open, hook } = pending();
    const consents = createConsentMemory();
    const stage = createStage({ onOpenLink: hook, consents, limits: { teardownMs: 5 } });
    await stage.ready();
    await stage.send(openLink(1, 'https://example.com'));
    await stage.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    expect(open[0]?.signal.aborted).toBe(true);
    open[0]?.answer('always');
    await settle();
    expect([stage.surface.links, consents.keys()]).toEqual([[], []]);
    expect(stage.received.filter(({ id }) => id === 1)).toEqual([]);

    await stage.send(openLink(2, 'https://example.com'));
    expect(open).toHaveLength(2);
    const closed = stage.session.close();
    await vi.advanceTimersByTimeAsync(5);
    await closed;
    expect(open[1]?.signal.aborted).toBe(true);
    // The embedder's dialog is still there, but the place is free for others.
    const next = createStage({ onOpenLink: async () => true });
    await next.ready();
    expect((await next.ask(1, 'ui/open-link', { url: 'https://example.com' })).result).toEqual({});
  });
});

describe('a message', () => {
  const text = { type: 'text', text: 'Show tomorrow' };

  verifies('S1-58', 'is handed to the chat as the user’s and acknowledged', async () => {
    const taken: MessageRequest[] = [];
    const stage = createStage({ onMessage: async (request) => taken.push(request) > 0 });
    await stage.ready();
    expect((await stage.ask(1, 'ui/message', { content: text })).result).toEqual({});
    expect(taken).toMatchObject([
      { role: 'user', content: [text], app: { server: 'weather-server', info: { name: 'scripted' } } },
    ]);
  });

  test('answered "always" still reaches the chat, which need not ask again', async () => {
    const taken: MessageRequest[] = [];
    const stage = createStage({
      consents: createConsentMemory(),
      async onMessage(request) {
        taken.push(request);
        return 'always';
      },
    });
    await stage.ready();
    for (let id = 1; id <= 12; id += 1) {
      await stage.send({
        jsonrpc: '2.0',
        id,
        method: 'ui/message',
        params: { role: 'user', content: [text] },
      });
    }
    expect(taken.map(({ remembered }) => remembered ?? false)).toEqual([false, ...Array(10).fill(true)]);
    expect(stage.received.find(({ id }) => id === 12)?.error?.data?.code).toBe('rate-limited');
  });

  test('needs content of known kinds', async () => {
    const taken: unknown[] = [];
    const stage = createStage({ onMessage: async (request) => taken.push(request) > 0 });
    await stage.ready();
    expect(await stage.ask(1, 'ui/message', { role: 'user', content: [] })).toHaveProperty(
      'error.data.code',
      'message-refused',
    );
    for (const [index, params] of [
      {},
      { role: 'assistant', content: text },
      { role: 'user', content: 7 },
      { role: 'user', content: [{ type: 'video', data: '' }] },
      { role: 'user', content: null },
    ].entries()) {
      expect(await stage.ask(`p${index}`, 'ui/message', params)).toHaveProperty('error.code', -32602);
    }
    expect(taken).toEqual([]);
  });
});
