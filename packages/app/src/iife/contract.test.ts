import { createContext, runInContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import { createGuest, type Guest } from '../guest.test-support.js';
import { createTestHost, settle, type TestHost } from '../host.test-support.js';
import { App, ExtAppsAdapter, type Bridge, type CallToolResult } from '../index.js';
import type { JsonObject } from '../session/types.js';
import { generateBridgeIIFE } from './index.js';
import type { AdapterName } from '../transports/adapters.js';

/** What every form of the bridge has, under whatever names. */
interface Subject {
  connect(): Promise<unknown>;
  callTool(name: string, args: JsonObject): Promise<CallToolResult>;
  readResource(uri: string): Promise<object>;
  sendMessage(text: string): Promise<object>;
  openLink(url: string): Promise<object>;
  updateModelContext(context: JsonObject): Promise<object>;
  requestDisplayMode(mode: 'fullscreen'): Promise<object>;
  log(level: 'info', data: unknown): Promise<void>;
  resize(width: number, height: number): Promise<void>;
  requestClose(): Promise<void>;
  registerTool(name: string, handler: (args: JsonObject) => CallToolResult): unknown;
  unregisterTool(name: string): unknown;
  on(
    type: 'toolinput' | 'toolresult' | 'toolcancelled' | 'hostcontextchanged',
    listener: (params: object) => void,
  ): void;
  onTeardown(listener: () => void): void;
  readonly toolInput: JsonObject | undefined;
  readonly toolResult: CallToolResult | undefined;
  readonly hostContext: object | undefined;
}

const info = { name: 'ours', version: '1.0.0' };
const capabilities = {
  tools: { listChanged: true },
  availableDisplayModes: ['inline' as const, 'fullscreen' as const],
};
const schema = { type: 'object' as const };

const ofApp = (app: App): Omit<Subject, 'connect'> => ({
  callTool: (name, args) => app.callServerTool({ name, arguments: args }),
  readResource: (uri) => app.readResource(uri),
  sendMessage: (text) => app.sendMessage({ content: [{ type: 'text', text }] }),
  openLink: (url) => app.openLink({ url }),
  updateModelContext: (structuredContent) => app.updateModelContext({ structuredContent }),
  requestDisplayMode: (mode) => app.requestDisplayMode({ mode }),
  log: (level, data) => app.log(level, data),
  resize: (width, height) => app.sendSizeChanged({ width, height }),
  requestClose: () => app.requestTeardown(),
  registerTool: (name, handler) =>
    app.registerTool(name, { description: name, inputSchema: schema }, handler),
  unregisterTool: (name) => app.unregisterTool(name),
  on: (type, listener) => void app.on(type, listener),
  onTeardown: (listener) => void (app.onteardown = listener),
  get toolInput() {
    return app.toolInput;
  },
  get toolResult() {
    return app.toolResult;
  },
  get hostContext() {
    return app.getHostContext();
  },
});

const ofBridge = (bridge: Bridge): Omit<Subject, 'connect' | 'onTeardown'> => ({
  callTool: (name, args) => bridge.callTool(name, args),
  readResource: (uri) => bridge.readResource(uri),
  sendMessage: (text) => bridge.sendMessage(text),
  openLink: (url) => bridge.openLink(url),
  updateModelContext: (context) => bridge.updateModelContext(context),
  requestDisplayMode: (mode) => bridge.requestDisplayMode(mode),
  log: (level, data) => bridge.log(level, data),
  resize: (width, height) => bridge.resize(width, height),
  requestClose: () => bridge.close(),
  registerTool: (name, handler) => bridge.registerTool(name, name, schema, handler),
  unregisterTool: (name) => bridge.unregisterTool(name),
  on: (type, listener) => void bridge.on(type, listener),
  get toolInput() {
    return bridge.toolInput;
  },
  get toolResult() {
    return bridge.toolResult;
  },
  get hostContext() {
    return bridge.hostContext;
  },
});

/** Runs a generated script in a world of its own, as a script element would. */
const runScript = (guest: Guest, script: string): Record<string, unknown> => {
  runInContext(script, createContext(guest.window));
  return guest.window;
};

const domEvents = {
  toolinput: 'tool:input',
  toolresult: 'tool:result',
  toolcancelled: 'tool:cancelled',
  hostcontextchanged: 'host:context-changed',
};

const hearDom = (guest: Guest, type: string, listener: (detail: object) => void): void =>
  // Every event of the bridge is a CustomEvent.
  guest.events.addEventListener(type, (event) => listener((event as CustomEvent<object>).detail));

const ofScript = (guest: Guest, adapters: readonly AdapterName[], global: string): Subject => {
  const page = runScript(guest, generateBridgeIIFE({ adapters, global, appInfo: info, capabilities }));
  // What the script has just put there.
  const bridge = page[global] as Bridge & { ready: Promise<void> };
  return Object.defineProperties(
    {
      connect: () => bridge.ready,
      onTeardown: (listener: () => void) => hearDom(guest, 'mcp:teardown', listener),
    },
    {
      ...Object.getOwnPropertyDescriptors(ofBridge(bridge)),
      // The script's own way to tell: events of the document.
      on: {
        value: (type: keyof typeof domEvents, listener: (params: object) => void) =>
          hearDom(guest, domEvents[type], listener),
      },
    },
  ) as Subject;
};

const withConnect = (subject: object, connect: () => Promise<unknown>): Subject =>
  Object.defineProperties({ connect }, Object.getOwnPropertyDescriptors(subject)) as Subject;

const subjects: Readonly<Record<string, (guest: Guest) => Subject>> = {
  'the class App': () => {
    const app = new App(info, capabilities);
    return withConnect(ofApp(app), () => app.connect());
  },
  'the class ExtAppsAdapter': () => {
    const adapter = new ExtAppsAdapter({ appInfo: info, capabilities });
    const subject = { ...Object.getOwnPropertyDescriptors(ofBridge(adapter)) };
    const onTeardown = (listener: () => void): void => void (adapter.app.onteardown = listener);
    return Object.defineProperties({ connect: () => adapter.initialize(), onTeardown }, subject) as Subject;
  },
  'a script with ext-apps': (guest) => ofScript(guest, ['ext-apps'], 'FrontMcpBridge'),
  'a script with ext-apps and openai': (guest) => ofScript(guest, ['ext-apps', 'openai'], 'FrontMcpBridge'),
  'a script with ext-apps and generic': (guest) => ofScript(guest, ['ext-apps', 'generic'], 'FrontMcpBridge'),
  'a script with everything': (guest) => ofScript(guest, ['ext-apps', 'openai', 'generic'], 'FrontMcpBridge'),
  'a script under another name': (guest) => ofScript(guest, ['ext-apps', 'generic'], 'myBridge'),
};

afterEach(() => void vi.unstubAllGlobals());

describe.each(Object.entries(subjects))('%s', (_name, create) => {
  let guest: Guest;
  let host: TestHost;
  let subject: Subject;

  beforeEach(() => {
    guest = createGuest();
    vi.stubGlobal('window', guest.window);
    vi.stubGlobal('document', guest.document);
    host = createTestHost(guest.transport, {
      context: { theme: 'dark', availableDisplayModes: ['inline', 'fullscreen'] },
    });
    subject = create(guest);
  });

  verifies(
    ['S3-06', 'S3-75', 'S3-80'],
    'shakes hands once, with its name, its capabilities and the version',
    async () => {
      await subject.connect();
      await settle();
      expect(host.heard).toEqual([
        {
          method: 'ui/initialize',
          params: { appInfo: info, appCapabilities: capabilities, protocolVersion: '2026-01-26' },
        },
        { method: 'ui/notifications/initialized', params: {} },
      ]);
      expect(subject.hostContext).toEqual({ theme: 'dark', availableDisplayModes: ['inline', 'fullscreen'] });
      expect(guest.document.documentElement.dataset).toEqual({ theme: 'dark' });
    },
  );

  verifies(
    ['S3-01', 'S3-02', 'S3-04', 'S3-05', 'S3-66', 'S3-67', 'S3-68', 'S3-75'],
    'asks and tells under the names of the specification',
    async () => {
      await subject.connect();
      expect(await subject.callTool('echo', { a: 1 })).toEqual({
        content: [{ type: 'text', text: 'done' }],
        structuredContent: { a: 1 },
      });
      expect(await subject.readResource('note://1')).toEqual({
        contents: [{ uri: 'note://1', text: 'read' }],
      });
      expect(await subject.sendMessage('Hi')).toEqual({});
      expect(await subject.openLink('https://example.com')).toEqual({});
      expect(await subject.updateModelContext({ city: 'Bern' })).toEqual({});
      expect(await subject.requestDisplayMode('fullscreen')).toEqual({ mode: 'inline' });
      await subject.log('info', 'said');
      await subject.resize(3, 4);
      await subject.requestClose();
      await settle();
      expect(host.heard.slice(2)).toEqual([
        { method: 'tools/call', params: { name: 'echo', arguments: { a: 1 } } },
        { method: 'resources/read', params: { uri: 'note://1' } },
        { method: 'ui/message', params: { role: 'user', content: [{ type: 'text', text: 'Hi' }] } },
        { method: 'ui/open-link', params: { url: 'https://example.com' } },
        { method: 'ui/update-model-context', params: { structuredContent: { city: 'Bern' } } },
        { method: 'ui/request-display-mode', params: { mode: 'fullscreen' } },
        { method: 'notifications/message', params: { level: 'info', data: 'said' } },
        { method: 'ui/notifications/size-changed', params: { width: 3, height: 4 } },
        { method: 'ui/notifications/request-teardown', params: {} },
      ]);
      expect(host.invalid).toEqual([]);
    },
  );

  verifies(
    ['S3-15', 'S3-17', 'S3-18', 'S3-73', 'S3-75'],
    'tells what the host tells, and keeps it',
    async () => {
      const heard: unknown[] = [];
      for (const type of ['toolinput', 'toolresult', 'toolcancelled', 'hostcontextchanged'] as const)
        subject.on(type, (params) => heard.push([type, params]));
      await subject.connect();
      await settle();
      host.peer.notify('ui/notifications/tool-input', { arguments: { city: 'Bern' } });
      host.peer.notify('ui/notifications/tool-result', { content: [], structuredContent: { degrees: 3 } });
      host.peer.notify('ui/notifications/host-context-changed', { theme: 'light' });
      host.peer.notify('ui/notifications/tool-cancelled', {});
      await settle();
      expect(heard).toEqual([
        ['toolinput', { arguments: { city: 'Bern' } }],
        ['toolresult', { content: [], structuredContent: { degrees: 3 } }],
        ['hostcontextchanged', { theme: 'light' }],
        ['toolcancelled', {}],
      ]);
      expect(subject.toolInput).toEqual({ city: 'Bern' });
      expect(subject.toolResult).toMatchObject({ structuredContent: { degrees: 3 } });
      expect(subject.hostContext).toMatchObject({
        theme: 'light',
        availableDisplayModes: ['inline', 'fullscreen'],
      });
      expect(guest.document.documentElement.dataset).toEqual({ theme: 'light' });
    },
  );

  verifies(
    ['S3-03', 'S3-69', 'S3-75'],
    'offers tools to the host, calls them for it and takes them back',
    async () => {
      await subject.connect();
      await settle();
      await subject.registerTool('draw', ({ colour }) => ({
        content: [{ type: 'text', text: `drew ${String(colour)}` }],
      }));
      expect(await host.peer.request('tools/list', {})).toEqual({
        tools: [{ name: 'draw', description: 'draw', inputSchema: schema }],
      });
      expect(await host.peer.request('tools/call', { name: 'draw', arguments: { colour: 'red' } })).toEqual({
        content: [{ type: 'text', text: 'drew red' }],
      });
      await subject.unregisterTool('draw');
      expect(await host.peer.request('tools/list', {})).toEqual({ tools: [] });
      expect(host.paramsOf('notifications/tools/list_changed')).toHaveLength(2);
    },
  );

  test('answers ping and the end', async () => {
    const ended = vi.fn();
    subject.onTeardown(ended);
    await subject.connect();
    await settle();
    expect(await host.peer.request('ping', {})).toEqual({});
    expect(await host.peer.request('ui/resource-teardown', {})).toEqual({});
    expect(ended).toHaveBeenCalledOnce();
  });

  test('gives the host’s no as a typed error', async () => {
    await subject.connect();
    await settle();
    await expect(subject.callTool('fail', {})).rejects.toMatchObject({
      name: 'AppError',
      code: 'refused',
      message: 'no',
      wire: { code: -32000 },
    });
  });
});
