import { describe, expect, test } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import { createStage, initializeParams, settle } from './stage.test-support.js';

describe('display modes', () => {
  const inlineAndFull = {
    ...initializeParams,
    appCapabilities: { availableDisplayModes: ['inline', 'fullscreen', 'cinema'] },
  };

  verifies(
    ['HOST-049', 'HOST-053', 'HOST-052', 'S1-119', 'S3-04'],
    'change on request: the answer, the notification and the surface agree',
    async () => {
      const stage = createStage({ displayModes: ['inline', 'fullscreen'] });
      await stage.ready(inlineAndFull);
      expect(stage.session.getSnapshot().hostContext.availableDisplayModes).toEqual(['inline', 'fullscreen']);
      const before = stage.received.length;
      const { result } = await stage.ask(1, 'ui/request-display-mode', { mode: 'fullscreen' });
      expect(result).toEqual({ mode: 'fullscreen' });
      expect(stage.surface.modes).toEqual(['fullscreen']);
      expect(stage.received.slice(before).find(({ method }) => method)?.params).toEqual({
        displayMode: 'fullscreen',
        containerDimensions: { width: 1200, height: 800 },
      });
      stage.session.setDisplayMode('inline');
      await settle();
      expect(stage.received.at(-1)).toMatchObject({
        method: 'ui/notifications/host-context-changed',
        params: { displayMode: 'inline' },
      });
      expect(stage.surface.frames).toHaveLength(1);
    },
  );

  verifies('S1-48', 'are inline, pip and fullscreen, and an app begins inline', async () => {
    const stage = createStage({ displayModes: ['inline', 'fullscreen', 'pip'] });
    await stage.ready();
    expect(stage.session.getSnapshot().displayMode).toBe('inline');
    for (const mode of ['pip', 'fullscreen', 'inline']) {
      expect(await stage.ask(mode, 'ui/request-display-mode', { mode })).toHaveProperty('result', { mode });
    }
    expect(stage.surface.modes).toEqual(['pip', 'fullscreen', 'inline']);
    for (const mode of ['carousel', 'modal', '']) {
      expect(await stage.ask(mode, 'ui/request-display-mode', { mode })).toHaveProperty('error.code', -32602);
    }
  });

  verifies('HOST-050', 'that the host does not offer are answered with the current one', async () => {
    const stage = createStage();
    await stage.ready();
    const { result } = await stage.ask(1, 'ui/request-display-mode', { mode: 'pip' });
    expect(result).toEqual({ mode: 'inline' });
    expect(stage.surface.modes).toEqual([]);
    expect(stage.kinds('decision')).toMatchObject([{ allow: false, code: 'display-mode-refused' }]);
  });

  verifies(
    ['HOST-048', 'HOST-051'],
    'that the app did not declare are never entered, whoever asks',
    async () => {
      const stage = createStage({
        displayModes: ['inline', 'fullscreen', 'pip'],
        onDisplayMode: () => 'pip',
      });
      await stage.ready(inlineAndFull);
      stage.session.setDisplayMode('pip');
      expect(await stage.ask(1, 'ui/request-display-mode', { mode: 'pip' })).toMatchObject({
        result: { mode: 'inline' },
      });
      // The hook answers with an undeclared mode to a declared wish.
      expect(await stage.ask(2, 'ui/request-display-mode', { mode: 'fullscreen' })).toMatchObject({
        result: { mode: 'inline' },
      });
      expect(stage.surface.modes).toEqual([]);
      expect(stage.session.getSnapshot().displayMode).toBe('inline');
    },
  );

  verifies('HOST-048', 'fall back to a declared one when the app starts in another', async () => {
    const stage = createStage({
      displayModes: ['inline', 'fullscreen'],
      hostContext: { displayMode: 'fullscreen' },
    });
    await stage.ready({ ...initializeParams, appCapabilities: { availableDisplayModes: ['inline'] } });
    expect(stage.received.find(({ id }) => id === 'init')?.result?.hostContext).toMatchObject({
      displayMode: 'inline',
    });
  });

  verifies('S5-50', 'on offer are those both know, and no other is ever entered', async () => {
    const cases: [readonly string[] | undefined, readonly string[]][] = [
      [undefined, ['inline', 'fullscreen']],
      [['inline'], ['inline']],
      [
        ['fullscreen', 'inline', 'pip'],
        ['inline', 'fullscreen'],
      ],
      [['pip'], ['inline']],
    ];
    for (const [availableDisplayModes, both] of cases) {
      const stage = createStage({ displayModes: ['inline', 'fullscreen'] });
      await stage.ready({
        ...initializeParams,
        appCapabilities: availableDisplayModes ? { availableDisplayModes } : {},
      });
      expect(stage.session.getSnapshot().displayModes).toEqual(both);
      for (const mode of ['fullscreen', 'pip', 'inline'] as const) {
        const current = stage.session.getSnapshot().displayMode;
        const isShared = both.includes(mode) && (availableDisplayModes ?? both).includes(mode);
        const expected = isShared ? mode : current;
        // A refusal answers with the mode in force, whoever asked.
        expect(await stage.ask(mode, 'ui/request-display-mode', { mode })).toHaveProperty('result', {
          mode: expected,
        });
        stage.session.setDisplayMode(mode);
        expect(stage.session.getSnapshot().displayMode).toBe(expected);
      }
    }
  });

  test('other than inline need an action of the user, and spam changes nothing (B24)', async () => {
    const stage = createStage({ displayModes: ['inline', 'fullscreen'] });
    await stage.ready();
    stage.surface.isActive = false;
    expect(await stage.ask(0, 'ui/request-display-mode', { mode: 'fullscreen' })).toMatchObject({
      result: { mode: 'inline' },
    });
    stage.surface.isActive = true;
    for (let id = 1; id <= 30; id += 1) {
      await stage.ask(id, 'ui/request-display-mode', { mode: id % 2 ? 'fullscreen' : 'inline' });
    }
    expect(stage.surface.modes.length).toBeLessThanOrEqual(10);
    expect(await stage.ask('odd', 'ui/request-display-mode', { mode: 'cinema' })).toMatchObject({
      error: { code: -32602 },
    });
  });
});

describe('sizes', () => {
  const report = (params: Record<string, unknown>) => ({
    jsonrpc: '2.0',
    method: 'ui/notifications/size-changed',
    params,
  });

  verifies(
    ['HOST-043', 'S2-11'],
    'on a flexible axis are applied, clamped to 0 and the maximum',
    async () => {
      const stage = createStage({ hostContext: { containerDimensions: { maxHeight: 1000, maxWidth: 800 } } });
      await stage.ready();
      await stage.send(report({ height: 420.4, width: 300 }));
      await stage.send(report({ height: 1e9, width: 1e9 }));
      await stage.send(report({ height: -1 }));
      await stage.send(report({ width: 250 }));
      expect(stage.surface.sizes).toEqual([
        { width: 300, height: 421 },
        { width: 800, height: 1000 },
        { height: 0 },
        { width: 250 },
      ]);
      expect(stage.session.getSnapshot().size).toEqual({ width: 250 });
    },
  );

  verifies('HOST-044', 'on a fixed axis change nothing', async () => {
    const stage = createStage({ hostContext: { containerDimensions: { height: 400, width: 600 } } });
    await stage.ready();
    await stage.send(report({ height: 900, width: 900 }));
    expect(stage.surface.sizes).toEqual([]);
  });

  test('on an axis nobody bounded follow the app up to the limit, and both may be left out', async () => {
    const stage = createStage({
      hostContext: { containerDimensions: {} },
      limits: { maxHeight: 3000 },
    });
    await stage.ready();
    const answer = stage.received.find(({ id }) => id === 'init');
    expect(answer?.result?.hostContext).not.toHaveProperty('containerDimensions');
    for (const height of [200, 2500, 9000]) await stage.send(report({ height, width: 5000 }));
    // The width of the place stays the place's own: views report their window's, not their content's.
    expect(stage.surface.sizes).toEqual([{ height: 200 }, { height: 2500 }, { height: 3000 }]);
  });

  test('are judged axis by axis', async () => {
    const stage = createStage({ hostContext: { containerDimensions: { height: 300, maxWidth: 500 } } });
    await stage.ready();
    await stage.send(report({ height: 900, width: 900 }));
    expect(stage.surface.sizes).toEqual([{ width: 500 }]);
    stage.session.sendHostContextChanged({ containerDimensions: { width: 400, maxHeight: 700 } });
    await stage.send(report({ height: 900, width: 900 }));
    expect(stage.surface.sizes.at(-1)).toEqual({ height: 700 });
    // Another room is no other document.
    expect(stage.session.getSnapshot()).toMatchObject({ status: 'ready', epoch: 1 });
    expect(stage.surface.frames).toHaveLength(1);
  });

  test('that are no sizes are refused without effect (B23)', async () => {
    const stage = createStage();
    await stage.ready();
    for (const height of [NaN, Infinity, '100vw;position:fixed', null, {}, []])
      await stage.send(report({ height }));
    expect(stage.surface.sizes).toEqual([]);
    expect(stage.session.getSnapshot().status).toBe('ready');
  });

  test('that only answer the last change are no longer followed', async () => {
    const stage = createStage();
    await stage.ready();
    // A page of 100vh plus 20 px of padding: every applied height brings the next report.
    for (let step = 1; step <= 40; step += 1) {
      const height = stage.surface.sizes.at(-1)?.height ?? 200;
      await stage.send(report({ height: height + 20 }));
    }
    expect(stage.surface.sizes.length).toBeLessThanOrEqual(12);
    await stage.send(report({ height: 900 }));
    expect(stage.surface.sizes.at(-1)).toEqual({ height: 900 });
  });
});
