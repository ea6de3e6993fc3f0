import type { CallToolResult } from '@casement/protocol';
import type { BareApp } from './bare-app.js';
import { mountBareApp } from './bare-app.js';

/** What the page is told by its server. */
interface BareRunSettings {
  readonly relayUrl: string;
  readonly frameAttributes: Readonly<Record<string, string>>;
  readonly uri: string;
  readonly tool: string;
}

declare global {
  interface Window {
    bareRunSettings: BareRunSettings;
  }
}

const settings = window.bareRunSettings;
/** Whether frames and document are there before the button is pressed. */
const isWarm = new URLSearchParams(location.search).has('warm');

/** Asks the server of the bench, which keeps no session; it answers with one event. */
const ask = async <Result>(method: string, params: object): Promise<Result> => {
  const response = await fetch('/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const line = (await response.text()).split('\n').find((text) => text.startsWith('data: ')) ?? '';
  // The server is the published one that this bench started.
  return (JSON.parse(line.slice('data: '.length)) as { result: Result }).result;
};

const readHtml = async (): Promise<string> => {
  const { contents } = await ask<{ contents: { text: string }[] }>('resources/read', { uri: settings.uri });
  return contents[0]?.text ?? '';
};

const place = document.body.appendChild(document.createElement('div'));
const mount = (): BareApp => mountBareApp(place, { ...settings, answer: { content: [] } });

let shown: BareApp | undefined;
let spare: { app: BareApp; reading: Promise<string> } | undefined;
const prepare = (): void => {
  spare = { app: mount(), reading: readHtml() };
};

const run = async (): Promise<void> => {
  shown?.remove();
  const { app, reading } = spare ?? { app: mount(), reading: readHtml() };
  spare = undefined;
  shown = app;
  void reading.then((html) => app.hand(html));
  app.deliver(await ask<CallToolResult>('tools/call', { name: settings.tool, arguments: {} }));
  // The next run finds its frames ready, too.
  if (isWarm) setTimeout(prepare, 1_000);
};

if (isWarm) prepare();
const button = document.querySelector('button');
button?.addEventListener('click', () => void run());
button?.removeAttribute('disabled');
