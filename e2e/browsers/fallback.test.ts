import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCasement, type RunningCasement } from '../support/casement.js';
import { eventually } from '../support/eventually.js';
import { toBrowserStage } from './support/browser-stage.js';
import { startLocalProxy } from './support/local-proxy.js';
import { browserNames, startBrowser } from './support/start-browser.js';

let casement: RunningCasement;
let proxy: Awaited<ReturnType<typeof startLocalProxy>>;

beforeAll(async () => {
  [casement, proxy] = await Promise.all([startCasement(), startLocalProxy()]);
});

afterAll(async () => {
  proxy?.close();
  await casement?.stop();
});

test.each(browserNames)(
  '%s: where names below localhost do not resolve, the example still works',
  async (name) => {
    const browser = await startBrowser(name, { proxy: proxy.address });
    try {
      const stage = toBrowserStage(browser);
      await stage.open(casement.url);
      await stage.reaches('ready');
      const { fallback, address } = (await stage.snapshot()) ?? {};
      expect(fallback?.kind).toBe('opaque');
      expect(address?.appOrigin).toBe('null');
      const observed = () => stage.textOfApp('#observed');
      await eventually(observed).toContain('reading');
      const before = await observed();
      await browser.click(2, '#refresh');
      await eventually(observed).not.toBe(before);
    } finally {
      await browser.close();
    }
  },
);
