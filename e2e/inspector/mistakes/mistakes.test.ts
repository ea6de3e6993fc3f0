import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { eventually, waitUntil } from '../../support/eventually.js';
import { drawTwice, say } from '../../support/guest.js';
import { openStage, shownFrame, type Stage } from '../../support/stage.js';
import { expectTold, noted, startReading, type Cause } from '../../support/told.js';
import { browser, casement, useCasement } from '../../support/use-casement.js';

type Panel = 'State' | 'Security';

const server = join(import.meta.dirname, 'mistakes-server.mjs');
/** Apps that stay silent take the whole limit to fail: they wait beside the other tests. */
const silent = new Map<string, Stage>();

const open = (
  tool: string,
  panel: Panel = 'State',
  settings: Record<string, string> = {},
): Promise<Stage> => {
  const url = new URL(casement.url);
  url.searchParams.set('tab', panel.toLowerCase());
  for (const [name, value] of Object.entries(settings)) url.searchParams.set(name, value);
  return openStage(browser, url.href, { tool, args: {}, run: true });
};

useCasement(['--', process.execPath, server]);

beforeAll(async () => {
  const tools = ['never-initialises', 'eval-before-initialize', 'throws-before-initialize'];
  for (const tool of tools) silent.set(tool, await open(tool));
});

/** What a person can read in a panel that is on screen. */
const panelText = ({ page }: Stage, panel: Panel): Promise<string> =>
  page.getByRole('group', { name: panel, exact: true }).innerText();

const failureText = async ({ page }: Stage): Promise<string> =>
  (await page.getByRole('alert').allInnerTexts()).join(' ');

/** Runs a tool on a page that remembers what is to be read on it, and when. */
const openReading = async (tool: string, onError?: (message: string) => void): Promise<Stage> => {
  const url = new URL(casement.url);
  url.searchParams.set('tab', 'state');
  const stage = await openStage(browser, url.href, { tool, args: {} });
  if (onError) stage.page.on('pageerror', ({ message }) => onError(message));
  await stage.page.getByRole('button', { name: 'Run', exact: true }).waitFor();
  await startReading(stage.page);
  await stage.run();
  return stage;
};

/** The app asked for a size. */
const sized: Cause = ({ leg, dir, raw, t }) =>
  leg === 'app' && dir === 'in' && JSON.stringify(raw).includes('"ui/notifications/size-changed"')
    ? t
    : undefined;

const running = async (tool: string, panel: Panel, settings = {}): Promise<Stage> => {
  const stage = await open(tool, panel, settings);
  await stage.reaches('ready');
  return stage;
};

const failing = async (stage: Stage): Promise<string> => {
  await stage.reaches('failed', 45_000);
  return waitUntil(
    () => failureText(stage),
    (text) => text !== '',
    { what: 'the failure panel' },
  );
};

/** The text of a panel once it has these words. */
const panelWith = (stage: Stage, panel: Panel, words: string): Promise<string> =>
  waitUntil(
    () => panelText(stage, panel),
    (text) => text.includes(words),
    { what: `"${words}" in the panel ${panel}` },
  );

/** Waits for a word that the app says after it was drawn again: whatever it reported until then has come, too. */
const hearFrom = async (stage: Stage, word: string): Promise<void> => {
  const app = await stage.app();
  await drawTwice(app);
  await say(app, word);
  await eventually(async () => JSON.stringify(await stage.recording())).toContain(`"data":"${word}"`);
  await drawTwice(stage.page);
};

describe('the failure panel names cause and fix of', () => {
  test('1: a resource with the wrong MIME type', async () => {
    const stage = await open('wrong-mime');
    const text = await failing(stage);
    expect(text).toContain('resource-mime');
    expect(text).toContain('has the media type text/html, which is not an MCP App');
    expect(text).toContain('Set mimeType to text/html;profile=mcp-app');
    await eventually(() => stage.page.locator('[data-tool-text]').innerText()).toContain(
      'text result of wrong-mime',
    );
    await stage.close();
  });

  test('3: a resource the server does not have', async () => {
    const stage = await open('missing-resource');
    const text = await failing(stage);
    expect(text).toContain('resource-missing');
    expect(text).toContain('ui://mistakes/missing-resource.html');
    expect(text).toContain('Check that the address in the tool matches a resource the server registers.');
    await stage.close();
  });
});

describe('the State tab names cause and fix of', () => {
  test('2: a tool that links its app only by the flat key', async () => {
    const stage = await running('flat-key-only', 'State');
    const text = await panelWith(stage, 'State', '_meta["ui/resourceUri"], which not every host reads');
    expect(text).toContain('Set _meta.ui.resourceUri.');
    await stage.close();
  });

  test('4: a policy on the tool instead of the resource, which is not in force', async () => {
    const stage = await running('csp-on-the-tool', 'State');
    const text = await panelWith(stage, 'State', 'tool._meta.ui.csp has no effect on a tool.');
    expect(text).toContain('Move csp to _meta.ui of the resource.');
    const app = await stage.app();
    await eventually(() => app.locator('#forecast').textContent()).toBe('No forecast');
    await stage.page.getByRole('tab', { name: 'Security' }).click();
    await eventually(() => panelText(stage, 'Security')).toContain('The resource declares no csp');
    const header = stage.page.getByRole('group', { name: 'Content-Security-Policy', exact: true });
    expect(await header.innerText()).toMatch(/connect-src 'none'/);
    await stage.close();
  });

  test('7: a call of a tool that only the model may call', async () => {
    const stage = await running('calls-model-only-tool', 'State');
    const app = await stage.app();
    await eventually(() => app.locator('#outcome').textContent()).toBe('refused');
    await eventually(() => panelText(stage, 'State')).toContain('tool-not-visible');
    const text = await panelWith(stage, 'State', 'The tool "delete-everything" is not visible to apps.');
    expect(text).toContain('Add "app" to _meta.ui.visibility of the tool');
    await stage.close();
  });

  test('8: a bare host name in connectDomains, with the origin that was meant', async () => {
    const stage = await running('bare-host', 'State');
    const text = await panelWith(stage, 'State', 'api.example.com has no scheme');
    expect(text).toContain('Write "https://api.example.com".');
    await stage.page.getByRole('tab', { name: 'Security' }).click();
    await eventually(() => panelText(stage, 'Security')).toContain('Declared but not in force (1)');
    await stage.close();
  });

  test.each(['resize-loop', 'jumping-size', 'full-height'])(
    '10: sizes without end (%s), and stops following',
    async (tool) => {
      const stage = await openReading(tool);
      const words = ['The host stopped following.', 'Report the height of the content, not of the window'];
      await expectTold(stage.page, 'stage', words, sized);
      await eventually(() => panelText(stage, 'State')).toContain(words[0]);
      await panelWith(stage, 'State', words[1] ?? '');
      const height = () => stage.page.locator(shownFrame).evaluate((frame) => frame.clientHeight);
      const before = await height();
      for (const word of ['once', 'twice', 'three times']) await hearFrom(stage, word);
      expect(await height()).toBe(before);
      expect(before).toBeLessThan(2_000);
      await stage.close();
    },
  );

  test('12: a handler behind the generated bridge that throws, with its name', async () => {
    const seen: string[] = [];
    const stage = await openReading('handler-throws', (message) => seen.push(message));
    await stage.reaches('ready');
    const cause = "ontoolresult: Cannot set properties of null (setting 'textContent')";
    const words = 'The app threw an error that nothing caught: Uncaught TypeError: ontoolresult: Cannot set';
    const fix = 'Fix the error, or catch it where it can happen.';
    await expectTold(stage.page, 'stage', [words, fix], noted('finding', { code: 'script-error' }));
    const text = await panelWith(stage, 'State', words);
    expect(text).toContain(fix);
    expect(text).toContain('Findings (1)');
    await eventually(() => seen).toContain(cause);
    await stage.close();
  });

  test('13: nothing, of a listener that comes after the result: it is told once', async () => {
    const stage = await running('listens-late', 'State');
    const app = await stage.app();
    await eventually(() => app.locator('#outcome').textContent()).toBe('1: text result of listens-late');
    expect(await panelText(stage, 'State')).not.toContain('Findings (');
    await stage.close();
  });

  test('10: an app that takes neither theme nor size', async () => {
    const stage = await running('ignores-theme-and-size', 'State', { theme: 'dark' });
    const text = await panelWith(stage, 'State', 'apply theme and styles.variables');
    expect(text).toMatch(/theme\s+dark/);
    expect(text).toContain('the app has not asked for one by ui/notifications/size-changed');
    await stage.close();
  });
});

describe('the Security tab names cause and fix of', () => {
  test('5: a load from a domain that was not declared, with the line that allows it', async () => {
    const stage = await running('undeclared-domain', 'Security');
    await eventually(() => panelText(stage, 'Security')).toContain(
      'connect-src blocked https://api.example.com',
    );
    expect(await panelText(stage, 'Security')).toContain(
      '"_meta": { "ui": { "csp": { "connectDomains": ["https://api.example.com", "https://maps.example.com"] } } }',
    );
    await stage.close();
  });

  test('9: eval, which no metadata allows', async () => {
    const stage = await running('eval-later', 'Security');
    const app = await stage.app();
    await eventually(() => app.locator('#outcome').textContent()).toBe('EvalError');
    const text = await panelWith(stage, 'Security', 'blocked eval');
    expect(text).toContain('No metadata allows eval, new Function');
    expect(text).toContain('compile templates and schemas ahead of time');
    await stage.close();
  });
});

describe('after the time limit of the handshake the failure panel names cause and fix of', () => {
  const late = (tool: string): Promise<string> => {
    const stage = silent.get(tool);
    if (!stage) throw new Error(`${tool} was not opened`);
    return failing(stage);
  };

  test('6: an app that never initialises', async () => {
    const text = await late('never-initialises');
    expect(text).toContain('no-initialize');
    expect(text).toContain('did not send ui/initialize within 30 s');
    expect(text).toMatch(/Fix\s+Look at the console of the frame.*connects to its host when it starts/);
  });

  test('9: an app that eval keeps from initialising', async () => {
    const text = await late('eval-before-initialize');
    expect(text).toContain('eval-blocked');
    expect(text).toContain('The policy blocked eval or new Function');
    expect(text).toMatch(/schema or template library/);
    expect(text).toContain('Build the app without eval and new Function');
  });

  test('11: an app whose script throws before it connects, with the error and its place', async () => {
    const text = await late('throws-before-initialize');
    expect(text).toContain('script-error');
    expect(text).toMatch(/Cannot set properties of null/);
    expect(text).toMatch(/:\d+/);
    expect(text).toContain(
      'Fix the error. Line and column count in the script as it was sent, an inline one usually from its own beginning.',
    );
    const stage = silent.get('throws-before-initialize');
    if (!stage) throw new Error('it was opened above');
    // Without a source map the lines are those of the HTML.
    await eventually(() => failureText(stage)).toContain('the app’s HTML:');
    expect(await failureText(stage)).toContain('The script names no source map');
    await eventually(() => panelText(stage, 'State')).toContain('Findings (1)');
    expect(await panelText(stage, 'State')).toMatch(/Cannot set properties of null/);
  });
});
