import { join } from 'node:path';
import type { Route } from 'playwright-core';
import { afterEach, describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.js';
import {
  answered,
  expectTold,
  lastClick,
  noted,
  reported,
  startReading,
  type Cause,
} from '../../support/told.js';
import { browser, casement, useCasement } from '../../support/use-casement.js';
import { openInspector, type InspectorPage } from '../support.js';

/*
 * What an author is told of each usual mistake: its cause and what to write, on the stage or one click away, within three
 * seconds of what happened. Mistakes that are tried beside it: addresses no host reads (bad-address), sizes without end,
 * handlers that throw, late listeners (mistakes), what servers do (servers), places in bundled code (source-maps), calls
 * that destroy (tool-policy), hooks (react), healthy apps (healthy-apps).
 */

const server = join(import.meta.dirname, 'author-server.mjs');

useCasement(['--', process.execPath, server]);

let inspector: InspectorPage;
afterEach(() => inspector.close());

interface Plan {
  /** The click that leads to the words, made before the app runs. */
  readonly tab?: 'State';
  readonly locale?: string;
  /** An answer for all that is asked of another origin. */
  readonly answers?: readonly [origin: string, answer: (route: Route) => Promise<void>];
}

/** Runs a tool on a page that remembers what is to be read on it, and when. */
const run = async (tool: string, { tab, locale, answers }: Plan = {}): Promise<void> => {
  const url = new URL(casement.url);
  if (locale !== undefined) url.searchParams.set('locale', locale);
  inspector = await openInspector(browser, url.href, { tool, args: {} });
  if (answers) await inspector.page.route(`${answers[0]}/**`, answers[1]);
  if (tab) await inspector.tab(tab).click();
  await startReading(inspector.page);
  await inspector.stage.run();
};

/** What stands around the app, without a click, soon after its cause. */
const stageSays = (cause: Cause | typeof lastClick, ...words: readonly string[]): Promise<void> =>
  expectTold(inspector.page, 'stage', words, cause);

/** What stands in the open tab, soon after its cause. */
const tabSays = (cause: Cause | typeof lastClick, ...words: readonly string[]): Promise<void> =>
  expectTold(inspector.page, 'panel', words, cause);

/** What stands in the State tab after a click. */
const inState = async (): Promise<string> => {
  await inspector.tab('State').click();
  return inspector.panel.innerText();
};

const loadFailed = reported({ kind: 'load-failed' });
const apiUsed = reported({ kind: 'api' });
/** The app’s document said that nothing caught an error. */
const thrown = noted('finding', { code: 'script-error' });
/** The app asked its host for something. */
const asked =
  (method: string): Cause =>
  ({ leg, dir, raw, t }) =>
    leg === 'app' && dir === 'in' && (raw as { method?: unknown } | null)?.method === method ? t : undefined; // a message, if it is one of that method

describe('an app without a mistake', () => {
  test('has a stage without a word of the doctor, and nothing in State', async () => {
    await run('healthy');
    await inspector.stage.reaches('ready');
    await eventually(() => inspector.page.getByRole('status', { name: 'Doctor' }).innerText()).toMatch(
      /^8 of 8 stages passed/,
    );
    expect(await inspector.page.getByRole('list', { name: 'Findings about the app' }).count()).toBe(0);
    expect(await inspector.page.getByRole('region', { name: 'What the doctor sees' }).count()).toBe(0);
    await eventually(inState).toContain('8 of 8 stages passed');
    expect(await inState()).not.toContain('Fix:');
  });
});

describe('the stage names cause and fix of', () => {
  test('storage at start, with the hosts where it breaks', async () => {
    await run('uses-storage');
    await stageSays(
      apiUsed,
      'The app uses localStorage while it starts.',
      'hosts that give apps an opaque origin (KiroCrew, PostHog Code and others)',
      'stays blank',
      'Put try { … } catch { … } around it',
    );
  });

  test('the same where Storage is set to none, as such a host shows the app', async () => {
    await run('uses-storage');
    await inspector.stage.reaches('ready');
    const storage = inspector.page.getByRole('combobox', { name: 'Storage', exact: true });
    await storage.selectOption('none');
    await stageSays(
      reported({ kind: 'api', outcome: 'refused', unguarded: true }),
      'The app was refused localStorage, and nothing caught the error.',
      'Put try { … } catch { … } around it',
    );
    expect(await inspector.stage.status()).toBe('handshake');
    await eventually(inState).toContain('Storage is set to none, so the app runs in an opaque frame');
    await storage.selectOption('page');
    await inspector.stage.reaches('ready');
  });

  test('a build of many files', async () => {
    await run('many-files');
    await stageSays(
      loadFailed,
      'The script /assets/index-D3x.js did not load: its address is relative, and there is nothing it could be relative to.',
      'An app is one HTML document without a server behind it',
      'Build the app as one HTML file with scripts, styles and pictures inside (with Vite: the plugin vite-plugin-singlefile',
    );
  });

  test('a file that is not where it is said to be, though declared', async () => {
    const headers = { 'access-control-allow-origin': '*' };
    await run('missing-file', {
      answers: ['https://files.example.com', (route) => route.fulfill({ status: 404, headers })],
    });
    await stageSays(
      loadFailed,
      'The script https://files.example.com/chart.js (<script>) did not load: its server answered 404.',
      'The file is not at that address.',
      'Correct the address or put the file there',
    );
  });

  test('a picture that does not come, though the app goes on without it', async () => {
    await run('missing-picture', {
      answers: ['https://files.example.com', (route) => route.abort('connectionrefused')],
    });
    const address = 'https://files.example.com/map.png';
    await stageSays(
      loadFailed,
      `The picture ${address} (<img>) did not load: the browser does not say why.`,
      `Open ${address} in a browser and see what answers`,
    );
    expect(await inspector.stage.status()).toBe('ready');
  });

  test('a library that cannot be reached, on the stage and in State and recording', async () => {
    const address = 'https://maps.example.com/leaflet.js';
    await run('missing-library', {
      answers: ['https://maps.example.com', (route) => route.abort('namenotresolved')],
    });
    await stageSays(
      loadFailed,
      `The script ${address} (<script>) did not load: the browser does not say why.`,
      'no network, a name that does not resolve',
      'put what it holds into the HTML, so that the app needs no network',
    );
    await eventually(inState).toContain(address);
    expect(JSON.stringify(await inspector.stage.recording())).toContain(address);
  });

  test('a script error before the handshake, at once; the app goes on if it connects after all', async () => {
    await run('throws-at-start');
    await stageSays(
      thrown,
      'A script error came before the handshake: ',
      'Cannot set properties of null',
      'Fix the error. The host goes on waiting: if the app sends ui/initialize after all, it runs.',
    );
    expect(await inspector.stage.status()).toBe('handshake');
    const app = await inspector.stage.app();
    await app.evaluate('window.recover()');
    await inspector.stage.reaches('ready');
    await eventually(() => inspector.page.getByRole('region', { name: 'What the doctor sees' }).count()).toBe(
      0,
    );
    await eventually(inState).toContain('The app threw an error that nothing caught: ');
  });

  test('a domain that is not declared, with the line', async () => {
    await run('undeclared-domain');
    await stageSays(
      noted('violation'),
      'The policy blocked https://api.example.com',
      '"_meta": { "ui": { "csp": { "connectDomains": ["https://api.example.com"] } } }',
    );
  });

  test('a result that is not as the outputSchema says, with the path', async () => {
    await run('unlike-its-schema');
    await stageSays(
      answered,
      'structuredContent is not as the outputSchema of the tool says: #/"high": is of another type.',
      'Correct #/"high" in the result, or the outputSchema',
    );
  });

  test('a result without content', async () => {
    await run('no-content');
    await stageSays(
      answered,
      'The result has no content: the model reads nothing of it',
      '"content": [{ "type": "text", "text": "…" }]',
    );
  });

  test('annotations that say two things', async () => {
    await run('reads-and-destroys');
    await stageSays(
      lastClick,
      'The tool says that it only reads (readOnlyHint) and that it may destroy (destructiveHint).',
      'Remove "destructiveHint": true if it only reads; otherwise write "readOnlyHint": false.',
    );
  });

  test('twelve megabytes of HTML, with what is large in it', async () => {
    await run('twelve-megabytes');
    await stageSays(
      noted('lifecycle', { type: 'resource-read' }),
      'The HTML has 12.0 MB',
      'data: address in <img> at line',
      'send pictures and data as results of tools',
    );
  });

  test('a page that is wider than its frame', async () => {
    await run('too-wide');
    await stageSays(
      reported({ kind: 'painted' }),
      'The content is 3000 px wide in a frame of',
      'Let it shrink: no fixed widths',
    );
  });

  test('an app that is ready and shows nothing', async () => {
    await run('shows-nothing');
    await stageSays(
      noted('lifecycle', { status: 'ready' }),
      'The app is ready and shows nothing',
      'Draw something before the result is there',
    );
  });

  test('a call of a tool that is not there, with the name that was meant', async () => {
    await run('asks-for-a-tool');
    await stageSays(
      asked('tools/call'),
      'lists no tool named "poll-foercast"',
      'Did you mean "poll-forecast"?',
    );
  });
});

describe('one click away are cause and fix of', () => {
  test('what the app asks the browser for, and hosts do', async () => {
    await run('asks-the-browser', { tab: 'State' });
    await tabSays(
      apiUsed,
      'The app calls alert(). Hosts do not let apps open such windows: nothing is shown, and the call returns at once.',
      'Show the text in the app itself; to say it in the conversation, send ui/message.',
      'The app calls confirm().',
      'Ask in the app itself, with a <dialog> element or two buttons',
      'The app calls prompt().',
      'Ask in the app itself, with an <input> in a <dialog> element',
      'The app calls window.open(). Hosts do not let apps open windows: nothing opens.',
      'Send ui/open-link with the address, when the user clicks',
      'The app calls print(). Hosts do not let apps print: nothing happens.',
      'Send ui/download-file with the document as a file',
      'The app asks the browser for picture-in-picture',
      'Send ui/request-display-mode with the mode "pip"',
      'The app uses the clipboard, and its resource does not declare that it does',
      '"_meta": { "ui": { "permissions": { "clipboardWrite": {} } } }',
    );
  });

  test('camera and location that are not declared, with the line', async () => {
    await run('uses-camera', { tab: 'State' });
    await tabSays(
      apiUsed,
      'The app uses camera or microphone, and its resource does not declare that it does, so hosts do not give it.',
      '"_meta": { "ui": { "permissions": { "camera": {}, "microphone": {} } } }',
      'The app uses the location, and its resource does not declare that it does',
      '"_meta": { "ui": { "permissions": { "geolocation": {} } } }',
    );
  });

  test('a policy of the resource that stands where no host looks, with the line', async () => {
    await run('policy-outside-ui', { tab: 'State' });
    await tabSays(
      noted('lifecycle', { type: 'resource' }),
      '_meta.csp has no effect: hosts read _meta.ui.csp.',
      'Move it: "_meta": { "ui": { "csp": { … } } } on the resource.',
    );
  });

  test('a tool without annotations', async () => {
    await run('no-annotations', { tab: 'State' });
    await tabSays(
      lastClick,
      'The tool has no annotations: nothing says whether a call does harm, so hosts may ask before each.',
      'Add "annotations": { "readOnlyHint": true } if it only reads',
    );
  });
});

describe('beside the tool are cause and fix of', () => {
  const choose = async (tool: string): Promise<void> => {
    inspector = await openInspector(browser, casement.url, { tool: 'healthy' });
    await startReading(inspector.page);
    await inspector.choose('author', tool);
  };
  const callSays = (...words: readonly string[]): Promise<void> =>
    expectTold(inspector.page, 'page', words, lastClick);

  test('one that only the app needs and the model sees', async () => {
    await choose('poll-forecast');
    await callSays(
      'The tool says that it is for the app alone, and the model sees it all the same.',
      'Add "_meta": { "ui": { "visibility": ["app"] } } to the tool.',
    );
  });

  test('a link that stands outside of _meta', async () => {
    await choose('ui-outside-meta');
    await callSays(
      'ui.resourceUri has no effect: hosts read _meta.ui.resourceUri.',
      'Move it: "_meta": { "ui": { "resourceUri": "ui://author/healthy.html" } } on the tool.',
    );
  });

  test('hints that are missing or say two things, with those that are there', async () => {
    await choose('reads-and-destroys');
    const hints = inspector.call.getByRole('list', { name: 'What the tool says of itself' });
    await eventually(() => hints.getByRole('listitem').allInnerTexts()).toEqual([
      'reads only',
      'may destroy',
    ]);
    await callSays(
      'The tool says that it only reads (readOnlyHint) and that it may destroy (destructiveHint).',
      'Remove "destructiveHint": true if it only reads',
    );
    await startReading(inspector.page);
    await inspector.choose('author', 'no-annotations');
    await eventually(() => hints.count()).toBe(0);
    await inspector.call.getByText('1 remark').click();
    await callSays(
      'The tool has no annotations: nothing says whether a call does harm',
      'Add "annotations": { "readOnlyHint": true } if it only reads',
    );
  });
});

describe('language and direction of a document', () => {
  test('that names none are asked for one click away, with the line', async () => {
    await run('names-no-language', { tab: 'State', locale: 'de-DE' });
    await tabSays(
      noted('lifecycle', { status: 'ready' }),
      'The document does not say in which language it is, though the app was told the locale de-DE',
      'document.documentElement.lang = hostContext.locale;',
    );
    // In a language that is written from left to right nothing else is wrong with it.
    expect(await inspector.page.getByRole('list', { name: 'Findings about the app' }).count()).toBe(0);
  });

  test('that does not follow a locale from right to left is told on the stage, with the lines', async () => {
    await run('names-no-language', { locale: 'ar-EG' });
    await stageSays(
      noted('lifecycle', { status: 'ready' }),
      'The app was told the locale ar-EG, which is written from right to left, and its document is laid out from left to right.',
      'document.documentElement.lang = hostContext.locale; document.documentElement.dir = "rtl";',
    );
  });

  test('that contradict each other are told on the stage, with the tag', async () => {
    await run('contradicts-its-language', { locale: 'en-GB' });
    await stageSays(
      noted('lifecycle', { status: 'ready' }),
      'The document says that its language is he, which is written from right to left, and it is laid out from left to right.',
      'Write the direction beside the language: <html lang="he" dir="rtl">.',
    );
  });

  test('that follow the locale, late as it is told, are no finding', async () => {
    await run('follows-the-locale', { tab: 'State', locale: 'ar-EG' });
    await inspector.stage.reaches('ready');
    const isThere = async () => (await inspector.stage.doctor())?.stages.at(-1)?.verdict;
    await eventually(isThere).toBe('passed');
    // The doctor looks once more after everything is quiet.
    const { ready = 0 } = (await inspector.stage.snapshot())?.times ?? {};
    await inspector.page.waitForFunction((at) => Date.now() > at + 3_000, ready);
    expect((await inspector.stage.doctor())?.findings).toEqual([]);
    const told = (await inspector.stage.recording()).filter(
      ({ kind, raw }) => kind === 'finding' && JSON.stringify(raw).includes('"type":"doctor"'),
    );
    expect(told).toEqual([]);
  });
});
