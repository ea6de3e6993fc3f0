import type { EvidenceQueue } from '../evidence-queue.js';
import { readNow, reportQuietly } from './natives.js';

const MAX_NODES = 3000;
const MAX_BOXES = 200;
/** What one look at the page may take of its thread. */
const MAX_MS = 8;
const MAX_REPORTS = 30;
const PAUSE_MS = 250;
/** When a page that showed nothing is looked at again, after its load. */
const AGAIN_MS = [1000, 3000];

/** As NodeFilter has it. */
const showElements = 1;

const replaced =
  /^(?:img|svg|canvas|video|audio|iframe|object|embed|input|button|select|textarea|progress|meter|hr)$/;

const hasText = (element: Element): boolean => {
  for (let node = element.firstChild; node; node = node.nextSibling)
    if (node.nodeName === '#text' && /\S/.test(node.nodeValue ?? '')) return true;
  return false;
};

const isSeen = (element: Element): boolean => {
  const { width, height } = element.getBoundingClientRect();
  if (width < 1 || height < 1) return false;
  const style = getComputedStyle(element);
  if (style.visibility !== 'visible' || style.opacity === '0') return false;
  return (
    replaced.test(element.localName) ||
    hasText(element) ||
    style.backgroundImage !== 'none' ||
    !/^(?:transparent|rgba\(0, 0, 0, 0\))$/.test(style.backgroundColor) ||
    /[1-9]/.test(style.borderWidth)
  );
};

/** Counts what can be seen, as far as the bounds allow. */
const countBoxes = (): number => {
  const end = readNow() + MAX_MS;
  const roots: Node[] = document.body ? [document.body] : [];
  let boxes = 0;
  let nodes = 0;
  for (let root = roots.pop(); root; root = roots.pop()) {
    const walker = document.createTreeWalker(root, showElements);
    while (walker.nextNode() && (nodes += 1) < MAX_NODES && boxes < MAX_BOXES && readNow() < end) {
      const element = walker.currentNode as Element; // the walker shows elements alone
      if (isSeen(element)) boxes += 1;
      if (element.shadowRoot) roots.push(element.shadowRoot);
    }
  }
  return boxes;
};

/** Reports how large the page is, whether anything is to be seen on it and how it is written, whenever that changed and is quiet again. */
export const watchLayout = (
  add: EvidenceQueue['add'],
  onListen: (listen: () => void) => void,
): (() => void) => {
  const later = window.setTimeout.bind(window);
  let last = '';
  let reports = 0;
  let isPlanned = false;
  let boxes = 0;

  const measure = (): void => {
    isPlanned = false;
    const { documentElement: root } = document;
    if (!root || reports >= MAX_REPORTS) return;
    const { innerWidth: width, innerHeight } = window;
    const { scrollWidth: contentWidth, scrollHeight } = root;
    const own = Math.ceil(root.getBoundingClientRect().height);
    const contentHeight = scrollHeight > innerHeight ? scrollHeight : own;
    boxes = countBoxes();
    const { lang } = root;
    // Of two directions alone, as the browser has it.
    const dir = getComputedStyle(document.body ?? root).direction as 'ltr' | 'rtl';
    const key = `${width} ${contentWidth} ${contentHeight} ${boxes} ${lang} ${dir}`;
    if (key === last) return;
    last = key;
    reports += 1;
    add({ kind: 'layout', width, contentWidth, contentHeight, boxes, lang, dir });
  };
  const plan = (): void => {
    if (isPlanned) return;
    isPlanned = true;
    later(() => reportQuietly(measure), PAUSE_MS);
  };
  const onLoad = (): void => {
    plan();
    for (const ms of AGAIN_MS)
      later(() => {
        if (boxes > 0) return;
        // That there still is nothing is news, too.
        last = '';
        plan();
      }, ms);
    const { documentElement, body } = document;
    const observer = new ResizeObserver(plan);
    observer.observe(documentElement);
    if (body) observer.observe(body);
    // Its language and direction, too.
    new MutationObserver(plan).observe(documentElement, { attributes: true });
  };
  onListen(() => window.addEventListener('load', onLoad, { once: true }));
  return plan;
};
