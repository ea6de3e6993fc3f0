import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '../../test/verifies.js';
import { callApi } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { fixtureServer } from '../support/server-commands.js';
import { openStage, type Stage } from '../support/stage.js';
import { browser, casement, useCasement } from '../support/use-casement.js';

let stage: Stage;

useCasement({
  fixture: fixtureServer(),
  crasher: fixtureServer({ name: 'crasher' }),
});

const show = async (tool: string, server = 'fixture'): Promise<void> => {
  stage = await openStage(browser, casement.url, { server, tool, args: {}, run: true });
};

/** Runs another tool of the server in the page that is open. */
const showNext = async (tool: string): Promise<void> => {
  await stage.tool.selectOption(tool);
  await stage.run();
};

const alert = async () => (await stage.page.getByRole('alert').allTextContents()).join(' ');
const toolText = async () => (await stage.page.locator('[data-tool-text]').allTextContents()).join(' ');

const askServer = async (name: string) => {
  const { body } = await callApi(casement, 'POST', '/api/servers/fixture/tools/call', {
    name,
    arguments: {},
    caller: 'user',
    callId: `asked-${name}`,
  });
  return body;
};

const broken = [
  { tool: 'wrong-mime', code: 'resource-mime', rows: ['S1-88', 'S2-36'] },
  { tool: 'no-mime', code: 'resource-mime', rows: ['S1-88', 'S2-36'] },
  { tool: 'empty-contents', code: 'resource-empty', rows: ['S1-87'] },
  { tool: 'empty-text', code: 'resource-empty', rows: ['S1-88'] },
  { tool: 'missing-resource', code: 'resource-missing', rows: ['S1-86', 'S1-89'] },
  { tool: 'bad-base64', code: 'resource-undecodable', rows: ['S1-88'] },
  { tool: 'garbage-resource', code: 'server-garbage', rows: ['S1-89'] },
  { tool: 'huge-resource', code: 'resource-too-large', rows: ['S1-89'] },
];

describe('in one page, which shows a good app after each, one of 50 MB too', () => {
  beforeAll(() => show('well-behaved'));
  afterAll(() => stage.close());
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') {
      await stage.close();
      await show('well-behaved');
    } else await showNext('well-behaved');
    await stage.reaches('ready');
    // What is found after the next run is not left from this one.
    expect(await alert()).toBe('');
  });

  for (const { tool, code, rows } of broken) {
    verifies(rows, `a UI resource that is ${tool} fails as ${code} and leaves the text result`, async () => {
      await showNext(tool);
      await stage.reaches('failed', 40_000);
      expect(await stage.failure()).toBe(code);
      await eventually(alert).toContain(code);
      expect(await alert()).toMatch(/\w+ \w+/);
      await eventually(toolText).toContain(`text result of ${tool}`);
    });
  }
});

describe('each in a page of its own', () => {
  afterEach(() => stage?.close());

  verifies(
    ['HOST-071', 'S1-64', 'S2-47'],
    'a call that hangs can be cancelled: server and app are told',
    async () => {
      await show('hangs');
      await stage.reaches('ready');
      const waiting = stage.page.getByText('Running…');
      await waiting.waitFor();
      await stage.cancel();
      await eventually(() => waiting.count()).toBe(0);
      const app = await stage.app();
      await eventually(() => app.locator('#result').textContent()).toContain('cancelled');
      // Pages closed by the tests before may have cancelled calls of their own.
      await eventually(async () => JSON.stringify(await askServer('executed'))).toMatch(
        /"cancelled":\[[^\]]*"hangs"\]/,
      );
      expect(await stage.page.evaluate(() => 6 * 7)).toBe(42);
    },
  );

  test('a server that crashes in the middle of a call is named, and can be restarted', async () => {
    await show('crashes', 'crasher');
    await eventually(alert).toContain('server-exited');
    await eventually(alert).toMatch(/\b3\b/);
    const { body } = await callApi(casement, 'GET', '/api/servers');
    expect(JSON.stringify(body)).toContain('"exited"');
    expect((await callApi(casement, 'POST', '/api/servers/crasher/restart', {})).status).toBe(200);
    await stage.close();
    await show('well-behaved', 'crasher');
    await stage.reaches('ready');
  });

  test.each(['answers-garbage', 'answers-wrong-shape'])(
    'a server that %s gets a named failure',
    async (tool) => {
      await show(tool);
      await eventually(alert).toContain('server-garbage');
      const { body } = await callApi(casement, 'GET', '/api/servers');
      expect(JSON.stringify(body)).not.toContain('"exited"');
    },
  );

  test('noise and foreign replies before an answer do not spoil it', async () => {
    await show('answers-noise-first');
    await stage.reaches('ready');
    const app = await stage.app();
    await eventually(() => app.locator('#result').textContent()).toContain('the answer after the noise');
  });

  test('a result that says it failed is still a result for the app', async () => {
    await show('answers-an-error');
    await stage.reaches('ready');
    const app = await stage.app();
    await eventually(() => app.locator('#result').textContent()).toContain('"isError":true');
  });

  test('names, descriptions, results and errors with markup are shown as text', async () => {
    const markup = '<img src=x onerror=parent.scripted=1>';
    await show(markup);
    await stage.reaches('failed');
    await eventually(toolText).toContain(`text result of ${markup}`);
    expect(await stage.page.locator('img[src="x"]').count()).toBe(0);
    expect(await stage.page.evaluate(() => 'scripted' in window)).toBe(false);
  });
});
