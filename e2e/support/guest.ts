import { readFileSync } from 'node:fs';
import type { Frame, Locator, Page } from 'playwright-core';
import { waitUntil } from './eventually.js';

const bridge = readFileSync(new URL('../fixtures/guest-bridge.js', import.meta.url), 'utf8');

/** An app with the bridge and a script of its own. */
export const toApp = (script: string, style = ''): string =>
  `<!doctype html><title>guest</title><style>${style}</style><body><p id="shown">guest</p><input aria-label="in the app"><pre id="report"></pre><script>${bridge}</script><script type="module">${script}</script></body>`;

/** An app that says hello and then does nothing. */
export const quietApp = toApp('await bridge.initialize();');

/** The document of an app: the frame inside the proxy, which this element of the page is. */
export const guestIn = async (proxy: Locator): Promise<Frame> => {
  const find = async (): Promise<Frame | undefined> => {
    const handle = await proxy.elementHandle();
    return (await handle?.contentFrame())?.childFrames()[0];
  };
  const frame = await waitUntil(find, (inner) => inner !== undefined, { what: 'The frame of the app' });
  if (!frame) throw new Error('unreachable: an absent frame does not pass');
  return frame;
};

/** What the guest's bridge keeps; the types of its document cannot know it. */
type GuestWindow = {
  bridge: {
    received: { method?: string; params?: unknown }[];
    request(method: string, params: object): Promise<unknown>;
  };
};

/** The parameters of the messages that a guest got so far, by method. */
export const receivedBy = (guest: Frame, method: string): Promise<unknown[]> =>
  guest.evaluate(
    (name) =>
      (globalThis as unknown as GuestWindow).bridge.received
        .filter((message) => message.method === name)
        .map(({ params }) => params),
    method,
  );

/** Has an app log a text: once the host has it, it has all that the app sent before. */
export const say = (guest: Frame, data: string): Promise<void> =>
  guest.evaluate((text) => {
    const params = { level: 'info', data: text };
    parent.postMessage({ jsonrpc: '2.0', method: 'notifications/message', params }, '*');
  }, data);

/** Has a guest with the bridge ask its host whether it is there, and waits for the answer. */
export const askHost = (guest: Frame): Promise<unknown> =>
  guest.evaluate(() => (globalThis as unknown as GuestWindow).bridge.request('ping', {}));

/** Waits until a document was drawn twice: what was asked of its layout before is done. */
export const drawTwice = (shown: Frame | Page): Promise<void> =>
  shown.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );

/** What the guest put into its report, once it is there. */
export const reportOf = async (guest: Frame): Promise<unknown> => {
  const element = await guest.waitForSelector('#report[data-done]', { state: 'attached' });
  return JSON.parse((await element.textContent()) ?? 'null');
};
