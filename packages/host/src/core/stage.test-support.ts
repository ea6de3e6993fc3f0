import type { JsonRpcMessage, Peer, PeerNotification, RequestHandlers, Transport } from '@casement/protocol';
import { createMemoryTransportPair } from '@casement/protocol';
import { LATEST_PROTOCOL_VERSION } from '@casement/protocol/basics';
import { createRecording } from '@casement/protocol/start';
import { createPeer } from '@casement/protocol/wire';
import { onTestFinished, vi } from 'vitest';
import type { SessionOptions } from './session-options.js';
import type { Session } from './session/session.js';
import type { AppSize, FrameSpec, Surface } from './surface.js';
import { createSession } from './session/session.js';
// What a session loads on demand: here already, so that no file's first test waits for it on a busy machine.
import './loaded/first-parts.js';
import './state/trouble.js';
import './frame/unusual-frame.js';
import './call/partial-input.js';
import './handlers/app-requests.js';
import './loaded/tools-and-dialects.js';
import type { PlainServer } from './plain-server.test-support.js';
import { createPlainServer, uiTool } from './plain-server.test-support.js';

/** A message as it stands on the wire, read loosely. */
interface WireMessage {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { code: number; message: string; data?: { code: string; hint?: string } };
}

/** A surface that keeps a log, with the far end of every frame it made. */
interface TestSurface extends Surface {
  readonly frames: { readonly spec: FrameSpec; readonly end: Transport; isThere: boolean }[];
  readonly sizes: AppSize[];
  readonly modes: string[];
  readonly links: string[];
  readonly saved: { name: string; mimeType: string; content: Uint8Array }[];
  /** What the loader says of the app's page when it is asked, and what it was given to fill in. */
  view: unknown;
  readonly givenViews: unknown[];
  /** Whether the browser counts something the user did in the app as recent, and when they last pressed there. */
  isActive: boolean;
  pressedAt: number;
  /** Paints the page: everything that waited for it runs. */
  paint(): void;
  guard?: () => Promise<void>;
}

const createTestSurface = (page?: object): TestSurface => {
  const painting = new Set<() => void>();
  const surface: TestSurface = {
    ...(page ? { page } : {}),
    hasCredentialless: true,
    origins: ['http://casement.localhost:6270'],
    context: { theme: 'dark', platform: 'web', containerDimensions: { width: 600, maxHeight: 4000 } },
    frames: [],
    sizes: [],
    modes: [],
    links: [],
    saved: [],
    view: undefined,
    givenViews: [],
    isActive: true,
    pressedAt: -Infinity,
    mount(spec) {
      const [near, end] = createMemoryTransportPair();
      surface.frames.push({ spec, end, isThere: true });
      return near;
    },
    unmount() {
      const last = surface.frames.at(-1);
      if (last) last.isThere = false;
    },
    setSize: (size) => surface.sizes.push(size),
    setDisplayMode(mode) {
      surface.modes.push(mode);
      return mode === 'inline' ? { width: 600, maxHeight: 4000 } : { width: 1200, height: 800 };
    },
    nextFrame(callback) {
      painting.add(callback);
      return () => painting.delete(callback);
    },
    paint() {
      const callbacks = [...painting];
      painting.clear();
      for (const callback of callbacks) callback();
    },
    readView: async () => surface.view,
    giveView: (view) => surface.givenViews.push(view),
    openLink: (url) => surface.links.push(url),
    saveFile: (file) => surface.saved.push(file),
    hasUserActivation: async (since) =>
      surface.isActive && (since === undefined || surface.pressedAt > since),
  };
  return surface;
};

/** A session with a scripted proxy and app at the far end of its frame. */
export interface Stage {
  readonly server: PlainServer;
  readonly surface: TestSurface;
  readonly session: Session;
  readonly recording: ReturnType<typeof createRecording>;
  /** Everything the host sent through the latest frame, in order. */
  readonly received: WireMessage[];
  /** Starts the session and waits for its frame. */
  mount(): Promise<void>;
  /** The proxy says something of its own. */
  proxy(name: string, params?: Record<string, unknown>): Promise<void>;
  /** The proxy is ready and the HTML was handed over; the loader ran. */
  handOver(): Promise<void>;
  /** The app sends a value as it is, valid or not. */
  send(value: unknown): Promise<void>;
  /** The app sends a request by hand and gets the answer by its id. */
  ask(id: string | number, method: string, params?: unknown): Promise<WireMessage>;
  /** A real peer at the app's end. */
  createApp(handlers?: RequestHandlers, onNotification?: (notification: PeerNotification) => void): Peer;
  /** From nothing to ready, by hand. */
  ready(params?: Record<string, unknown>): Promise<void>;
  kinds(kind: string): unknown[];
  methods(): string[];
}

/** Lets everything already sent arrive. */
export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Taken before a test can fake it. */
const later = globalThis.setTimeout;

/**
 * Reads until it does not throw, and leaves timers that are faked where they are; the limit only catches what never
 * happens.
 */
export const until = async <T>(read: () => T): Promise<T> => {
  const end = performance.now() + 20_000;
  for (let turn = 0; ; turn += 1) {
    try {
      return read();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    // Most of it takes a few turns; what takes longer shall not keep a core busy.
    await (turn < 20 ? settle() : new Promise((resolve) => later(resolve, 5)));
  }
};

/** Puts timers and clock into the hands of the test until it ends; `vi.advanceTimersByTimeAsync` moves them. */
export const holdTime = (): void => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
};

export const initializeParams = {
  protocolVersion: LATEST_PROTOCOL_VERSION,
  appInfo: { name: 'scripted', version: '1.0.0' },
  appCapabilities: {},
};

export const createStage = (options: Partial<SessionOptions> = {}, page?: object): Stage => {
  const server = (options.server as PlainServer | undefined) ?? createPlainServer(); // tests only pass plain servers
  const surface = createTestSurface(page);
  const recording = createRecording({ writer: 'page' });
  const session = createSession(
    {
      tool: uiTool,
      sandbox: { base: 'http://casement.localhost:6271' },
      recording,
      ...options,
      server,
    },
    surface,
  );
  const received: WireMessage[] = [];
  let subscribed = 0;

  const end = (): Transport => {
    const frame = surface.frames.at(-1);
    if (!frame) throw new Error('No frame is mounted.');
    return frame.end;
  };
  const listen = (): void => {
    for (; subscribed < surface.frames.length; subscribed += 1) {
      surface.frames[subscribed]?.end.subscribe((data) => received.push(data as WireMessage)); // read loosely on purpose
    }
  };

  const stage: Stage = {
    server,
    surface,
    session,
    recording,
    received,
    async mount() {
      session.start();
      await until(end);
      listen();
    },
    async proxy(name, params = {}) {
      listen();
      await stage.send({ jsonrpc: '2.0', method: `ui/notifications/sandbox-${name}`, params });
    },
    async handOver() {
      await stage.mount();
      await until(() => {
        if (session.getSnapshot().status !== 'sandbox') throw new Error('The resource is not read yet.');
      });
      await stage.proxy('proxy-ready');
      await stage.proxy('loader-ready');
      await stage.proxy('frame-loaded', { sinceLoaderReady: 1 });
    },
    async send(value) {
      end().send(value as JsonRpcMessage); // hostile values are the point
      await settle();
    },
    async ask(id, method, params) {
      await stage.send({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });
      return until(() => {
        const answer = received.findLast((message) => message.id === id && !message.method);
        if (!answer) throw new Error(`No answer to ${method}.`);
        return answer;
      });
    },
    createApp: (handlers = {}, onNotification) =>
      createPeer({
        transport: end(),
        side: 'app',
        requestHandlers: handlers,
        ...(onNotification ? { onNotification } : {}),
      }),
    async ready(params = initializeParams) {
      await stage.handOver();
      await stage.ask('init', 'ui/initialize', params);
      await stage.send({ jsonrpc: '2.0', method: 'ui/notifications/initialized' });
    },
    kinds: (kind) => recording.entries().flatMap((entry) => (entry.kind === kind ? [entry.raw] : [])),
    methods: () => received.flatMap(({ method }) => method ?? []),
  };
  return stage;
};
