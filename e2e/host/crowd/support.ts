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

/** Mounts apps one below the other, each after a gap, in pixels, and a line of text. */
export const fill = async (page: Page, plans: readonly AppPlan[], gap = 0): Promise<void> => {
  await countFrames(page);
  await page.evaluate(
    ([given, space]) => {
      for (const [index, plan] of given.entries()) {
        const line = document.body.appendChild(document.createElement('p'));
        line.id = `line-${index}`;
        line.textContent = `App ${index}`;
        line.style.marginTop = `${space}px`;
        window.showApp(plan);
        window.hostApps.at(-1)?.container.setAttribute('id', `app-${index}`);
      }
      document.body.style.paddingBottom = `${space}px`;
    },
    [plans, gap] as const,
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

/** Waits until an app has made room and its frame is gone. */
export const isEvicted = async (page: Page, index: number): Promise<void> => {
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

/** The words in the place of an app that is not there. */
export const noteOf = (page: Page, index: number): Promise<string | undefined> =>
  page.evaluate(
    (at) => document.querySelector(`#app-${at} [data-app-note]`)?.shadowRoot?.textContent ?? undefined,
    index,
  );

/** Where the line above an app is in the window, at every painted frame while something happens. */
export const readLineTops = async (
  page: Page,
  index: number,
  meanwhile: () => Promise<void>,
): Promise<number[]> => {
  await page.evaluate((at) => {
    const tops: number[] = [];
    window.hostHeld.tops = tops;
    const look = (): void => {
      if (window.hostHeld.tops !== tops) return;
      tops.push(Math.round(document.getElementById(`line-${at}`)?.getBoundingClientRect().top ?? NaN));
      requestAnimationFrame(look);
    };
    look();
  }, index);
  await meanwhile();
  // The last of what was drawn for it.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  return page.evaluate(() => {
    const { tops } = window.hostHeld;
    delete window.hostHeld.tops;
    // Put there above.
    return tops as number[];
  });
};
