import type { toPrintable } from '@casement/protocol/basics';
import { createButton } from './chrome-row.js';
import type { ChromeWords } from '../host-words.js';

const shownSites = 3;

// What the user has read once is not told again for the same server and the same places.
const dismissed = new Set<string>();

/** A line that names the places outside an app may reach (HOST-009); it blocks nothing and can be put away. */
export const createSiteNotice = (
  page: Document,
  server: string,
  words: Pick<ChromeWords, 'dismiss' | 'reaches'>,
  print: typeof toPrintable,
): { readonly element: HTMLElement; show(sites: readonly string[]): void } => {
  const element = page.createElement('div');
  element.className = 'row';
  element.hidden = true;
  let shown = '';

  const draw = (sites: readonly string[], key: string): void => {
    const dismiss = createButton(page, {
      label: words.dismiss,
      run() {
        dismissed.add(key);
        element.hidden = true;
        element.replaceChildren();
      },
    });
    element.replaceChildren(createSiteText(page, sites, words, print), dismiss);
  };

  return {
    element,
    show(sites) {
      const key = `${server} ${sites.join(' ')}`;
      if (key === shown) return;
      shown = key;
      element.hidden = sites.length === 0 || dismissed.has(key);
      if (!element.hidden) draw(sites, key);
    },
  };
};

/** The first few in a sentence; when there are more, opening it lists all of them. */
const createSiteText = (
  page: Document,
  sites: readonly string[],
  words: Pick<ChromeWords, 'reaches'>,
  print: typeof toPrintable,
): HTMLElement => {
  const more = Math.max(0, sites.length - shownSites);
  const named = sites.slice(0, shownSites).map((site) => print(site, 80));
  const sentence = page.createElement(more > 0 ? 'summary' : 'p');
  sentence.textContent = words.reaches(named.join(', '), more);
  if (more === 0) {
    sentence.className = 'text';
    return sentence;
  }
  const details = page.createElement('details');
  details.className = 'text';
  const list = page.createElement('ul');
  list.append(
    ...sites.map((site) => {
      const item = page.createElement('li');
      item.textContent = print(site, 260);
      return item;
    }),
  );
  details.append(sentence, list);
  return details;
};
