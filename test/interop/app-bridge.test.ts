import { join } from 'node:path';
import type { MountedApp, SessionOptions } from '@casement/host';
import type { ServerPort } from '@casement/protocol/ports';
import type { JsonRpcMessage, Peer, PeerNotification } from '@casement/protocol';
import { createMemoryTransportPair } from '@casement/protocol';
import { LATEST_PROTOCOL_VERSION } from '@casement/protocol/basics';
import { createPeer } from '@casement/protocol/wire';
import { beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '../verifies.js';
import { eventually } from '../../e2e/support/eventually.js';
import { officialVersions, type OfficialVersion } from './official-app.js';

type Params = Record<string, unknown>;
type Handler = (params: Params) => unknown;

/** The part of the official bridge that is driven here; both versions have it. */
interface Bridge {
  onmessage?: Handler;
  onopenlink?: Handler;
  onupdatemodelcontext?: Handler;
  oncalltool?: Handler;
  onloggingmessage?: Handler;
  onsizechange?: Handler;
  oninitialized?: Handler;
  connect(transport: object): Promise<void>;
  getAppVersion(): Params | undefined;
  getAppCapabilities(): Params | undefined;
  sendToolInput(params: Params): Promise<void>;
  sendToolResult(params: Params): Promise<void>;
  setHostContext(context: Params): void;
  callTool(params: Params): Promise<Params>;
  teardownResource(params: Params): Promise<Params>;
}
interface BridgeModule {
  AppBridge: new (client: null, info: Params, capabilities: Params, options?: Params) => Bridge;
}

/** Under which name an embedder of our host finds what the official bridge offers to one. */
const counterparts = {
  onsizechange: 'getSnapshot',
  onsandboxready: 'getSnapshot',
  oninitialized: 'getSnapshot',
  onmessage: 'onMessage',
  onopenlink: 'onOpenLink',
  ondownloadfile: 'onDownload',
  onrequestteardown: 'onRequestTeardown',
  onrequestdisplaymode: 'onDisplayMode',
  onloggingmessage: 'onLog',
  onupdatemodelcontext: 'onModelContext',
  oncalltool: 'callTool',
  oncreatesamplingmessage: 'createMessage',
  onlistresources: 'listResources',
  onlistresourcetemplates: 'listResourceTemplates',
  onreadresource: 'readResource',
  onlistprompts: 'listPrompts',
  sendToolListChanged: 'subscribe',
  sendResourceListChanged: 'subscribe',
  sendPromptListChanged: 'subscribe',
  getAppCapabilities: 'getSnapshot',
  getAppVersion: 'getSnapshot',
  getCapabilities: 'getSnapshot',
  setHostContext: 'sendHostContextChanged',
  sendHostContextChange: 'sendHostContextChanged',
  sendToolInput: 'sendToolInput',
  sendToolInputPartial: 'sendToolInputPartial',
  sendToolResult: 'sendToolResult',
  sendToolCancelled: 'sendToolCancelled',
  sendSandboxResourceReady: 'sandbox',
  teardownResource: 'close',
  callTool: 'callAppTool',
  listTools: 'getSnapshot',
  connect: 'subscribe',
} as const satisfies Record<string, keyof MountedApp | keyof SessionOptions | keyof ServerPort>;

/** Machinery of the class and of the protocol below it; nothing an embedder sets or calls. */
const inner =
  /^(?:constructor|_.*|assert.*|buildContext|warnIf.*|(?:set|get)EventHandler|(?:add|remove)EventListener)$/;

describe.each(Object.keys(officialVersions) as OfficialVersion[])('the official AppBridge %s', (version) => {
  let module: BridgeModule;

  beforeAll(async () => {
    // A package of its own lock file, known by its path only.
    module = (await import(join(officialVersions[version], 'dist/src/app-bridge.js'))) as BridgeModule;
  });

  test('offers an embedder nothing that our host has no name for', () => {
    const offered = Object.getOwnPropertyNames(module.AppBridge.prototype).filter(
      (name) => !inner.test(name),
    );
    expect(offered.filter((name) => !Object.hasOwn(counterparts, name))).toEqual([]);
  });

  /** The bridge at one end, our peer as an app at the other. */
  const connect = async (handlers: Partial<Bridge>) => {
    const [near, far] = createMemoryTransportPair();
    const bridge = new module.AppBridge(
      null,
      { name: 'official', version },
      { openLinks: {}, serverTools: {}, logging: {} },
      { hostContext: { theme: 'dark' } },
    );
    Object.assign(bridge, handlers);
    const transport: { onmessage?: (message: unknown) => void } & Params = {
      start: () => {
        near.subscribe((message) => transport.onmessage?.(message));
        return Promise.resolve();
      },
      send: (message: JsonRpcMessage) => Promise.resolve(near.send(message)),
      close: () => Promise.resolve(),
    };
    await bridge.connect(transport);
    const heard: PeerNotification[] = [];
    const app: Peer = createPeer({
      transport: far,
      side: 'app',
      requestHandlers: {
        'ui/resource-teardown': () => ({}),
        'tools/call': ({ name }) => ({ content: [{ type: 'text', text: `ran ${name}` }] }),
      },
      onNotification: (notification) => heard.push(notification),
    });
    const answer = await app.request('ui/initialize', {
      appInfo: { name: 'ours', version: '1.0.0' },
      appCapabilities: { tools: {} },
      protocolVersion: LATEST_PROTOCOL_VERSION,
    });
    app.notify('ui/notifications/initialized', {});
    return { bridge, app, heard, answer };
  };

  verifies('S4-09', 'shakes hands with our peer and talks with it in both directions', async () => {
    const asked: unknown[] = [];
    const { bridge, app, heard, answer } = await connect({
      oninitialized: () => asked.push('initialized'),
      onmessage: (params) => {
        asked.push(params);
        return {};
      },
      onopenlink: () => ({ isError: true }),
      oncalltool: ({ name }) => ({ content: [], structuredContent: { name } }),
      onupdatemodelcontext: (params) => {
        asked.push(params);
        return {};
      },
      onloggingmessage: (params) => asked.push(params),
      onsizechange: (params) => asked.push(params),
    });
    expect(answer).toMatchObject({ hostInfo: { name: 'official' }, hostContext: { theme: 'dark' } });
    expect(bridge.getAppVersion()).toMatchObject({ name: 'ours' });
    expect(bridge.getAppCapabilities()).toEqual({ tools: {} });

    const content = [{ type: 'text' as const, text: 'Hi' }];
    expect(await app.request('ui/message', { role: 'user', content })).toEqual({});
    expect(await app.request('ui/open-link', { url: 'https://example.com' })).toEqual({ isError: true });
    expect(await app.request('tools/call', { name: 'x' })).toEqual({
      content: [],
      structuredContent: { name: 'x' },
    });
    expect(await app.request('ui/update-model-context', { content })).toEqual({});
    app.notify('notifications/message', { level: 'info', data: 1 });
    app.notify('ui/notifications/size-changed', { height: 20 });
    await eventually(() => asked).toEqual([
      'initialized',
      { role: 'user', content },
      { content },
      { level: 'info', data: 1 },
      { height: 20 },
    ]);

    await bridge.sendToolInput({ arguments: { a: 1 } });
    await bridge.sendToolResult({ content });
    bridge.setHostContext({ theme: 'light' });
    await eventually(() => heard).toEqual([
      { method: 'ui/notifications/tool-input', params: { arguments: { a: 1 } } },
      { method: 'ui/notifications/tool-result', params: { content } },
      { method: 'ui/notifications/host-context-changed', params: { theme: 'light' } },
    ]);
    expect(await bridge.callTool({ name: 'draw' })).toMatchObject({
      content: [{ type: 'text', text: 'ran draw' }],
    });
    expect(await bridge.teardownResource({})).toEqual({});
    app.close();
  });

  test('refuses what it has no handler for by number', async () => {
    const { app } = await connect({});
    await expect(app.request('ui/download-file', { contents: [] })).rejects.toMatchObject({
      wire: { code: -32601 },
    });
    app.close();
  });
});
