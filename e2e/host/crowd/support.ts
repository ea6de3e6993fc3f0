import type { AppSnapshot } from '@casement/host';
import type { Frame, Page } from 'playwright-core';
import { eventually } from '../../support/eventually.js';
import { guestIn } from '../../support/guest.js';
import type { AppPlan } from '../support.js';

/** What a page of many apps keeps of them. */
interface Crowd {
  maxFrames: number;
}

declare global {
  interface Window {
    crowd: Crowd;
  }
}

/** Counts the frames of the page from now on, at every change of it. */
export const countFrames = (page: Page): Promise<void> =>
  page.evaluate(() => {
    window.crowd = { maxFrames: 0 };
    const count = (): void => {
      const frames = document.querySelectorAll('iframe').length;
      window.crowd.maxFrames = Math.max(window.crowd.maxFrames, frames);
    };
    new MutationObserver(count).observe(document, { childList: true, subtree: true });
    count();
  });

/** Mounts so many apps one below the other, each after a line of text. */
export const fill = async (page: Page, count: number, plan: AppPlan): Promise<void> => {
  await countFrames(page);
  await page.evaluate(
    ([total, given]) => {
      for (let index = 0; index < total; index += 1) {
        const line = document.body.appendChild(document.createElement('p'));
        line.id = `line-${index}`;
        line.textContent = `App ${index}`;
        window.showApp(given);
        const { container } = window.hostApps[index] ?? {};
        if (container) container.id = `app-${index}`;
      }
    },
    [count, plan] as const,
  );
};

export const statusesOf = (page: Page): Promise<AppSnapshot['status'][]> =>
  page.evaluate(() => window.hostApps.map(({ app }) => app.getSnapshot().status));

export const statusOf = async (page: Page, index: number): Promise<AppSnapshot['status'] | undefined> =>
  (await statusesOf(page))[index];

/** Brings the line above an app to the top of the window. */
export const scrollTo = (page: Page, index: number): Promise<void> =>
  page.evaluate((at) => document.getElementById(`line-${at}`)?.scrollIntoView({ block: 'start' }), index);

/** Scrolls to an app and waits until it is there. */
export const visit = async (page: Page, index: number): Promise<void> => {
  await scrollTo(page, index);
  await eventually(() => statusOf(page, index)).toBe('ready');
};

/** Visits apps one after the other. */
export const visitAll = async (page: Page, indexes: readonly number[]): Promise<void> => {
  for (const index of indexes) await visit(page, index);
};

/** Scrolls down until an app has made room for others. */
export const leave = async (page: Page, index: number, count: number): Promise<void> => {
  for (let next = index + 1; next < count && (await statusOf(page, index)) !== 'evicted'; next += 1)
    await visit(page, next);
  await eventually(() => statusOf(page, index)).toBe('evicted');
  await eventually(() => page.locator(`#app-${index} iframe`).count()).toBe(0);
};

export const guestAt = (page: Page, index: number): Promise<Frame> =>
  guestIn(page.locator(`#app-${index} iframe`));

export const lifecycleOf = (page: Page, index: number): Promise<Record<string, unknown>[]> =>
  page.evaluate(
    (at) =>
      (window.hostApps[at]?.recording.entries() ?? []).flatMap(({ kind, raw }) =>
        // Entries of this kind are objects with a type.
        kind === 'lifecycle' ? [raw as Record<string, unknown>] : [],
      ),
    index,
  );

export const maxFrames = (page: Page): Promise<number> => page.evaluate(() => window.crowd.maxFrames);
