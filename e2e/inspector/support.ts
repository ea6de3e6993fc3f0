import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { borrowPage, returnPage } from '../support/borrowed-page.js';
import { waitUntil } from '../support/eventually.js';
import { toPageLink, toStage, type DeepLink, type Stage } from '../support/stage.js';

/** How the window of a test is; what is left out is a desktop in light colours. */
interface Look {
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: BrowserContextOptions['colorScheme'];
}

/** The inspector as a person meets it: everything by its role and name. */
export interface InspectorPage {
  readonly page: Page;
  readonly stage: Stage;
  readonly servers: Locator;
  readonly tools: Locator;
  readonly toolSearch: Locator;
  readonly call: Locator;
  readonly toolbar: Locator;
  readonly failure: Locator;
  button(name: string): Locator;
  tab(name: 'Timeline' | 'Console' | 'State' | 'Security'): Locator;
  /** The open panel of the right-hand side. */
  readonly panel: Locator;
  readonly entries: Locator;
  /** A section of the open panel by its heading. */
  section(name: string | RegExp): Locator;
  /** The line that says how the last call went. */
  readonly outcome: Locator;
  choose(server: string, tool?: string): Promise<void>;
  /** Runs the chosen tool and waits until its app is ready, which is another than the one before. */
  runApp(): Promise<void>;
  close(): Promise<void>;
}

const toInspectorPage = (page: Page): InspectorPage => {
  const stage = toStage(page);
  const servers = page.getByRole('listbox', { name: 'Servers' });
  const tools = page.getByRole('listbox', { name: 'Tools' });
  const call = page.getByRole('form', { name: 'Call' });
  const panel = page.getByRole('tabpanel');
  const toolSearch = page.getByRole('searchbox', { name: 'Search tools' });
  const optionOf = (list: Locator, name: string): Locator =>
    list.getByRole('option').filter({ has: page.getByText(name, { exact: true }) });
  /** Only what is in sight of a long list is drawn: the rest is found by its name. */
  const pickTool = async (name: string): Promise<void> => {
    // What an earlier search left out is wanted now.
    if ((await toolSearch.inputValue()) !== '') await toolSearch.fill('');
    await tools.getByRole('option').first().waitFor();
    const option = optionOf(tools, name);
    if ((await option.count()) === 0) await toolSearch.fill(name);
    await option.click();
  };
  return {
    page,
    stage,
    servers,
    tools,
    toolSearch,
    call,
    toolbar: page.getByRole('region', { name: 'Stage' }).getByRole('group', { name: 'App', exact: true }),
    failure: page.getByRole('region', { name: 'Stage' }).getByRole('alert'),
    button: (name) => page.getByRole('button', { name, exact: true }),
    tab: (name) => page.getByRole('tab', { name }),
    panel,
    entries: panel.getByRole('listbox', { name: 'Entries' }),
    section: (name) => panel.getByRole('region', { name, exact: typeof name === 'string' }),
    outcome: call.getByRole('status'),
    choose: async (server, tool) => {
      await optionOf(servers, server).click();
      if (tool !== undefined) await pickTool(tool);
    },
    runApp: async () => {
      const session = async () => (await stage.snapshot())?.session;
      const before = await session();
      await stage.run();
      await waitUntil(session, (now) => now !== undefined && now !== before, { what: 'another app' });
      await stage.reaches('ready');
    },
    close: () => returnPage(page),
  };
};

/** Opens the page in a browser context that nobody else has. */
export const openInspector = async (
  browser: Browser,
  url: string,
  link: DeepLink = {},
  { width = 1440, height = 900, scheme = 'light' }: Look = {},
): Promise<InspectorPage> => {
  const page = await borrowPage(browser, {
    viewport: { width, height },
    colorScheme: scheme,
    locale: 'en-GB',
  });
  // A control that is not there should fail a test before the test's own limit does, and say what was looked for.
  page.setDefaultTimeout(20_000);
  await page.goto(toPageLink(url, link));
  const inspector = toInspectorPage(page);
  // Before its servers are listed the page may still move to another origin; in a narrow window they are out of sight.
  const first = page.locator('[role="listbox"]').getByRole('option', { includeHidden: true }).first();
  await first.waitFor({ state: 'attached' });
  return inspector;
};

/** The text of every option of a list that is drawn. */
export const readOptions = (list: Locator): Promise<string[]> => list.getByRole('option').allInnerTexts();
