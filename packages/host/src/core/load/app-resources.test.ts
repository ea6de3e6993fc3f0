import { describe, expect, test, vi } from 'vitest';
import { verifies } from '../../../../../test/verifies.js';
import type { SessionOptions } from '../session-options.js';
import { createAppResources } from './app-resources.js';
import { appContents, createPlainServer, html, uiTool, uiUri } from '../plain-server.test-support.js';
import { createStage, holdTime, settle, until } from '../stage.test-support.js';

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

test('the listing is asked for beside the document, whatever code is still coming', async () => {
  const server = createPlainServer();
  const asked: string[] = [];
  server.listResources = async () => {
    asked.push('listing');
    return [];
  };
  const reading = createAppResources(server).read(uiUri);
  expect([...server.reads, ...asked]).toEqual([uiUri, 'listing']);
  await reading;
});

test('a listing that fails or hangs does not keep the app from loading', async () => {
  holdTime();
  const server = createPlainServer();
  server.listResources = () => Promise.reject(new Error('not supported'));
  expect((await createAppResources(server).read(uiUri)).html).toBe(html);
  server.listResources = () => new Promise(() => undefined);
  const reading = createAppResources(server).read(uiUri);
  await vi.advanceTimersByTimeAsync(3_000);
  expect((await reading).html).toBe(html);
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

verifies(
  'HOST-017',
  'prefetch reads once, a read under way is shared, a later read is fresh, a change forgets',
  async () => {
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
  },
);

test('a failed prefetch is silent and leaves nothing behind', async () => {
  holdTime();
  const server = createPlainServer();
  const resources = createAppResources(server, { timeoutMs: 20 });
  server.onRead = () => new Promise(() => undefined);
  resources.prefetch(uiTool);
  resources.prefetch({ name: 'plain', inputSchema: { type: 'object' } });
  await until(() => expect(server.reads).toHaveLength(1));
  await vi.advanceTimersByTimeAsync(20);
  expect(vi.getTimerCount()).toBe(0);
  server.onRead = () => appContents();
  expect((await resources.read(uiUri)).html).toBe(html);
});

describe('a read ahead', () => {
  const never = new AbortController().signal;

  test('asks once for what is not known, and a later read is fresh', async () => {
    const server = createPlainServer();
    const resources = createAppResources(server);
    expect((await resources.readAhead(uiUri, never)).html).toBe(html);
    expect(resources.peek(uiUri)?.html).toBe(html);
    await resources.readAhead(uiUri, never);
    expect(server.reads).toHaveLength(1);
    await resources.read(uiUri);
    expect(server.reads).toHaveLength(2);
  });

  test('is not shared with whoever asks for the app, nor waited for more than five seconds', async () => {
    holdTime();
    const server = createPlainServer();
    const resources = createAppResources(server);
    server.onRead = () => new Promise(() => undefined);
    const ahead = resources.readAhead(uiUri, never);
    const refused = expect(ahead).rejects.toMatchObject({ code: 'resource-timeout' });
    server.onRead = () => appContents();
    expect((await resources.read(uiUri)).html).toBe(html);
    expect(server.reads).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(vi.getTimerCount()).toBeGreaterThan(0);
    await vi.advanceTimersByTimeAsync(1);
    await refused;
    expect(vi.getTimerCount()).toBe(0);
  });

  test('ends with its signal, and the server is told', async () => {
    const server = createPlainServer();
    let asked: AbortSignal | undefined;
    server.readResource = (_, { signal }) => {
      asked = signal;
      return new Promise(() => undefined);
    };
    const stop = new AbortController();
    const ahead = createAppResources(server).readAhead(uiUri, stop.signal);
    stop.abort();
    await expect(ahead).rejects.toThrow();
    expect(asked?.aborted).toBe(true);
  });

  test('that began before a change is not remembered after it', async () => {
    const server = createPlainServer();
    const resources = createAppResources(server);
    let answer = (): void => undefined;
    server.onRead = () => new Promise((resolve) => (answer = () => resolve(appContents())));
    const ahead = resources.readAhead(uiUri, never);
    server.emit({ type: 'resources-changed' });
    answer();
    await ahead;
    expect(resources.peek(uiUri)).toBeUndefined();
  });
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

verifies('HOST-015', 'each field is looked for by itself, in the content item first', async () => {
  const all = {
    csp: { connectDomains: ['https://listed.example'] },
    permissions: { camera: {} },
    domain: 'listed',
    prefersBorder: true,
  };
  const own = {
    csp: { connectDomains: ['https://read.example'] },
    permissions: { microphone: {} },
    domain: 'read',
    prefersBorder: false,
  };
  const fields = ['csp', 'permissions', 'domain', 'prefersBorder'] as const;
  for (const field of fields) {
    const server = createPlainServer();
    server.onRead = () => appContents(withUi({ [field]: own[field] }));
    server.listings = [{ uri: uiUri, name: 'dashboard', ...withUi(all) }];
    const resource = await createAppResources(server).read(uiUri);
    for (const other of fields) {
      expect([field, other, resource.provenance[other]]).toEqual([
        field,
        other,
        other === field ? 'content' : 'listing',
      ]);
    }
    expect(resource.csp).toEqual(field === 'csp' ? own.csp : all.csp);
    expect(resource.permissions).toEqual(field === 'permissions' ? ['microphone'] : ['camera']);
    expect(resource.domain).toBe(field === 'domain' ? 'read' : 'listed');
    expect(resource.prefersBorder).toBe(field !== 'prefersBorder');
  }
});

describe('a second read', () => {
  test('of the same document keeps the entry and says so; another document or policy replaces it', async () => {
    const server = createPlainServer();
    const resources = createAppResources(server);
    const read = async () => {
      const { cache, hash } = await resources.read(uiUri);
      await settle();
      return { cache, isKnown: resources.peek(uiUri)?.hash === hash };
    };
    expect(await read()).toEqual({ cache: 'new', isKnown: true });
    expect(await read()).toEqual({ cache: 'revalidated', isKnown: true });
    server.onRead = () => appContents({ text: `${html}<p>more` });
    expect(await read()).toEqual({ cache: 'changed', isKnown: true });
    expect(await read()).toEqual({ cache: 'revalidated', isKnown: true });
    server.onRead = () => appContents({ text: `${html}<p>more`, ...withUi(domains('https://a.example')) });
    expect(await read()).toEqual({ cache: 'changed', isKnown: true });
    // What a server announces is compared all the same once it is read.
    server.emit({ type: 'resources-changed' });
    expect(resources.peek(uiUri)).toBeUndefined();
    expect(await read()).toEqual({ cache: 'revalidated', isKnown: true });
  });

  test('is told in the snapshot and the recording of the session that made it', async () => {
    const server = createPlainServer();
    const resources = createAppResources(server);
    const { hash } = await resources.read(uiUri);
    const stage = createStage({ server, resources });
    await stage.ready();
    expect(stage.session.getSnapshot().resource).toMatchObject({
      hash,
      cache: 'revalidated',
      permissions: [],
    });
    expect(stage.kinds('lifecycle')).toContainEqual(
      expect.objectContaining({ type: 'resource-read', uri: uiUri, hash, cache: 'revalidated' }),
    );
    expect(stage.session.getSnapshot().prewarmed).toBe(true);
    expect(stage.surface.frames).toHaveLength(1);
  });
});

test('closing ends the reads under way, and their limits with them', async () => {
  holdTime();
  const server = createPlainServer();
  let signal: AbortSignal | undefined;
  server.listResources = () => new Promise(() => undefined);
  server.readResource = (_, options) => {
    signal = options.signal;
    return new Promise(() => undefined);
  };
  const resources = createAppResources(server);
  const reading = resources.read(uiUri);
  reading.catch(() => undefined);
  await until(() => expect(vi.getTimerCount()).toBe(2));
  resources.close();
  await expect(reading).rejects.toThrow();
  expect(signal?.aborted).toBe(true);
  await settle();
  expect(vi.getTimerCount()).toBe(0);
  expect(server.subscribers).toBe(0);
});

describe('the shim for apps of an older style', () => {
  const script = (text: string) => `<!doctype html><script>${text}</script>`;
  test.each<[string, Record<string, unknown>, boolean]>([
    ['the old media type', { mimeType: 'text/html+mcp' }, true],
    ['the old media type in other letters', { mimeType: 'Text/HTML+mcp; charset=utf-8' }, true],
    ['window.mcpApp', { text: script('window.mcpApp.callTool()') }, true],
    ['its events', { text: script("addEventListener('mcp:tool-result', draw)") }, true],
    ['neither', { text: script('parent.postMessage({})') }, false],
  ])('is asked for by %s', async (_, contents, shim) => {
    const server = createPlainServer();
    server.onRead = () => appContents(contents);
    const stage = createStage({ server });
    await stage.handOver();
    expect(stage.session.getSnapshot().resource?.shim).toBe(shim);
    expect(stage.received[0]?.params?.shim).toBe(shim ? true : undefined);
  });
});

describe('a review before use', () => {
  const failsBlocked = async (stage: ReturnType<typeof createStage>): Promise<string> => {
    stage.session.start();
    await until(() =>
      expect(stage.session.getSnapshot()).toMatchObject({
        status: 'failed',
        failure: { code: 'resource-blocked', step: 'resource' },
      }),
    );
    expect(stage.surface.frames.filter(({ isThere }) => isThere)).toEqual([]);
    expect(stage.received.filter(({ params }) => params?.html !== undefined)).toEqual([]);
    return stage.session.getSnapshot().failure?.message ?? '';
  };

  verifies('HOST-037', 'knows the hash, can look at the document, and keeps it off the screen', async () => {
    const { hash } = await createAppResources(createPlainServer()).read(uiUri);
    expect(
      await failsBlocked(createStage({ blockedHashes: ['0'.repeat(64), hash.toUpperCase()] })),
    ).toContain(hash);

    const seen: unknown[] = [];
    const review: SessionOptions['review'] = async (resource) => {
      seen.push(resource);
      return resource.html.includes('Köln') ? 'it names a city' : undefined;
    };
    expect(await failsBlocked(createStage({ review }))).toContain('it names a city');
    expect(seen).toMatchObject([{ uri: uiUri, hash, html, permissions: [] }]);

    const server = createPlainServer();
    server.onRead = () => appContents({ text: '<p>fine' });
    const stage = createStage({ server, review, blockedHashes: [hash] });
    await stage.ready();
    expect(stage.session.getSnapshot().status).toBe('ready');
  });

  test('that breaks is no approval', async () => {
    const review = (): never => {
      throw new Error('out of order');
    };
    expect(await failsBlocked(createStage({ review }))).toContain('out of order');
  });

  test('holds for warm frames too: they never get the HTML', async () => {
    const server = createPlainServer();
    const resources = createAppResources(server);
    await resources.read(uiUri);
    await failsBlocked(createStage({ server, resources, review: async () => 'no' }));
  });

  test('of a closed session is nobody’s business any more', async () => {
    let finish = (_: undefined): void => undefined;
    const stage = createStage({ review: () => new Promise((resolve) => (finish = resolve)) });
    stage.session.start();
    await until(() => expect(stage.server.reads).toHaveLength(1));
    await settle();
    await stage.session.close();
    finish(undefined);
    await settle();
    expect(stage.surface.frames).toEqual([]);
    expect(stage.session.getSnapshot().status).toBe('closed');
  });
});

verifies('S1-38', 'a sandbox token the embedder takes away is on neither frame', async () => {
  const stage = createStage({ withoutSandboxTokens: ['allow-forms'] });
  await stage.mount();
  const { sandbox, url } = stage.surface.frames[0]?.spec ?? {};
  expect(sandbox).toBe('allow-scripts allow-same-origin');
  expect(new URL(url ?? '').pathname).toBe('/proxy');
  expect(stage.session.getSnapshot().policy?.effective.without).toEqual(['allow-forms']);
});
