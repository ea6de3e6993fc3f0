import { expect, test, vi } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import { createAppResources } from './index.js';
import { appContents, createPlainServer, html, uiTool, uiUri } from './plain-server.test-support.js';
import { settle } from './stage.test-support.js';

const withUi = (ui: Record<string, unknown>) => ({ _meta: { ui } });
const domains = (...connectDomains: string[]) => ({ csp: { connectDomains } });

verifies('HOST-015', 'metadata is taken per field from the content item, then from the listing', async () => {
  const listed = { ...domains('https://listed.example'), prefersBorder: true, permissions: { camera: {} } };
  const cases = [
    { content: {}, listing: undefined, csp: undefined, provenance: 'none' },
    { content: {}, listing: listed, csp: ['https://listed.example'], provenance: 'listing' },
    {
      content: withUi(domains('https://read.example')),
      listing: undefined,
      csp: ['https://read.example'],
      provenance: 'content',
    },
    {
      content: withUi(domains('https://read.example')),
      listing: listed,
      csp: ['https://read.example'],
      provenance: 'content',
    },
  ];
  for (const { content, listing, csp, provenance } of cases) {
    const server = createPlainServer();
    server.onRead = () => appContents(content);
    server.listings = [
      { uri: 'ui://other', name: 'other', ...withUi(domains('https://wrong.example')) },
      ...(listing ? [{ uri: uiUri, name: 'dashboard', ...withUi(listing) }] : []),
    ];
    const resource = await createAppResources(server).read(uiUri);
    expect(resource.csp?.connectDomains).toEqual(csp);
    expect(resource.provenance.csp).toBe(provenance);
    expect(resource.provenance.prefersBorder).toBe(listing ? 'listing' : 'none');
    expect(resource.permissions).toEqual(listing ? ['camera'] : []);
  }
});

test('a listing that fails or hangs does not keep the app from loading', async () => {
  vi.useFakeTimers();
  try {
    const server = createPlainServer();
    server.listResources = () => Promise.reject(new Error('not supported'));
    expect((await createAppResources(server).read(uiUri)).html).toBe(html);
    server.listResources = () => new Promise(() => undefined);
    const reading = createAppResources(server).read(uiUri);
    await vi.advanceTimersByTimeAsync(3_000);
    expect((await reading).html).toBe(html);
  } finally {
    vi.useRealTimers();
  }
});

verifies(['HOST-016', 'S1-90'], 'a base64 blob gives exactly the characters that were encoded', async () => {
  const server = createPlainServer();
  const blob = Buffer.from(html, 'utf8').toString('base64');
  server.onRead = () => ({ contents: [{ uri: uiUri, mimeType: 'text/html;profile=mcp-app', blob }] });
  const resource = await createAppResources(server).read(uiUri);
  expect(resource.html).toBe(html);
  expect(resource.bytes).toBe(Buffer.byteLength(html));
});

verifies('S1-02', 'the old media type still loads, next to today’s', async () => {
  for (const mimeType of ['text/html+mcp', 'text/html;profile=mcp-app']) {
    const server = createPlainServer();
    server.onRead = () => appContents({ mimeType });
    expect((await createAppResources(server).read(uiUri)).html).toBe(html);
  }
});

test('the hash is that of the HTML and changes with one byte', async () => {
  const server = createPlainServer();
  const resources = createAppResources(server);
  const first = await resources.read(uiUri);
  expect(first.hash).toMatch(/^[0-9a-f]{64}$/);
  server.onRead = () => appContents({ text: `${html} ` });
  expect((await resources.read(uiUri)).hash).not.toBe(first.hash);
});

test('prefetch reads once, a read under way is shared, a later read is fresh, a change forgets', async () => {
  const server = createPlainServer();
  const resources = createAppResources(server);
  resources.prefetch(uiTool);
  resources.prefetch(uiTool);
  const joined = resources.read(uiUri);
  await joined;
  await settle();
  expect(server.reads).toHaveLength(1);
  resources.prefetch(uiTool);
  expect(server.reads).toHaveLength(1);
  expect(resources.peek(uiUri)?.html).toBe(html);
  await resources.read(uiUri);
  expect(server.reads).toHaveLength(2);
  server.emit({ type: 'resources-changed' });
  expect(resources.peek(uiUri)).toBeUndefined();
});

test('a failed prefetch is silent and leaves nothing behind', async () => {
  const server = createPlainServer();
  const resources = createAppResources(server, { timeoutMs: 20 });
  server.onRead = () => new Promise(() => undefined);
  resources.prefetch(uiTool);
  resources.prefetch({ name: 'plain', inputSchema: { type: 'object' } });
  await new Promise((resolve) => setTimeout(resolve, 40));
  server.onRead = () => appContents();
  expect((await resources.read(uiUri)).html).toBe(html);
});

test('what was read before a change is not remembered after it', async () => {
  const server = createPlainServer();
  const resources = createAppResources(server);
  let answer = (): void => undefined;
  server.onRead = () => new Promise((resolve) => (answer = () => resolve(appContents())));
  const reading = resources.read(uiUri);
  server.emit({ type: 'resources-changed' });
  answer();
  await reading;
  await settle();
  expect(resources.peek(uiUri)).toBeUndefined();
});
