import { writeFileSync } from 'node:fs';
import { waitUntil } from '../../support/eventually.js';
import { ELEMENT, type Driver } from './driver.js';

/** The page around an app, its proxy, and the app. */
type Depth = 0 | 1 | 2;

/** The one window of a browser. */
export interface BrowserPage {
  readonly driver: Driver;
  goto(url: string): Promise<void>;
  /** Runs a function in the page, or in the frame that deep below it. */
  run<A extends readonly unknown[], T>(
    depth: Depth,
    script: (...args: A) => T | Promise<T>,
    ...args: A
  ): Promise<T>;
  /**
   * Presses an element as a person does: the one a selector finds, and that has these words, if any are given. WebKit's
   * driver loses count of places inside two frames: there it is for the page alone.
   */
  press(depth: Depth, selector: string, words?: string): Promise<void>;
  /** The same by script, where nobody asks whether a person did it. */
  click(depth: Depth, selector: string): Promise<void>;
  type(depth: Depth, selector: string, text: string): Promise<void>;
  screenshot(file: string): Promise<void>;
}

/** Finds the last element, also below open shadow roots. */
const find = `
const findAll = (root, selector) => [
  ...root.querySelectorAll(selector),
  ...[...root.querySelectorAll('*')].flatMap((one) => (one.shadowRoot ? findAll(one.shadowRoot, selector) : [])),
];`;

/** Wraps a browser that was started. */
export const toBrowserPage = (driver: Driver): BrowserPage => {
  const evaluate = async (body: string, args: readonly unknown[]): Promise<unknown> => {
    const script = `
const [done, given] = [arguments[arguments.length - 1], [...arguments].slice(0, -1)];
${find}
Promise.resolve().then(() => ${body}).then(
  (value) => done({ value }),
  (error) => done({ error: String(error) }),
);`;
    // The script above gives one of the two.
    const answer = (await driver.send('ExecuteAsyncScript', { script, args })) as {
      value?: unknown;
      error?: string;
    } | null;
    // Firefox gives nothing when the page is replaced while the script runs.
    if (answer === null) throw new Error('no such window: the page was replaced');
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.value;
  };
  const findElement = async (selector: string, words = ''): Promise<string> => {
    const found = await waitUntil(
      () =>
        evaluate(
          `findAll(document, given[0]).findLast((one) => one.textContent.trim().includes(given[1])) ?? null`,
          [selector, words],
        ),
      (element) => element !== null,
      { what: `an element ${selector} "${words}"` },
    );
    // WebDriver hides an element in this key.
    return (found as Record<typeof ELEMENT, string>)[ELEMENT];
  };
  const enter = async (depth: Depth): Promise<void> => {
    await driver.send('SwitchToFrame', { id: null });
    for (let level = 0; level < depth; level += 1) {
      await driver.send('SwitchToFrame', {
        id: { [ELEMENT]: await findElement('iframe:not([aria-hidden])') },
      });
    }
  };
  /** A frame may be replaced between two commands; then it is looked for again. */
  const within = async <T>(depth: Depth, act: () => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await enter(depth);
        return await act();
      } catch (error) {
        const isGone =
          /no such (frame|window|element)|stale element|detached|not interactable|intercepted/.test(
            String(error),
          );
        if (!isGone || attempt > 20) throw error;
        await new Promise((resolve) => setTimeout(resolve, 250));
      }
    }
  };
  return {
    driver,
    goto: async (url) => {
      await driver.send('Navigate', { url });
    },
    run: async <A extends readonly unknown[], T>(
      depth: Depth,
      script: (...args: A) => T | Promise<T>,
      ...args: A
    ) =>
      // The function's own result, which came as JSON.
      (await within(depth, () => evaluate(`(${script.toString()})(...given)`, args))) as T,
    press: (depth, selector, words) =>
      within(depth, async () => {
        await driver.send('ElementClick', { id: await findElement(selector, words) });
      }),
    click: async (depth, selector) => {
      await within(depth, async () => {
        await findElement(selector);
        await evaluate('findAll(document, given[0]).at(-1).click()', [selector]);
      });
    },
    type: (depth, selector, text) =>
      within(depth, async () => {
        await driver.send('ElementSendKeys', { id: await findElement(selector), text });
      }),
    screenshot: async (file) => {
      await driver.send('SwitchToFrame', { id: null });
      writeFileSync(file, Buffer.from(String(await driver.send('TakeScreenshot')), 'base64'));
    },
  };
};
