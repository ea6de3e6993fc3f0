import type { Browser, Frame, Locator } from 'playwright-core';
import { waitUntil } from '../support/eventually.js';
import { openInspector, type InspectorPage } from './support.js';

/** The page's chat as a person meets it. */
export interface ChatView extends InspectorPage {
  readonly chat: Locator;
  readonly composer: Locator;
  readonly bar: Locator;
  readonly messages: Locator;
  /** The choice of the app that the tabs are about. */
  readonly appChoice: Locator;
  showView(name: 'Workbench' | 'Chat'): Promise<void>;
  openTab(name: 'Timeline' | 'State' | 'Security' | 'Model'): Promise<void>;
  /** Sends a message and waits until its turn is over. */
  say(text: string): Promise<void>;
  /** Waits until nothing runs any more. */
  settled(): Promise<void>;
  /** The n-th app of the conversation, once it is ready: its place in the thread and its own document. */
  app(index: number): Promise<{ place: Locator; frame: Frame }>;
}

type Look = Parameters<typeof openInspector>[3];

/** An address with parameters added before its fragment. */
export const withParameters = (url: string, parameters: Record<string, string>): string => {
  const address = new URL(url);
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  return address.href;
};

const toDocument = async (place: Locator): Promise<Frame> => {
  const element = await place.locator('iframe').first().elementHandle();
  const proxy = await element?.contentFrame();
  const inner = await waitUntil(
    () => proxy?.childFrames()[0],
    (frame) => frame !== undefined,
    { what: 'the document of an app' },
  );
  if (!inner) throw new Error('unreachable: an absent frame does not pass');
  return inner;
};

/** Gives a page with the chat in it the names a test uses. */
export const toChatView = (inspector: InspectorPage): ChatView => {
  const { page } = inspector;
  const chat = page.getByRole('region', { name: 'Chat', exact: true, includeHidden: true });
  const composer = chat.getByRole('textbox', { name: 'Message', exact: true });
  const settled = async (): Promise<void> => {
    await chat.getByRole('button', { name: 'Send', exact: true }).waitFor();
    await chat.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'hidden' });
  };
  return {
    ...inspector,
    chat,
    composer,
    bar: chat.getByRole('group', { name: 'Conversation', exact: true }),
    messages: chat.locator('li[data-role]'),
    appChoice: page.getByRole('combobox', { name: 'App', exact: true }),
    showView: (name) =>
      page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name, exact: true }).click(),
    openTab: (name) => page.getByRole('tab', { name, exact: true }).click(),
    settled,
    async say(text) {
      const before = await chat.locator('li[data-role]').count();
      await composer.fill(text);
      await chat.getByRole('button', { name: 'Send', exact: true }).click();
      await waitUntil(
        () => chat.locator('li[data-role]').count(),
        (count) => count > before,
        { what: 'the message in the thread' },
      );
      await settled();
    },
    async app(index) {
      const place = chat.locator('[data-mcp-app-id]').nth(index);
      await place.locator('[data-app-status="ready"]').waitFor({ state: 'attached' });
      return { place, frame: await toDocument(place) };
    },
  };
};

/** Turns the page's switch on: calls of the model are not asked about. */
export const runUnasked = ({ bar }: ChatView): Promise<void> =>
  bar.getByLabel('Run tools without asking').check();

/** Opens the page with its chat in a browser context that nobody else has. Published servers annotate no tool: their calls run unasked unless `asks`. */
export const openChat = async (
  browser: Browser,
  url: string,
  parameters: Record<string, string> = {},
  look: Look = {},
  { asks = false }: { readonly asks?: boolean } = {},
): Promise<ChatView> => {
  const view = toChatView(
    await openInspector(browser, withParameters(url, { view: 'chat', ...parameters }), {}, look),
  );
  await view.composer.waitFor({ state: 'attached' });
  if (!asks) await runUnasked(view);
  return view;
};
