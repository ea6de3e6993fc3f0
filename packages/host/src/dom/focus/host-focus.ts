/** What has the keyboard in the page, and everything around it, innermost first; empty when it is nowhere. */
export type FocusPath = readonly EventTarget[];

/** One app whose frame may take the focus from the page. */
export interface FocusRival {
  hasFocus(): boolean;
  /** Whether the browser counts a click, tap or key of the last seconds as this app's. */
  isActive(): Promise<boolean>;
  /**
   * Judges the focus its frame took from the page: true when the user meant it; if not, it is taken back.
   * `afterPress` says that the user acted in a frame of the page before the focus moved.
   */
  judge(from: FocusPath, afterPress: boolean): Promise<boolean>;
  /** The user uses this element of the page, types in it for instance. */
  onUse(path: FocusPath): void;
  /** The user is about to leave by Tab. */
  onTab(): void;
}

/** How the user last used the page itself, on its clock. */
interface HostFocus {
  /** The time at which the focus moved to its present element. */
  readonly since: number;
  readonly lastKey: number;
  /** The last key, if it was Tab, nobody took it for something else, and it led nowhere in the page. */
  readonly tab: KeyboardEvent | undefined;
  /** Whether the browser counts an action as that of an app other than this one. */
  isOtherActive(than: FocusRival): Promise<boolean>;
  add(rival: FocusRival): () => void;
}

/** How long browsers count a click or key, which is 5 s, and a margin for their clocks. */
const activationMs = 6000;

/** Follows the focus for all apps of a page: two of them could otherwise hand it to each other unseen. */
const createHostFocus = (page: Document): HostFocus => {
  const rivals = new Set<FocusRival>();
  let path: FocusPath = readFocusPath(page);
  let since = -Infinity;
  let lastKey = -Infinity;
  let lastAction = -Infinity;
  let tab: KeyboardEvent | undefined;

  const use = (next: FocusPath): void => {
    path = next;
    for (const rival of rivals) rival.onUse(next);
  };
  const findThief = (): FocusRival | undefined => [...rivals].find((rival) => rival.hasFocus());
  const judge = async (from: FocusPath, afterPress: boolean): Promise<void> => {
    let isMeant = false;
    // While one was asked about, another may have taken it.
    for (let thief = findThief(); thief && !isMeant; thief = findThief())
      isMeant = await thief.judge(from, afterPress);
  };
  /**
   * What the user does in a frame counts for the page too, and a press counts before it moves the focus. So what counts
   * at the moment of the blur, and was not done in the page itself, was done in a frame before the focus moved: keys
   * that went to a frame because it had taken the focus come later, however late the page is to look.
   */
  const isAfterPress = (): boolean =>
    performance.now() - Math.max(since, lastAction) > activationMs &&
    navigator.userActivation?.isActive === true;
  const onBlur = (): void => {
    const from = path;
    const afterPress = isAfterPress();
    // A task later: the browser is still moving the focus here, and a field focused now would only seem to have it.
    setTimeout(() => void judge(from, afterPress));
  };
  const onAction = (): void => {
    lastAction = performance.now();
  };
  const onFocusIn = (event: FocusEvent): void => {
    since = performance.now();
    const next = event.composedPath();
    // A Tab that led to an element of the page leads to no app any more.
    if (!(next[0] instanceof HTMLIFrameElement)) tab = undefined;
    use(next);
  };
  const onFocusOut = (event: FocusEvent): void => {
    // The page itself moved the focus, to an app perhaps.
    if (event.relatedTarget) return use([]);
    // A frame took it, which is judged with the window's blur, or it is nowhere. Where it was is told here alone when
    // it moved inside one shadow root before.
    path = event.composedPath();
    setTimeout(() => {
      if (page.activeElement === page.body && page.hasFocus()) use([]);
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    tab = event.key === 'Tab' ? event : undefined;
    if (tab) return rivals.forEach((rival) => rival.onTab());
    lastKey = performance.now();
    use(event.composedPath());
  };

  const listen = (signal: AbortSignal): void => {
    page.addEventListener('focusin', onFocusIn, { signal, capture: true });
    page.addEventListener('focusout', onFocusOut, { signal, capture: true });
    page.addEventListener('keydown', onKeyDown, { signal, capture: true });
    for (const type of ['keydown', 'pointerdown', 'pointerup', 'mousedown'])
      page.addEventListener(type, onAction, { signal, capture: true });
    window.addEventListener('blur', onBlur, { signal });
  };
  let listening: AbortController | undefined;
  return {
    get since() {
      return since;
    },
    get lastKey() {
      return lastKey;
    },
    get tab() {
      return tab?.defaultPrevented ? undefined : tab;
    },
    async isOtherActive(than) {
      const others = [...rivals].filter((rival) => rival !== than);
      return (await Promise.all(others.map((rival) => rival.isActive()))).includes(true);
    },
    add(rival) {
      if (!listening) {
        listening = new AbortController();
        path = readFocusPath(page);
        listen(listening.signal);
      }
      rivals.add(rival);
      return () => {
        rivals.delete(rival);
        if (rivals.size > 0) return;
        listening?.abort();
        listening = undefined;
      };
    },
  };
};

const pages = new WeakMap<Document, HostFocus>();

/** Returns the focus watch of a page, which all of its apps share. */
export const getHostFocus = (page: Document): HostFocus => {
  const known = pages.get(page) ?? createHostFocus(page);
  pages.set(page, known);
  return known;
};

const readFocusPath = (page: Document): FocusPath => {
  let focused = page.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  const path: EventTarget[] = [];
  for (let node: Node | null = focused; node; node = node instanceof ShadowRoot ? node.host : node.parentNode)
    path.push(node);
  return path;
};
