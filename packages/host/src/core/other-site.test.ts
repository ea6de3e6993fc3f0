import { expect, test } from 'vitest';
import { createFramePlan } from './frame/frame-plan.js';
import { planFrame } from './frame/bare-frame.js';

const sandbox = { base: 'http://casement.localhost:6271', otherSiteBase: 'http://apps.localhost:6271' };
const origins = ['http://casement.localhost:6270'];
const resource = { uri: 'ui://test/app', family: 'mcp-apps', permissions: [] } as const;
const server = { identity: 'c2VydmVy' };

const plan = (hasCredentialless: boolean, target: { base: string; otherSiteBase?: string } = sandbox) =>
  createFramePlan(resource, { sandbox: target, server, hasCredentialless }, origins);

test('apps are on the page’s site where the browser has credentialless frames, elsewhere on the other', async () => {
  const [here, there] = await Promise.all([plan(true), plan(false)]);
  expect(here.site).toBe('page');
  expect(here.appOrigin).toMatch(/\.casement\.localhost:6271$/);
  expect(there.site).toBe('other');
  expect(there.appOrigin).toMatch(/\.apps\.localhost:6271$/);
  // The proxy stays where it is: beside the page, and off the app's thread.
  expect(there.frame.origin).toBe(here.frame.origin);
  expect(there.frame.url).not.toBe(here.frame.url);
});

test('a sandbox with one site keeps its apps there, and speaks of no choice', async () => {
  const one = await plan(false, { base: sandbox.base });
  expect(one.site).toBeUndefined();
  expect(one.appOrigin).toMatch(/\.casement\.localhost:6271$/);
});

test('no app may declare a place of the other site', async () => {
  const { dropped } = await createFramePlan(
    { ...resource, csp: { connectDomains: ['http://x.apps.localhost:6271'] } },
    { sandbox, server, hasCredentialless: true, allowLoopback: true },
    origins,
  );
  expect(dropped).toHaveLength(1);
});

test('a frame without a session chooses in the same way', async () => {
  const wish = { sandbox, identity: 'c2VydmVy', uri: 'ui://test/app', origins, csp: undefined };
  const [here, there] = await Promise.all([
    planFrame(wish),
    planFrame({ ...wish, hasCredentialless: false }),
  ]);
  expect(here.frame.url).not.toContain('site=other');
  expect(there.frame.url).toContain('site=other');
});
