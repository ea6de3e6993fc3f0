import { describe, expect, test } from 'vitest';
import { createConsentMemory } from './consent/consent-memory.js';
import type { SessionOptions } from './session-options.js';
import type { Stage } from './stage.test-support.js';
import { createStage, settle, until } from './stage.test-support.js';

/*
 * Whether the user just did something in the app is asked of its frame, which takes a moment. What an app wants is
 * judged again after that moment: meanwhile it may have been closed, or have taken its request back.
 */

const url = 'https://example.com/';
const file = { type: 'resource', resource: { uri: 'file:///a.txt', text: 'a' } };

/** Sends a request, lets something happen while the host looks for what the user did, and lets the host find it. */
const askMeanwhile = async (
  stage: Stage,
  [method, params]: readonly [string, object],
  happen: () => void | Promise<void>,
): Promise<void> => {
  const looks: ((isActive: boolean) => void)[] = [];
  stage.surface.hasUserActivation = () => new Promise((resolve) => looks.push(resolve));
  await stage.send({ jsonrpc: '2.0', id: 'late', method, params });
  await until(() => expect(looks).toHaveLength(1));
  await happen();
  for (let turn = 0; turn < 3; turn += 1) {
    for (const look of looks.splice(0)) look(true);
    await settle();
  }
};

const createWishes = async (options: Partial<SessionOptions> = {}) => {
  const acted: string[] = [];
  const note = (what: string) => async () => {
    acted.push(what);
    return true as const;
  };
  const consents = createConsentMemory();
  const stage = createStage({
    consents,
    limits: { teardownMs: 60_000 },
    displayModes: ['inline', 'fullscreen'],
    links: { trusted: [url] },
    onOpenLink: note('asked about a link'),
    onDownload: note('asked about a file'),
    async onDisplayMode({ mode }) {
      acted.push('asked about a mode');
      return mode;
    },
    onModal: () => void acted.push('dialog'),
    ...options,
  });
  consents.remember({ kind: 'download', server: stage.server.identity, scope: '' });
  await stage.ready();
  const readActs = (): unknown[] => [
    ...acted,
    ...stage.surface.links,
    ...stage.surface.saved.map(({ name }) => name),
    ...stage.surface.modes,
  ];
  return { stage, readActs };
};

const wishes = {
  'a trusted link': ['ui/open-link', { url }],
  'a link that needs a question': ['ui/open-link', { url: 'https://example.org/' }],
  'a file the user said always to': ['ui/download-file', { contents: [file] }],
  'the whole page': ['ui/request-display-mode', { mode: 'fullscreen' }],
} as const;
const cases = Object.entries(wishes);

describe('a wish on its way', () => {
  test.each(cases)('for %s is granted while the app is there', async (_, wish) => {
    const { stage, readActs } = await createWishes();
    await askMeanwhile(stage, wish, () => undefined);
    expect(readActs()).not.toEqual([]);
  });

  test.each(cases)('for %s is over when the app is closed', async (_, wish) => {
    const { stage, readActs } = await createWishes();
    await askMeanwhile(stage, wish, () => void stage.session.close());
    expect(stage.session.getSnapshot().status).toBe('tearing-down');
    expect(readActs()).toEqual([]);
    stage.session.stop();
  });

  test.each(cases)('for %s is over when the app is stopped', async (_, wish) => {
    const { stage, readActs } = await createWishes();
    await askMeanwhile(stage, wish, () => stage.session.stop());
    expect(readActs()).toEqual([]);
  });

  test.each(cases)('for %s is over when the app takes it back', async (_, wish) => {
    const { stage, readActs } = await createWishes();
    await askMeanwhile(stage, wish, () =>
      stage.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'late' } }),
    );
    expect(readActs()).toEqual([]);
  });

  test.each(['closed', 'stopped'])(
    'for a dialog is over when the widget that wants it is %s',
    async (how) => {
      const { stage, readActs } = await createWishes({ family: 'openai' });
      await askMeanwhile(stage, ['casement/modal', { title: 'Sign in again' }], () => {
        if (how === 'closed') void stage.session.close();
        else stage.session.stop();
      });
      expect(readActs()).toEqual([]);
      stage.session.stop();
    },
  );
});
