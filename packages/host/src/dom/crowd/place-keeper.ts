import { placeStyle } from '../../generated/place-style.js';
import { createButton } from '../chrome/chrome-row.js';
import { placeWords } from '../chrome/place-words.js';
import type { Member } from './members.js';

/** Keeps the place of one app while the app is not there. */
interface PlaceKeeper {
  /** Says that there is no room for the app, with a way to have it all the same; or takes that back. */
  showCrowded(isCrowded: boolean): void;
  stop(): void;
}

/** How long a restored app may take to get back to the height it had. */
const settleMs = 1500;

/**
 * Creates the keeper. The place of an app that is gone stays exactly as tall until the app is back and has settled, so
 * that nothing the reader sees moves. It says what cannot come back, and why an app that is in sight is not there.
 * `onChange` is called when the app comes, goes or takes another mode.
 */
export const createPlaceKeeper = (member: Member, onChange: () => void): PlaceKeeper => {
  const { layout, session } = member;
  const words = { ...placeWords, ...member.words, ...member.words?.chrome };
  let shown: HTMLElement | undefined;
  let loses = false;
  let isCrowded = false;
  let isHeld = false;
  let settling: ReturnType<typeof setTimeout> | undefined;
  let { status, displayMode } = session.getSnapshot();

  const draw = (): void => {
    const text = isCrowded ? words.crowded(member.maxLive) : loses ? words.evicted : undefined;
    if (shown?.dataset.text === text) return;
    shown?.remove();
    shown = undefined;
    if (text === undefined) return;
    shown = createNote(layout.wrapper.ownerDocument, text);
    shown.style.insetBlockStart = `${layout.head.offsetHeight}px`;
    if (isCrowded)
      shown.shadowRoot?.append(createButton(shown.ownerDocument, { label: words.showApp, run: want }));
    layout.wrapper.append(shown);
  };
  const want = (): void => {
    member.isWanted = true;
    onChange();
  };
  const letGo = (): void => {
    isHeld = false;
    layout.hold(undefined);
  };
  const follow = (): void => {
    const next = session.getSnapshot();
    if (next.status === status && next.displayMode === displayMode) return;
    ({ status, displayMode } = next);
    clearTimeout(settling);
    if (status === 'evicted' && !isHeld) {
      isHeld = true;
      layout.hold(layout.wrapper.offsetHeight);
    }
    if (next.eviction) ({ loses } = next.eviction);
    else if (status === 'ready' || status === 'failed') loses = false;
    if (isHeld && status === 'failed') letGo();
    if (isHeld && status === 'ready') settling = setTimeout(letGo, settleMs);
    draw();
    onChange();
  };
  const unsubscribe = session.subscribe(follow);

  return {
    showCrowded(next) {
      if (isCrowded === next) return;
      isCrowded = next;
      draw();
    },
    stop() {
      clearTimeout(settling);
      unsubscribe();
      shown?.remove();
    },
  };
};

/** The host's own words in the place of an app, in a shadow root that no style of the page reaches. */
const createNote = (page: Document, text: string): HTMLElement => {
  const note = page.createElement('div');
  note.dataset.appNote = '';
  note.dataset.text = text;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(placeStyle);
  const root = note.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [sheet];
  const words = page.createElement('span');
  words.textContent = text;
  root.append(words);
  return note;
};
