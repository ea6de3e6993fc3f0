import { afterEach, beforeEach, describe, expect } from 'vitest';
import { verifies } from '../../../test/verifies.js';
import { returnPage } from '../../support/borrowed-page.js';
import { eventually } from '../../support/eventually.js';
import { toModulePage } from './guest-page.js';
import { hosts, useHosts, type Host } from './hosts.js';

useHosts();

/** An app that shows what each hook gives, in strict mode, where effects run twice. */
const script = `import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { useApp, useAutoResize, useCallTool, useDisplayMode, useHostContext, useTheme, useToolInput, useToolResult, useToolStatus } from '@casement/app/react';
const capabilities = { availableDisplayModes: ['inline', 'fullscreen'] };
const Details = ({ app }) => {
  const input = useToolInput(app);
  const preview = useToolInput(app, { partial: true });
  const result = useToolResult(app);
  const status = useToolStatus(app);
  const theme = useTheme(app);
  const locale = useHostContext(app)?.locale;
  const { mode, available, request } = useDisplayMode(app);
  const { call, isCalling, result: called, error } = useCallTool(app);
  useAutoResize(app);
  const shown = { input, preview, result: result?.structuredContent, status, theme, locale, mode, available, isCalling, called: called?.structuredContent, error: error?.code };
  return <>
    <output>{JSON.stringify(shown)}</output>
    {error && <p id="error">{error.message}</p>}
    <button id="call" onClick={() => call('echo', { n: 1 })}>call</button>
    <button id="fail" onClick={() => call('fail')}>fail</button>
    <button id="mode" onClick={() => request('fullscreen').then((now) => { document.body.dataset.mode = now; })}>mode</button>
  </>;
};
const Page = () => {
  const { app, isConnected, error } = useApp({ appInfo: { name: 'react', version: '1.0.0' }, capabilities, options: { autoResize: false } });
  if (isConnected) document.body.dataset.connected = 'yes';
  if (error) document.body.dataset.connected = String(error);
  return <>{error && <p id="failure">{error.message}</p>}<Details app={app} /></>;
};
const root = document.createElement('main');
document.body.append(root);
createRoot(root).render(<StrictMode><Page /></StrictMode>);`;

describe.each(Object.entries(hosts))('a React app under %s', (_name, open) => {
  let host: Host;

  beforeEach(async () => {
    host = await open(await toModulePage(script));
  });

  afterEach(() => returnPage(host.page));

  verifies(['S3-74', 'S4-08'], 'shows what the host tells and does what a click asks', async () => {
    const { guest } = host;
    const shown = async (): Promise<Record<string, unknown>> =>
      // What the script above has written.
      JSON.parse((await guest.textContent('output')) ?? '{}') as Record<string, unknown>;
    const click = (id: string): Promise<void> =>
      guest.evaluate((name) => document.getElementById(name)?.click(), id);

    await eventually(shown).toMatchObject({ theme: 'dark', mode: 'inline', isCalling: false });
    expect(await host.asked('initialized')).toHaveLength(1);
    await eventually(() => host.asked('size')).not.toEqual([]);
    await host.sendInput({ city: 'Bern' });
    await host.sendResult({ content: [], structuredContent: { degrees: 3 } });
    await eventually(shown).toMatchObject({
      input: { city: 'Bern' },
      preview: { city: 'Bern' },
      result: { degrees: 3 },
      status: 'done',
    });
    await host.setContext({ theme: 'light', locale: 'fr-CH' });
    await eventually(shown).toMatchObject({ theme: 'light', locale: 'fr-CH' });
    await click('call');
    await eventually(shown).toMatchObject({ called: { n: 1 }, isCalling: false });
    await click('mode');
    await eventually(() => guest.evaluate(() => document.body.dataset['mode'])).toBe('fullscreen');
    await click('fail');
    await eventually(shown).toMatchObject({ error: 'refused', isCalling: false, called: { n: 1 } });
    // What the hooks call an error is one, and stands in JSX as such.
    expect(await guest.textContent('#error')).toBe('The oven is cold.');
    expect(await guest.locator('#failure').count()).toBe(0);
  });

  const status = async (): Promise<unknown> =>
    // What the script above has written.
    (JSON.parse((await host.guest.textContent('output')) ?? '{}') as Record<string, unknown>)['status'];

  verifies('VIEW-017', 'waits no longer when the call was cancelled', async () => {
    await eventually(() => host.asked('initialized')).toHaveLength(1);
    expect(await status()).toBe('waiting');
    await host.cancel('The person stopped it.');
    await eventually(status).toBe('cancelled');
  });

  verifies('VIEW-017', 'waits no longer when the call failed', async () => {
    await eventually(() => host.asked('initialized')).toHaveLength(1);
    expect(await status()).toBe('waiting');
    await host.sendResult({ content: [{ type: 'text', text: 'no oven' }], isError: true });
    await eventually(status).toBe('failed');
  });
});
