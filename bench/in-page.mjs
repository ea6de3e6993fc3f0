// Runs a bench that a page carries, in a context of its own.

/**
 * Calls the page's function of this name once it is there; `look` sees the page's outcome, and all requests that were
 * answered, while the page is still open.
 */
export const runInPage = async (browser, url, name, options, look = (outcome) => outcome) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  try {
    const page = await context.newPage();
    const requests = [];
    page.on('requestfinished', (request) => requests.push(request));
    await page.goto(url);
    await page.waitForFunction((wanted) => typeof globalThis[wanted] === 'function', name);
    const outcome = await page.evaluate(([wanted, given]) => globalThis[wanted](given), [name, options]);
    return await look(outcome, requests);
  } finally {
    await context.close();
  }
};
