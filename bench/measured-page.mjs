// A page seen from outside: when its control can be used, when the app's content is there, what it loaded and what it cost.
import { setTimeout as pause } from 'node:timers/promises';

/** The word by which what the page is asked to tell is known among its own console lines. */
const mark = 'casement-bench';

/** What runs in every document before its own scripts: it tells, by one clock for all processes, what is seen. */
const watch = ({ mark, usable }) => {
  const { addEventListener, document, MutationObserver, requestAnimationFrame, top } = globalThis;
  const tell = (what, at, ...more) => console.debug(mark, what, String(at), ...more);
  const now = () => performance.timeOrigin + performance.now();
  if (globalThis === top) {
    const isUsable = () =>
      [...document.querySelectorAll(usable.selector)].some(
        (element) =>
          !element.disabled &&
          element.getClientRects().length > 0 &&
          (usable.text === undefined || element.textContent.trim() === usable.text),
      );
    const look = () => (isUsable() ? tell('usable', now()) : requestAnimationFrame(look));
    requestAnimationFrame(look);
    const pressed = ({ timeStamp }) => tell('pressed', performance.timeOrigin + timeStamp);
    addEventListener('pointerdown', pressed, { capture: true });
    return;
  }
  // The published app shows the time that its tool returned; another run brings another time.
  let shown;
  new MutationObserver(() => {
    const time = /\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(document.getElementById('root')?.textContent ?? '')?.[0];
    if (time === undefined || time === shown) return;
    shown = time;
    // A frame callback runs before the paint it belongs to; what follows it in a task of its own comes after.
    requestAnimationFrame(() =>
      setTimeout(() => tell('content', now(), time, String(performance.timeOrigin))),
    );
  }).observe(document, { childList: true, characterData: true, subtree: true });
};

/** The time that all processes of this machine share, in ms. */
const toClock = () => performance.timeOrigin + performance.now();

const until = async (find, what, timeoutMs = 30_000) => {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const found = find();
    if (found !== undefined) return found;
    if (performance.now() > end) throw new Error(`${what} did not come within ${timeoutMs / 1000} s.`);
    await pause(5);
  }
};

/** What the requests of a page brought. */
const followRequests = (page) => {
  const begun = [];
  const finished = [];
  page.on('request', (request) => begun.push({ request, seen: toClock() }));
  page.on('requestfinished', (request) => {
    // A page that is closed meanwhile cannot tell.
    const sizes = request.sizes().catch(() => undefined);
    finished.push(sizes.then((size) => ({ request, size })));
  });
  // The browser's own time is there only once the answer is.
  const toBegin = ({ request, seen }) => Math.min(seen, request.timing().startTime || seen);
  return async (usableAt) => {
    const known = (await Promise.all(finished)).filter(({ size }) => size !== undefined);
    const toBytes = ({ responseBodySize, responseHeadersSize }) => responseBodySize + responseHeadersSize;
    const scripts = known
      .filter(({ request }) => request.resourceType() === 'script')
      .map(({ request, size }) => ({ path: new URL(request.url()).pathname, bytes: toBytes(size) }))
      .sort((a, b) => b.bytes - a.bytes);
    return {
      requests: begun.length,
      firstRequests: begun.filter((one) => toBegin(one) <= usableAt).length,
      bytes: known.reduce((sum, { size }) => sum + toBytes(size), 0),
      // Whoever loads the application twice loads its largest script twice.
      loads: scripts.filter(({ path }) => path === scripts[0]?.path).length,
    };
  };
};

/**
 * Opens an address in a context of its own, so that nothing is cached. `usable` names the first control: a selector,
 * and its text where that is not enough.
 */
export const openMeasured = async (browser, url, usable) => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addInitScript(watch, { mark, usable });
  const page = await context.newPage();
  const told = [];
  page.on('console', (message) => {
    const text = message.text();
    if (!text.startsWith(`${mark} `)) return;
    const [, what, at, value, madeAt] = text.split(' ');
    told.push({ what, at: Number(at), value, document: madeAt });
  });
  const readRequests = followRequests(page);
  const begun = toClock();
  await page.goto(url, { waitUntil: 'commit' });
  const untilUsable = () => until(() => told.find(({ what }) => what === 'usable'), 'the first control');
  return {
    page,
    /** How many requests there were until now and until the first control, their bytes, and how often the application came. */
    readRequests: async () => readRequests((await untilUsable()).at),
    /** From the navigation to the first control, in ms. */
    usable: async () => (await untilUsable()).at - begun,
    sinceNavigation: () => toClock() - begun,
    /**
     * Lets `press` press the control that runs the tool, and gives the ms from there to the app's new content, when
     * that was, and whether the content stands in a document that was there before.
     */
    runToContent: async (press) => {
      const earlier = told.filter(({ what }) => what === 'content');
      await press();
      const isNew = ({ what, value }) => what === 'content' && !earlier.some((one) => one.value === value);
      const content = await until(() => told.find(isNew), "the app's content");
      const pressed = told.filter(({ what, at }) => what === 'pressed' && at < content.at).at(-1);
      if (pressed === undefined) throw new Error('the page was not pressed.');
      const isSameDocument = earlier.some(({ document }) => document === content.document);
      return { ms: content.at - pressed.at, pressedAt: pressed.at, isSameDocument };
    },
    close: () => context.close(),
  };
};
