import { join } from 'node:path';
import type { Route } from 'playwright-core';
import { afterEach, describe, expect, test } from 'vitest';
import { isRecord } from '@casement/protocol/start';
import { eventually, waitUntil } from '../../support/eventually.js';
import { browser, casement, useCasement } from '../../support/use-casement.js';
import { openInspector, type InspectorPage } from '../support.js';

/*
 * What an author is told of each usual mistake: its cause and what to write, on the stage or one click away. Mistakes that
 * are tried beside it: addresses no host reads (bad-address), sizes without end, handlers that throw, late listeners
 * (mistakes), what servers do (servers), places in bundled code (source-maps), calls that destroy (tool-policy).
 */

const server = join(import.meta.dirname, 'author-server.mjs');

useCasement(['--', process.execPath, server]);

let inspector: InspectorPage;
afterEach(() => inspector.close());

const run = async (tool: string): Promise<InspectorPage> => {
  inspector = await openInspector(browser, casement.url, { tool, args: {}, run: true });
  return inspector;
};

/** The same, with an answer for all that is asked of another origin. */
const runWith = async (
  tool: string,
  origin: string,
  answer: (route: Route) => Promise<void>,
): Promise<void> => {
  inspector = await openInspector(browser, casement.url, { tool, args: {} });
  await inspector.page.route(`${origin}/**`, answer);
  await inspector.stage.run();
};

/** What a person reads around the app, without a click. */
const onStage = (): Promise<string> => inspector.page.getByRole('region', { name: 'Stage' }).innerText();

/** What stands in the State tab. */
const inState = async (): Promise<string> => {
  await inspector.tab('State').click();
  return inspector.panel.innerText();
};

const says = async (read: () => Promise<string>, ...words: readonly string[]): Promise<void> => {
  const isThere = (text: string): boolean => words.every((word) => text.includes(word));
  await waitUntil(read, isThere, { what: words.join(' … ') });
};

/**
 * Expects that the doctor spoke of a stage less than 3 s after the app first had this status, both by the times in the
 * recording. It holds each verdict that changed. A finding that changes no verdict is only in the report, which has no
 * times: rows with nothing but such a finding cannot ask for this.
 */
const isToldInTime = async (stage: string, since: 'handshake' | 'ready'): Promise<void> => {
  const entries = (await inspector.stage.recording()).flatMap(({ t, kind, session, epoch, raw }) =>
    kind === 'lifecycle' && isRecord(raw) ? [{ t, app: `${session} ${epoch}`, raw }] : [],
  );
  const told = entries.findLast(
    ({ raw }) => raw.type === 'doctor' && raw.stage === stage && typeof raw.cause === 'string',
  );
  const event = entries.find(({ app, raw }) => app === told?.app && raw.status === since);
  const took = (told?.t ?? NaN) - (event?.t ?? NaN);
  expect(took).toBeGreaterThanOrEqual(0);
  expect(took).toBeLessThan(3_000);
};

describe('an app without a mistake', () => {
  test('has a stage without a word of the doctor, and nothing in State', async () => {
    await run('healthy');
    await inspector.stage.reaches('ready');
    await says(onStage, '8 of 8 stages passed');
    expect(await inspector.page.getByRole('list', { name: 'Findings about the app' }).count()).toBe(0);
    expect(await inspector.page.getByRole('region', { name: 'What the doctor sees' }).count()).toBe(0);
    expect(await inState()).not.toContain('Fix:');
  });
});

describe('the stage names cause and fix of', () => {
  test('storage at start, with the hosts where it breaks', async () => {
    await run('uses-storage');
    await says(
      onStage,
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
    await says(
      onStage,
      'The app was refused localStorage, and nothing caught the error.',
      'Put try { … } catch { … } around it',
    );
    expect(await inspector.stage.status()).toBe('handshake');
    await isToldInTime('loaded', 'handshake');
    await says(inState, 'Storage is set to none, so the app runs in an opaque frame');
    await storage.selectOption('page');
    await inspector.stage.reaches('ready');
  });

  test('a build of many files', async () => {
    await run('many-files');
    await says(
      onStage,
      'The script /assets/index-D3x.js did not load: its address is relative, and there is nothing it could be relative to.',
      'An app is one HTML document without a server behind it',
      'Build the app as one HTML file with scripts, styles and pictures inside (with Vite: the plugin vite-plugin-singlefile',
    );
    await isToldInTime('loaded', 'handshake');
  });

  test('a file that is not where it is said to be, though declared', async () => {
    const headers = { 'access-control-allow-origin': '*' };
    await runWith('missing-file', 'https://files.example.com', (route) =>
      route.fulfill({ status: 404, headers }),
    );
    await says(
      onStage,
      'The script https://files.example.com/chart.js (<script>) did not load: its server answered 404.',
      'The file is not at that address.',
      'Correct the address or put the file there',
    );
    await isToldInTime('loaded', 'handshake');
  });

  test('a library that cannot be reached, on the stage and in State and recording', async () => {
    const address = 'https://maps.example.com/leaflet.js';
    await runWith('missing-library', 'https://maps.example.com', (route) => route.abort('namenotresolved'));
    await says(
      onStage,
      `The script ${address} (<script>) did not load: the browser does not say why.`,
      'no network, a name that does not resolve',
      'put what it holds into the HTML, so that the app needs no network',
    );
    await isToldInTime('loaded', 'handshake');
    await says(inState, address);
    expect(JSON.stringify(await inspector.stage.recording())).toContain(address);
  });

  test('a script error before the handshake, at once; the app goes on if it connects after all', async () => {
    await run('throws-at-start');
    await says(
      onStage,
      'A script error came before the handshake: ',
      'Cannot set properties of null',
      'Fix the error. The app is waited for all the same: if it sends ui/initialize, it goes on.',
    );
    expect(await inspector.stage.status()).toBe('handshake');
    await isToldInTime('loaded', 'handshake');
    const app = await inspector.stage.app();
    await app.evaluate('window.recover()');
    await inspector.stage.reaches('ready');
    await eventually(() => inspector.page.getByRole('region', { name: 'What the doctor sees' }).count()).toBe(
      0,
    );
    await says(inState, 'The app threw an error that nothing caught: ');
  });

  test('a domain that is not declared, with the line', async () => {
    await run('undeclared-domain');
    await says(
      onStage,
      'The policy blocked https://api.example.com',
      '"_meta": { "ui": { "csp": { "connectDomains": ["https://api.example.com"] } } }',
    );
  });

  test('a result that is not as the outputSchema says, with the path', async () => {
    await run('unlike-its-schema');
    await says(
      onStage,
      'structuredContent is not as the outputSchema of the tool says: #/"high": is of another type.',
      'Correct #/"high" in the result, or the outputSchema',
    );
  });

  test('a result without content', async () => {
    await run('no-content');
    await says(
      onStage,
      'The result has no content: the model reads nothing of it',
      '"content": [{ "type": "text", "text": "…" }]',
    );
  });

  test('annotations that say two things', async () => {
    await run('reads-and-destroys');
    await says(
      onStage,
      'The tool says that it only reads (readOnlyHint) and that it may destroy (destructiveHint).',
      'Remove "destructiveHint": true if it only reads; otherwise write "readOnlyHint": false.',
    );
  });

  test('twelve megabytes of HTML, with what is large in it', async () => {
    await run('twelve-megabytes');
    await says(
      onStage,
      'The HTML has 12.0 MB',
      'data: address in <img> at line',
      'send pictures and data as results of tools',
    );
  });

  test('a page that is wider than its frame', async () => {
    await run('too-wide');
    await says(onStage, 'The content is 3000 px wide in a frame of', 'Let it shrink: no fixed widths');
  });

  test('an app that is ready and shows nothing', async () => {
    await run('shows-nothing');
    await says(onStage, 'The app is ready and shows nothing', 'Draw something before the result is there');
    await isToldInTime('painted', 'ready');
  });

  test('a call of a tool that is not there, with the name that was meant', async () => {
    await run('asks-for-a-tool');
    await says(onStage, 'lists no tool named "poll-foercast"', 'Did you mean "poll-forecast"?');
  });
});

describe('one click away are cause and fix of', () => {
  test('what the app asks the browser for, and hosts do', async () => {
    await run('asks-the-browser');
    await inspector.stage.reaches('ready');
    await says(
      inState,
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
    await run('uses-camera');
    await inspector.stage.reaches('ready');
    await says(
      inState,
      'The app uses camera or microphone, and its resource does not declare that it does, so hosts do not give it.',
      '"_meta": { "ui": { "permissions": { "camera": {}, "microphone": {} } } }',
      '"_meta": { "ui": { "permissions": { "geolocation": {} } } }',
    );
  });

  test('a tool without annotations', async () => {
    await run('no-annotations');
    await says(
      inState,
      'The tool has no annotations: nothing says whether a call does harm, so hosts may ask before each.',
      'Add "annotations": { "readOnlyHint": true } if it only reads',
    );
  });
});

describe('beside the tool are cause and fix of', () => {
  test('one that only the app needs and the model sees', async () => {
    inspector = await openInspector(browser, casement.url, { tool: 'poll-forecast' });
    await says(
      () => inspector.page.locator('body').innerText(),
      'The tool says that it is for the app alone, and the model sees it all the same.',
      'Add "_meta": { "ui": { "visibility": ["app"] } } to the tool.',
    );
  });

  test('a link that stands outside of _meta', async () => {
    inspector = await openInspector(browser, casement.url, { tool: 'ui-outside-meta' });
    await says(
      () => inspector.page.locator('body').innerText(),
      'ui.resourceUri has no effect: hosts read _meta.ui.resourceUri.',
      'Move it: "_meta": { "ui": { "resourceUri": "ui://author/healthy.html" } } on the tool.',
    );
  });
});
