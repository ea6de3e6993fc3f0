import { describe, expect, test } from 'vitest';
import { createPlainServer, uiTool, uiUri } from '../plain-server.test-support.js';
import { createStage, settle, until } from '../stage.test-support.js';
import { createAppResources } from './app-resources.js';
import { frameEarly } from './early-frame.js';
import type { AppResource } from './read-resource.js';
import type { SessionOptions } from '../session-options.js';

const proxyReady = { jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready', params: {} } as const;
const loaderReady = { jsonrpc: '2.0', method: 'ui/notifications/sandbox-loader-ready', params: {} } as const;

const readDocument = (): Promise<AppResource> => createAppResources(createPlainServer()).read(uiUri);

/** A document whose read has begun, and the page that its frame comes into. */
const begin = async (
  given: Partial<SessionOptions> = {},
  read: { known?: AppResource; reading?: Promise<AppResource> } = {},
) => {
  const { surface, server } = createStage();
  const stops = new AbortController();
  const options = { server, tool: uiTool, sandbox: { base: 'http://casement.localhost:6271' }, ...given };
  const started = { uri: uiUri, known: read.known, reading: read.reading ?? readDocument() };
  started.reading.catch(() => undefined);
  const framed = frameEarly(started, options, surface, stops.signal);
  const isThere = (): boolean => surface.frames.some((frame) => frame.isThere);
  return { surface, framed, isThere, drop: () => stops.abort() };
};

describe('a frame before there is anybody to talk to it', () => {
  test('comes when the read has told its policy, and not before', async () => {
    let tell = (_read: AppResource): void => undefined;
    const reading = new Promise<AppResource>((resolve) => (tell = resolve));
    const { surface, framed } = await begin({}, { reading });
    await settle();
    expect(surface.frames).toEqual([]);
    tell(await readDocument());
    const plan = (await framed)?.plan;
    expect(surface.frames.map(({ spec }) => spec)).toEqual([plan?.frame]);
  });

  test('keeps what its pages say for the first who listens, in order, and says it once', async () => {
    const { surface, framed } = await begin();
    const frame = await framed;
    surface.frames[0]?.end.send(proxyReady);
    surface.frames[0]?.end.send(loaderReady);
    await settle();
    const taken = frame?.take();
    const heard: unknown[] = [];
    const leave = taken?.transport.subscribe((data) => heard.push(data));
    // Whoever takes the frame has time to say so first.
    expect(heard).toEqual([]);
    await settle();
    expect(heard).toEqual([proxyReady, loaderReady]);
    leave?.();
    taken?.transport.subscribe((data) => heard.push(data));
    surface.frames[0]?.end.send(proxyReady);
    await settle();
    expect(heard).toEqual([proxyReady, loaderReady, proxyReady]);
    expect(frame?.take()).toBeUndefined();
  });

  test('goes when it says more than its own pages would', async () => {
    const { surface, framed, isThere } = await begin();
    const frame = await framed;
    for (let count = 0; count < 9; count += 1) surface.frames[0]?.end.send(loaderReady);
    await until(() => expect(isThere()).toBe(false));
    expect(frame?.take()).toBeUndefined();
  });

  test('goes with its session, unless somebody took it', async () => {
    const left = await begin();
    const frame = await left.framed;
    left.drop();
    expect(left.isThere()).toBe(false);
    expect(frame?.take()).toBeUndefined();
    const kept = await begin();
    (await kept.framed)?.take();
    kept.drop();
    expect(kept.isThere()).toBe(true);
  });

  test.each([
    ['is reviewed by the embedder', { review: () => undefined }],
    ['may be on a list of blocked ones', { blockedHashes: ['00'] }],
  ])('waits for a document that %s', async (_case, options) => {
    const { surface, framed } = await begin(options);
    expect(await framed).toBeUndefined();
    expect(surface.frames).toEqual([]);
  });

  test('waits for the user where the document is a page elsewhere', async () => {
    const page = { ...(await readDocument()), url: 'https://example.com/' };
    const { surface, framed } = await begin({}, { reading: Promise.resolve(page) });
    expect(await framed).toBeUndefined();
    expect(surface.frames).toEqual([]);
  });

  test('comes by what an earlier read told while the document is read again', async () => {
    const known = await readDocument();
    const { framed, isThere } = await begin(
      { blockedHashes: ['00'] },
      { known, reading: new Promise(() => undefined) },
    );
    expect(await framed).toMatchObject({ isWarm: true });
    expect(isThere()).toBe(true);
  });
});

describe('a session that ends while its document is read', () => {
  test.each(['close', 'stop'] as const)('by %s has no frame afterwards', async (end) => {
    const server = createPlainServer();
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    const { onRead } = server;
    server.onRead = async (uri) => {
      await held;
      return onRead(uri);
    };
    const { session, surface } = createStage({ server });
    // Another session of the same server, with nothing in its way, shows when there would be a frame.
    const other = createStage({ server });
    other.session.start();
    session.start();
    void session[end]();
    answer();
    await until(() => expect(other.surface.frames).toHaveLength(1));
    await settle();
    expect(surface.frames.filter(({ isThere }) => isThere)).toEqual([]);
  });
});
