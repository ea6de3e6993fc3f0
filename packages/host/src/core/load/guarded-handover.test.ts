import { CasementError } from '@casement/protocol/start';
import { expect, test } from 'vitest';
import { createStage, settle, until } from '../stage.test-support.js';

const resourceReady = 'ui/notifications/sandbox-resource-ready';

/** Waits until the frame is there and its proxy has said so. */
const raise = async (stage: ReturnType<typeof createStage>): Promise<void> => {
  await stage.mount();
  await stage.proxy('proxy-ready');
  await stage.proxy('loader-ready');
};

test('no byte of the app leaves the page before all that watches over it is in place', async () => {
  const stage = createStage();
  let place = (): void => undefined;
  const placing = new Promise<void>((resolve) => (place = resolve));
  stage.surface.guard = () => placing;
  await raise(stage);
  await settle();
  expect(stage.methods()).toEqual([]);
  // Whatever is in the frame already, it is no app that anybody serves.
  await stage.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'weather' } });
  expect(stage.server.calls).toEqual([]);
  place();
  await expect.poll(() => stage.methods()).toEqual([resourceReady]);
});

test('an app whose guards cannot be loaded is not shown, and a reload tries again', async () => {
  const stage = createStage();
  let tries = 0;
  stage.surface.guard = async () => {
    tries += 1;
    if (tries === 1) throw new CasementError('host-code-missing', 'gone', { hint: 'Reload the page.' });
  };
  await raise(stage);
  await until(() => expect(stage.session.getSnapshot().status).toBe('failed'));
  expect(stage.session.getSnapshot().failure).toMatchObject({
    code: 'host-code-missing',
    hint: 'Reload the page.',
  });
  expect(stage.methods()).toEqual([]);
  expect(stage.surface.frames.every(({ isThere }) => !isThere)).toBe(true);
  stage.session.reload();
  await until(() => expect(stage.surface.frames).toHaveLength(2));
  await stage.proxy('proxy-ready');
  await expect.poll(() => stage.methods()).toEqual([resourceReady]);
});
