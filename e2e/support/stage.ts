import type { DoctorReport } from '@casement/checks/doctor';
import type { AppSnapshot } from '@casement/host';
import type { RecordingEntry } from '@casement/protocol';
import type { Browser, BrowserContext, Frame, Locator, Page } from 'playwright-core';
import { borrowPage, returnPage } from './borrowed-page.js';
import { waitUntil } from './eventually.js';

type Status = AppSnapshot['status'];

/** What the page puts on its window for automation; the DOM types cannot know it, hence the assertions below. */
export interface StageWindow {
  readonly casement?: {
    snapshot(): AppSnapshot | undefined;
    doctor(): DoctorReport | undefined;
    recording(): RecordingEntry[];
  };
}

export interface DeepLink {
  readonly server?: string;
  readonly tool?: string;
  readonly args?: Record<string, unknown>;
  readonly run?: boolean;
}

/** One page with a stage, seen through its automation contract. */
export interface Stage {
  readonly page: Page;
  readonly context: BrowserContext;
  status(): Promise<string | null>;
  failure(): Promise<string | null>;
  /** Waits for a status; ends early, with the reason, when the app failed instead. */
  reaches(status: Status, timeout?: number): Promise<void>;
  snapshot(): Promise<AppSnapshot | undefined>;
  doctor(): Promise<DoctorReport | undefined>;
  recording(): Promise<RecordingEntry[]>;
  /** How many messages of a method one leg carried; counted in the page, because a flood is long. */
  count(leg: 'app' | 'server', dir: 'in' | 'out', method: string): Promise<number>;
  /** The innermost frame of the page: the app's own document. */
  app(): Promise<Frame>;
  /** What a guest of ours put into its report. */
  report<T extends Record<string, unknown>>(): Promise<T>;
  /** The fields a user fills before running a tool. */
  readonly tool: Locator;
  readonly toolArguments: Locator;
  run(): Promise<void>;
  cancel(): Promise<void>;
  reloadApp(): Promise<void>;
  closeApp(): Promise<void>;
  setTheme(theme: 'light' | 'dark'): Promise<void>;
  close(): Promise<void>;
}

/** Adds a deep link's parameters to the address the CLI gave, leaving the token in the fragment. */
export const toDeepLink = (url: string, { server, tool, args, run }: DeepLink): string => {
  const link = new URL(url);
  if (server !== undefined) link.searchParams.set('server', server);
  if (tool !== undefined) link.searchParams.set('tool', tool);
  if (args !== undefined) link.searchParams.set('args', JSON.stringify(args));
  if (run) link.searchParams.set('run', '1');
  return link.href;
};

/** The same under the page's own name, where its links end up: a page that begins at `localhost` is loaded twice. */
export const toPageLink = (url: string, link: DeepLink): string => {
  const address = new URL(toDeepLink(url, link));
  address.hostname = 'casement.localhost';
  return address.href;
};

const depth = (frame: Frame): number => {
  const parent = frame.parentFrame();
  return parent ? depth(parent) + 1 : 0;
};

/** The outer frame of the app on the stage; frames that wait for a later run are hidden from everybody. */
export const shownFrame = '#stage iframe:not([aria-hidden])';

const outermost = (frame: Frame): Frame => {
  const parent = frame.parentFrame();
  return parent?.parentFrame() ? outermost(parent) : frame;
};

/** Whether a frame waits for a later run, or has gone. */
const isIdle = async (frame: Frame): Promise<boolean> => {
  const hidden = await outermost(frame)
    .frameElement()
    .then((element) => element.getAttribute('aria-hidden'))
    .catch(() => 'gone');
  return hidden !== null;
};

const appFrame = async (page: Page): Promise<Frame> => {
  // Of two apps the later one counts: the one before it may still be saying goodbye.
  const innermost = async (): Promise<Frame | undefined> => {
    const inner = page
      .frames()
      .filter((frame) => depth(frame) >= 2)
      .sort((a, b) => depth(a) - depth(b));
    const idle = await Promise.all(inner.map(isIdle));
    return inner.filter((_, index) => !idle[index]).at(-1);
  };
  const frame = await waitUntil(innermost, (found) => found !== undefined, { what: 'an app frame' });
  if (!frame) throw new Error('unreachable: an absent frame does not pass');
  return frame;
};

/** Wraps an open page. */
export const toStage = (page: Page): Stage => {
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const attribute = (name: string) => page.locator('#stage').getAttribute(name);
  const snapshot = () => page.evaluate(() => (window as StageWindow).casement?.snapshot());
  const recording = () => page.evaluate(() => (window as StageWindow).casement?.recording() ?? []);
  return {
    page,
    context: page.context(),
    status: () => attribute('data-app-status'),
    failure: () => attribute('data-app-failure'),
    reaches: async (status, timeout) => {
      const ends = [status, 'failed'];
      const reached = await waitUntil(
        () => attribute('data-app-status'),
        (current) => ends.includes(current ?? ''),
        { what: `the status ${status}`, timeout },
      );
      if (reached !== status)
        throw new Error(`expected ${status}, but ${reached}: ${JSON.stringify((await snapshot())?.failure)}`);
    },
    snapshot,
    doctor: () => page.evaluate(() => (window as StageWindow).casement?.doctor()),
    recording,
    count: (leg, dir, method) =>
      page.evaluate(
        (wanted) =>
          ((window as StageWindow).casement?.recording() ?? []).filter(
            ({ leg, dir, raw }) =>
              leg === wanted.leg &&
              dir === wanted.dir &&
              typeof raw === 'object' &&
              raw !== null &&
              'method' in raw &&
              raw.method === wanted.method,
          ).length,
        { leg, dir, method },
      ),
    app: () => appFrame(page),
    report: async <T extends Record<string, unknown>>() => {
      const frame = await appFrame(page);
      await frame.waitForSelector('#report[data-done]', { state: 'attached' });
      // The guest is a file of ours: the test that opens it knows what it reports.
      return JSON.parse((await frame.textContent('#report')) ?? '{}') as T;
    },
    tool: page.getByRole('combobox', { name: 'Tool', exact: true }),
    toolArguments: page.getByRole('textbox', { name: 'Arguments', exact: true }),
    run: async () => {
      const before = (await snapshot())?.session;
      await press('Run');
      if (before === undefined) return;
      // The app before this one is ready, too, until it has said goodbye.
      const isNext = (session: string | undefined): boolean => session !== before;
      const what = 'the app of this run';
      await waitUntil(async () => (await snapshot())?.session, isNext, { what });
    },
    cancel: () => press('Cancel'),
    reloadApp: () => press('Reload app'),
    closeApp: () => press('Close app'),
    setTheme: async (theme) => {
      await page.getByRole('combobox', { name: 'Theme', exact: true }).selectOption(theme);
    },
    close: () => returnPage(page),
  };
};

/** Opens the page in a browser context that nobody else has, so that no test sees another's storage or cookies. */
export const openStage = async (browser: Browser, url: string, link: DeepLink = {}): Promise<Stage> => {
  const page = await borrowPage(browser);
  await page.goto(toPageLink(url, link));
  return toStage(page);
};
