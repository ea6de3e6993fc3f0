import { describe, expect, test } from 'vitest';
import { appContents, createPlainServer, html, uiTool } from '../plain-server.test-support.js';
import type { SessionOptions } from '../session-options.js';
import { createAppResources } from './app-resources.js';
import * as parts from '../loaded/first-parts.js';
import { planAhead } from './plan-ahead.js';

const sandbox = { base: 'http://casement.localhost:6271' };
const page = { origins: ['http://casement.localhost:6270'], hasCredentialless: true };

/** What may start early of an app that is read with these contents, once for each of them. */
const plan = async (
  contents: Record<string, unknown>[],
  options: Partial<SessionOptions> = {},
  where = page,
) => {
  const server = createPlainServer();
  const resources = createAppResources(server);
  for (const extra of contents) {
    server.onRead = () => appContents(extra);
    await resources.read('ui://weather/dashboard');
  }
  const given = { server, tool: uiTool, sandbox, ...options };
  return planAhead(given, resources, where, { parts, signal: new AbortController().signal });
};

test('the script of a report is asked for while the document is read', async () => {
  const server = createPlainServer();
  const order: string[] = [];
  server.onRead = () => {
    order.push('read');
    return appContents({});
  };
  const evidenceScript = (): Promise<string> => {
    order.push('script');
    return Promise.resolve('report()');
  };
  const options: SessionOptions = { server, tool: uiTool, sandbox, evidence: 'full', evidenceScript };
  const { signal } = new AbortController();
  const { early } = await planAhead(options, createAppResources(server), page, { parts, signal });
  expect(order).toEqual(['script', 'read']);
  expect(early?.handover).toMatchObject({ evidence: 'full', evidenceScript: 'report()' });
});

describe('the app itself goes with its plan', () => {
  test('when it reaches nobody, has no device and keeps nothing past the page', async () => {
    const { early } = await plan([{}]);
    expect(early?.handover).toEqual({ html });
    expect(early?.hash).toMatch(/^[\da-f]{64}$/);
    // A permission that nobody granted is none.
    expect(await plan([{ _meta: { ui: { permissions: { camera: {} } } } }])).toHaveProperty('early');
  });

  test.for([
    ['reaches another site', { csp: { connectDomains: ['https://a.example'] } }, {}],
    ['loads from another site', { csp: { resourceDomains: ['https://a.example'] } }, {}],
    ['frames another site', { csp: { frameDomains: ['https://a.example'] } }, {}],
    ['takes its addresses from another site', { csp: { baseUriDomains: ['https://a.example'] } }, {}],
    ['has a device', { permissions: { camera: {} } }, { permissions: ['camera'] }],
    ['keeps what it stores', {}, { storage: 'persistent', user: 'ada' }],
  ] as const)('but not of one that %s', async ([, ui, options]) => {
    const planned = await plan([{ _meta: { ui } }], options as Partial<SessionOptions>);
    expect(planned.plan.frame.url).toContain('/proxy?');
    expect(planned).not.toHaveProperty('early');
  });

  test('but not where the browser lets what an app stores outlast the page', async () => {
    expect(await plan([{}], {}, { ...page, hasCredentialless: false })).not.toHaveProperty('early');
  });

  test('but not of one that was another at its last read, until it stays the same', async () => {
    const [first, second] = [{ text: '<p>1</p>' }, { text: '<p>2</p>' }];
    expect(await plan([first, second])).not.toHaveProperty('early');
    expect(await plan([first, second, second])).toHaveProperty('early');
  });
});
