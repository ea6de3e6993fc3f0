import { generateBridgeIIFE } from '@casement/app/iife';
import { expect, test } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { openOfficial, useHosts } from './hosts.js';

useHosts();

test('the generated script runs without eval, by nonce, under Trusted Types, whatever it was told', async () => {
  const name = '</script><script nonce="a">document.title = "broken out"</script><!--';
  const policy = `default-src 'none'; script-src 'nonce-a'; style-src 'unsafe-inline'; require-trusted-types-for 'script'`;
  const script = generateBridgeIIFE({ appInfo: { name, version: '1.0.0' } });
  const host = await openOfficial(
    '2.0.4',
    `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}"><title>strict</title>
<script nonce="a">addEventListener('securitypolicyviolation', ({ violatedDirective }) => { document.title += ' ' + violatedDirective; });</script>
<script nonce="a">${script}</script>
<body><p>strict</p><script nonce="a">
addEventListener('bridge:ready', () => { document.body.dataset.connected = 'yes'; });
addEventListener('bridge:error', () => { document.body.dataset.connected = 'failed'; });
</script></body>`,
  );
  expect(await host.guest.evaluate(() => document.body.dataset['connected'])).toBe('yes');
  await eventually(() => host.asked('size')).not.toEqual([]);
  expect(await host.page.evaluate(() => window.officialHost.bridge.getAppVersion())).toMatchObject({ name });
  // Theme and fonts were put in too, and nothing of it was refused.
  expect(
    await host.guest.evaluate(() => [document.title, document.documentElement.dataset['theme']]),
  ).toEqual(['strict', 'dark']);
  await host.page.close();
});
