import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../../../test/verifies.js';
import { eventually } from '../../support/eventually.js';
import { openStage, type Stage } from '../../support/stage.js';
import { browser, casement, useCasement } from '../../support/use-casement.js';

const server = join(import.meta.dirname, 'legacy-server.mjs');

useCasement(['--', process.execPath, server]);
const open = async (tool: string): Promise<Stage> => {
  const stage = await openStage(browser, casement.url, { tool, args: { location: 'Bern' }, run: true });
  await stage.reaches('ready');
  return stage;
};

/** What a person reads in the app. */
const read = async (stage: Stage): Promise<string> => (await stage.app()).locator('body').innerText();

/** The names the author is told to give up. */
const oldNames = async (stage: Stage): Promise<string[]> =>
  ((await stage.snapshot())?.findings ?? []).filter(({ code }) => code === 'dialect').map(({ path }) => path);

const answerDialog = async (stage: Stage, words: string, button: string): Promise<void> => {
  const dialog = stage.page.getByRole('dialog');
  await eventually(() => dialog.innerText()).toContain(words);
  await dialog.locator('button[aria-disabled="false"]', { hasText: button }).click();
};

verifies(
  ['S1-01', 'S1-02', 'S1-60', 'S1-92', 'S1-97', 'S1-106', 'S1-107', 'S1-118', 'S1-126', 'S1-127'],
  'the first draft’s own sample shows location and temperature though it never shakes hands',
  async () => {
    const stage = await open('weather_dashboard');
    await eventually(() => read(stage)).toBe('Weather for Bern\n\nTemperature: 72°F');
    const { resource, policy } = (await stage.snapshot()) ?? {};
    expect(resource?.shim).toBe(true);
    expect(policy?.effective.connect).toEqual(['https://api.weather.com']);
    // Its author is told of the old link and the old media type.
    const findings = ((await stage.snapshot())?.findings ?? []).map(({ fix }) => fix).join(' ');
    expect(findings).toContain('text/html;profile=mcp-app');
    expect(findings).toContain('_meta.ui.resourceUri');
    await stage.close();
  },
);

verifies(
  ['S1-98', 'S1-99', 'S1-100', 'S1-101', 'S1-102', 'S1-103', 'S1-109', 'S1-110', 'S1-112'],
  'an app works with every method of mcpApp and hears of theme and teardown',
  async () => {
    const stage = await open('mcp_app_methods');
    await eventually(() => read(stage)).toContain('callTool: sunny for 2 days');
    await answerDialog(stage, 'example.com', 'Open');
    await answerDialog(stage, 'It is sunny.', 'Send');
    await eventually(() => read(stage)).toContain('resized');
    const text = await read(stage);
    expect(text).toContain('input: {"location":"Bern"}');
    expect(text).toContain('readResource: a note');
    expect(text).toMatch(/unknown tool failed: .*no-such-tool/);
    expect(text).toContain('openLink: {}');
    expect(text).toContain('sendMessage: {}');
    // The next line on screen changes the size again, so what was asked for is read from the recording.
    const sizes = (await stage.recording()).map(({ raw }) => JSON.stringify(raw));
    expect(sizes.some((raw) => raw.includes('size-changed') && raw.includes('"height":333'))).toBe(true);
    const theme = /theme: (light|dark)/.exec(text)?.[1] === 'dark' ? 'light' : 'dark';
    await stage.setTheme(theme);
    await eventually(() => read(stage)).toContain(`context: ${theme} ${theme}`);
    await stage.closeApp();
    await eventually(async () =>
      (await stage.recording()).filter(
        ({ kind, raw }) => kind === 'lifecycle' && JSON.stringify(raw).includes('"answered"'),
      ),
    ).toHaveLength(1);
    await stage.close();
  },
);

verifies(
  ['S1-01', 'S1-61', 'S1-63'],
  'an app that carries the first draft’s client is understood, told the old name and heard',
  async () => {
    const stage = await open('first_draft');
    await eventually(() => read(stage)).toBe('Room: object\n\nWeather for Bern\n\nTemperature: 72');
    await eventually(async () => (await stage.snapshot())?.size).toMatchObject({ height: 345 });
    expect(await oldNames(stage)).toEqual(expect.arrayContaining(['ui/initialize', 'ui/size-change']));
    const isDark = (await stage.snapshot())?.hostContext.theme === 'dark';
    await stage.setTheme(isDark ? 'light' : 'dark');
    await eventually(() => read(stage)).toContain(`Theme: ${isDark ? 'light' : 'dark'}`);
    expect((await stage.snapshot())?.dialects).toContain('first-draft');
    await stage.close();
  },
);

verifies(
  ['S2-13', 'S2-28', 'S2-30', 'S2-41', 'S2-44', 'S2-46'],
  'an app written from Goose’s glossary finds the tool’s name beside input and result',
  async () => {
    const stage = await open('goose');
    await answerDialog(stage, 'one block', 'Send');
    await eventually(() => read(stage)).toContain('goose for Bern');
    await eventually(() => read(stage)).toContain('goose: 72');
    expect((await stage.snapshot())?.dialects).toContain('goose');
    expect(await oldNames(stage)).toEqual(expect.arrayContaining(['ui/initialize', 'ui/message']));
    await stage.close();
  },
);

verifies(
  ['S3-01', 'S3-05', 'S3-15', 'S3-17'],
  'a widget of FrontMCP uses its camelCase requests and gets input and result without saying it is ready',
  async () => {
    const stage = await open('frontmcp');
    await eventually(() => read(stage)).toContain('registered');
    const text = await read(stage);
    for (const line of [
      'Weather for Bern',
      'Temperature: 72',
      'callServerTool: sunny for 3 days',
      'log: {}',
      'setSize: {}',
      'mode: inline',
      'Zone: string',
    ]) {
      expect(text).toContain(line);
    }
    expect(await oldNames(stage)).toEqual(
      expect.arrayContaining([
        'ui/callServerTool',
        'ui/log',
        'ui/setSize',
        'ui/setDisplayMode',
        'ui/registerTool',
      ]),
    );
    expect((await stage.snapshot())?.dialects).toEqual(['frontmcp']);
    await stage.close();
  },
);

verifies(
  ['S4-22', 'S4-23', 'S4-24', 'S4-25', 'S4-26', 'S4-30'],
  'an app written from the architecture page hears its own names and is torn down by them',
  async () => {
    const stage = await open('architecture_page');
    await eventually(() => read(stage)).toBe('Weather for Bern\n\nTemperature: 72');
    expect((await stage.snapshot())?.dialects).toEqual(['architecture-page']);
    await stage.closeApp();
    await eventually(() => stage.count('app', 'out', 'ui/teardown')).toBe(1);
    await eventually(async () =>
      (await stage.recording()).some(
        ({ kind, raw }) => kind === 'lifecycle' && JSON.stringify(raw).includes('"answered"'),
      ),
    ).toBe(true);
    await stage.close();
  },
);
