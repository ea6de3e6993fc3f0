// What the user would miss when the frame of an app is taken away for a while: where its page was scrolled, what was
// typed and chosen in it by the user. Read before the app is asked to stop, written into the same document later. The host brings
// this script when it is needed and the loader runs it, in the guest, which can forge what is read and hinder what is
// written. Nothing here defends anything but secrets: passwords, numbers of cards, codes and files are neither read nor
// written, and frames of the app are left alone.

/** A place in the page: the id of an element, or nothing for the root, then the numbers of children below it. */
type Place = readonly (string | number)[];

interface Field {
  readonly at: Place;
  readonly name: string;
  readonly kind: string;
  readonly value: string | boolean | readonly string[];
}

interface Scroll {
  readonly at: Place;
  readonly left: number;
  readonly top: number;
}

interface View {
  readonly fields: readonly Field[];
  readonly scrolls: readonly Scroll[];
}

const MAX_FIELDS = 200;
const MAX_SCROLLS = 50;
const MAX_ELEMENTS = 20_000;
const MAX_TEXT = 100_000;
/** When a view is written, in milliseconds after it came: pages draw what they were told at their own pace. */
const ATTEMPTS = [100, 300, 800, 2000, 4000];
/** An app that changes a field back means it. */
const MAX_WRITES = 2;

const secretTypes = /^(?:password|file|hidden|button|submit|reset|image)$/;
const secretNames = /password|one-time-code|cc-/;

/** How an element holds what the user did there; undefined for one that is left alone. */
const toKind = (element: Element): string | undefined => {
  if (secretNames.test(element.getAttribute('autocomplete') ?? '')) return undefined;
  if (element instanceof HTMLInputElement) {
    if (secretTypes.test(element.type) || element.disabled || element.readOnly) return undefined;
    return element.type === 'checkbox' || element.type === 'radio' ? 'checked' : 'text';
  }
  if (element instanceof HTMLTextAreaElement)
    return element.disabled || element.readOnly ? undefined : 'text';
  if (element instanceof HTMLSelectElement) return element.disabled ? undefined : 'chosen';
  const editable = element.getAttribute('contenteditable');
  return editable === '' || editable === 'true' || editable === 'plaintext-only' ? 'edited' : undefined;
};

const toName = (element: Element): string => element.getAttribute('name') ?? '';

const toValue = (element: Element, kind: string): Field['value'] => {
  if (kind === 'edited') return element.textContent ?? '';
  if (element instanceof HTMLSelectElement) return Array.from(element.selectedOptions, ({ value }) => value);
  if (element instanceof HTMLInputElement && kind === 'checked') return element.checked;
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement ? element.value : '';
};

const toPlace = (element: Element): Place => {
  const numbers: number[] = [];
  for (let at = element; ;) {
    if (at.id !== '' && document.getElementById(at.id) === at) return [at.id, ...numbers];
    const parent = at.parentElement;
    if (!parent) return ['', ...numbers];
    numbers.unshift(Array.prototype.indexOf.call(parent.children, at));
    at = parent;
  }
};

const findPlace = ([id, ...numbers]: Place): Element | undefined => {
  let at = id === '' ? document.documentElement : (document.getElementById(String(id)) ?? undefined);
  for (const number of numbers) at = at?.children[Number(number)] as HTMLElement | undefined;
  return at;
};

const findField = ({ at, name, kind }: Field): Element | undefined => {
  const isIt = (element: Element | undefined): boolean =>
    element !== undefined && toKind(element) === kind && toName(element) === name;
  const placed = findPlace(at);
  if (isIt(placed)) return placed;
  // The page may have grown around it.
  const named = name === '' ? [] : [...document.getElementsByName(name)];
  return named.length === 1 && isIt(named[0]) ? named[0] : undefined;
};

const isKeeping = async (): Promise<boolean> => {
  try {
    if (localStorage.length + sessionStorage.length > 0) return true;
    return (await indexedDB.databases()).length > 0;
  } catch {
    return false;
  }
};

const isPlaying = (): boolean =>
  [...document.querySelectorAll<HTMLMediaElement>('video, audio')].some(
    ({ paused, ended, muted }) => !paused && !ended && !muted,
  );

/** Reads the page as it is now, within bounds; whether the app keeps something itself, and whether it plays. */
const readPageView = async (isTouched: (element: Element) => boolean): Promise<object> => {
  const fields: Field[] = [];
  const scrolls: Scroll[] = [];
  let room = MAX_TEXT;
  try {
    const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ELEMENT);
    for (let count = 0, node: Node | null = walker.currentNode; node && count < MAX_ELEMENTS; count += 1) {
      const element = node as Element; // the walker shows elements alone
      const { scrollLeft: left, scrollTop: top } = element;
      if ((left !== 0 || top !== 0) && scrolls.length < MAX_SCROLLS)
        scrolls.push({ at: toPlace(element), left, top });
      const kind = toKind(element);
      if (kind !== undefined && isTouched(element) && fields.length < MAX_FIELDS) {
        const value = toValue(element, kind);
        const length = String(value).length;
        if (length <= room) {
          room -= length;
          fields.push({ at: toPlace(element), name: toName(element), kind, value });
        }
      }
      node = walker.nextNode();
    }
    return { fields, scrolls, keeps: await isKeeping(), isPlaying: isPlaying() };
  } catch {
    // What the app replaced does not work: it has what was read by then.
    return { fields, scrolls };
  }
};

const setValue = (element: Element, value: string): void => {
  const { prototype } = element instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement;
  // Not the element's own property: frameworks put theirs there to tell their own changes from the user's.
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(element, value);
};

/** Does what the user did, so that the app notices; false when the element has that value already. */
const writeField = (element: Element, { kind, value }: Field): boolean => {
  if (JSON.stringify(toValue(element, kind)) === JSON.stringify(value)) return false;
  if (element instanceof HTMLInputElement && kind === 'checked') {
    // Of a group of radio buttons the one that is chosen takes the mark from the others.
    if (element.type === 'radio' && value !== true) return false;
    element.click();
    return true;
  }
  if (element instanceof HTMLSelectElement) {
    if (!Array.isArray(value)) return false;
    for (const option of element.options) option.selected = value.includes(option.value);
  } else if (typeof value !== 'string') return false;
  else if (kind === 'edited') element.textContent = value;
  else setValue(element, value);
  element.dispatchEvent(new Event('input', { bubbles: true }));
  element.dispatchEvent(new Event('change', { bubbles: true }));
  return true;
};

/** Writes a view into the page, a few times as the page comes up, until it is there or the user does something. */
const restorePageView = (given: View, touched: WeakSet<Element>): void => {
  const { fields, scrolls } = given;
  const writes = new Map<Field, number>();
  const open = new Set(scrolls);
  const over = new AbortController();
  const write = (): void => {
    for (const field of fields) {
      const element = findField(field);
      // It is the user's still, when the frame goes a second time.
      if (element) touched.add(element);
      const count = writes.get(field) ?? 0;
      if (element && count < MAX_WRITES && writeField(element, field)) writes.set(field, count + 1);
    }
    for (const scroll of open) {
      const element = findPlace(scroll.at);
      element?.scrollTo({ left: scroll.left, top: scroll.top, behavior: 'instant' });
      if (element && Math.abs(element.scrollTop - scroll.top) < 2) open.delete(scroll);
    }
  };
  const timers = ATTEMPTS.map((ms) =>
    setTimeout(() => {
      if (over.signal.aborted) return;
      try {
        write();
      } catch {
        // A listener of the app, or what it replaced, threw: what is left stays as it is.
        over.abort();
      }
    }, ms),
  );
  over.signal.addEventListener('abort', () => timers.forEach((timer) => clearTimeout(timer)));
  // Text also comes without a key: pasted from a menu, spoken, chosen from a list of suggestions.
  for (const name of ['pointerdown', 'keydown', 'wheel', 'touchstart', 'input'])
    window.addEventListener(name, (event) => event.isTrusted && over.abort(), {
      capture: true,
      passive: true,
      signal: over.signal,
    });
};

/** What the loader puts on this script's element. */
interface Given {
  /** What shall be filled in, as the host parsed it. */
  readonly view?: View;
  /** The elements into which the user put something. */
  readonly touched: WeakSet<Element>;
}

const script = document.currentScript as (HTMLScriptElement & Given) | null;
if (script?.view) restorePageView(script.view, script.touched);
else
  void readPageView((element) => script?.touched.has(element) ?? false).then((detail) =>
    script?.dispatchEvent(new CustomEvent('view', { detail })),
  );
