// Runs a bench that a page carries, in a context of its own.

/** Calls the page's function of this name once it is there; `look` sees the page's outcome while the page is still open. */
export const runInPage = async (browser, url, name, options, look = (outcome) => outcome) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  try {
    const page = await context.newPage();
    await page.goto(url);
    await page.waitForFunction((wanted) => typeof globalThis[wanted] === 'function', name);
    return await look(await page.evaluate(([wanted, given]) => globalThis[wanted](given), [name, options]));
  } finally {
    await context.close();
  }
};
