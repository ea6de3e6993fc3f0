import type { RecordingEntry } from '@casement/protocol';
import { isRecord } from '@casement/protocol/start';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { waitUntil } from './eventually.js';
import type { StageWindow } from './stage.js';

/*
 * When a person could read something, by the clock of the page they read it on, and how long after its cause that was.
 * The cause is an entry of the recording, which has the same clock, or the person's own click. The clock of the test is
 * never asked: it says how long the test took.
 */

/** Where words are looked for: around the app, in the open tab, or anywhere on the page. */
const places = {
  stage: 'section[aria-label="Stage"]',
  panel: '[role="tabpanel"]',
  page: 'body',
} as const;

type Place = keyof typeof places;

interface Read {
  readonly at: number;
  readonly text: string;
}

interface Reader {
  since: number;
  lastClick: number;
  read: Record<Place, Read[]>;
}

interface ReaderWindow {
  reader?: Reader;
}

/** Runs in the page: keeps each text that is to be read in a place from the moment it is there. */
const keepTexts = (selectors: typeof places): void => {
  const holder = window as ReaderWindow;
  const known = holder.reader;
  const fresh: Reader = { since: Date.now(), lastClick: 0, read: { stage: [], panel: [], page: [] } };
  const reader = Object.assign(known ?? fresh, fresh);
  /** With what stands in shadow roots, as questions do. */
  const readText = (root: HTMLElement | null): string =>
    [root, ...Array.from(root?.querySelectorAll('*') ?? [], ({ shadowRoot }) => shadowRoot)]
      .flatMap((one) => (one instanceof ShadowRoot ? Array.from(one.children) : (one ?? [])))
      .map((one) => (one instanceof HTMLElement ? one.innerText : ''))
      .join('\n');
  const look = (): void => {
    for (const [place, selector] of Object.entries(selectors)) {
      const text = readText(document.querySelector<HTMLElement>(selector));
      const texts = reader.read[place as Place]; // of a table with the same names
      if (texts.at(-1)?.text !== text) texts.push({ at: Date.now(), text });
    }
  };
  look();
  if (known) return;
  holder.reader = reader;
  addEventListener('click', () => (reader.lastClick = Date.now()), true);
  const whatever = { subtree: true, childList: true, characterData: true, attributes: true };
  new MutationObserver(look).observe(document.body, whatever);
  // Nobody is told of changes in a shadow root.
  setInterval(look, 50);
};

/** Runs in the page: when words came to be read that were not there before, and what is there now. */
const findTold = ([place, words]: readonly [Place, readonly string[]]) => {
  const { since = 0, lastClick = 0, read } = (window as ReaderWindow).reader ?? {};
  const texts = read?.[place] ?? [];
  const hasAll = (text = ''): boolean => words.every((word) => text.includes(word));
  const came = texts.filter(({ text }, index) => hasAll(text) && !hasAll(texts[index - 1]?.text));
  return { since, lastClick, told: came.map(({ at }) => at), now: texts.at(-1)?.text };
};

/** Has a page remember what is to be read on it from now on, and from when. */
export const startReading = (page: Page): Promise<void> => page.evaluate(keepTexts, places);

/** The moment something happened, from the recording of the page; undefined for an entry that is another thing. */
export type Cause = (entry: RecordingEntry) => number | undefined;

/** What the person did last. */
export const lastClick = 'the last click';

/** A report of the app's own page, by what is in it: when it was made, if that is not later than it came. */
export const reported =
  (wanted: Readonly<Record<string, unknown>>): Cause =>
  ({ kind, raw, t }) =>
    kind === 'evidence' && hasAll(raw, wanted) && isRecord(raw) && typeof raw.at === 'number'
      ? Math.min(raw.at, t)
      : undefined;

/** An entry of a kind, by what is in it. */
export const noted =
  (wantedKind: RecordingEntry['kind'], wanted: Readonly<Record<string, unknown>> = {}): Cause =>
  ({ kind, raw, t }) =>
    kind === wantedKind && hasAll(raw, wanted) ? t : undefined;

/** The answer of the server to the call of a tool. */
export const answered: Cause = ({ leg, kind, raw, t }) =>
  leg === 'server' && kind === 'response' && isRecord(raw) && isRecord(raw.result) && 'content' in raw.result
    ? t
    : undefined;

const hasAll = (raw: unknown, wanted: Readonly<Record<string, unknown>>): boolean =>
  isRecord(raw) && Object.entries(wanted).every(([name, value]) => raw[name] === value);

const limitMs = 3_000;

/**
 * Waits until all these words have come to be read in a place at one time, and expects that it was so less than three
 * seconds after the cause, the first one since the page was told to remember.
 */
export const expectTold = async (
  page: Page,
  place: Place,
  words: readonly string[],
  cause: Cause | typeof lastClick,
): Promise<void> => {
  const readCauses = async ({
    since,
    lastClick,
  }: {
    since: number;
    lastClick: number;
  }): Promise<number[]> => {
    const found =
      cause === 'the last click'
        ? [lastClick]
        : (await page.evaluate(() => (window as StageWindow).casement?.recording() ?? [])).map(cause);
    return found.filter((at): at is number => at !== undefined && at >= since).sort((a, b) => a - b);
  };
  const look = async () => {
    const { told, now, ...reader } = await page.evaluate(findTold, [place, words] as const);
    const [first] = await readCauses(reader);
    const after = told.find((at) => first !== undefined && at >= first);
    return { first, after, now };
  };
  const { first = NaN, after = NaN } = await waitUntil(look, (seen) => seen.after !== undefined, {
    what: `after its cause: ${words.join(' … ')}`,
  });
  expect(after - first, `${words[0]}: told late`).toBeLessThan(limitMs);
};
