import { expect } from 'vitest';
import type { ExtAppsHandlerContext, ExtAppsHostCapabilities, ExtAppsWidgetCapabilities } from './index.js';

export type Fields = Record<string, unknown>;

/** All there is to advertise. */
export const everything: ExtAppsHostCapabilities = {
  serverToolProxy: true,
  openLink: true,
  modelContextUpdate: true,
  widgetTools: true,
  displayModes: ['inline', 'fullscreen', 'pip'],
  logging: true,
};

/** A context that writes down what it was asked. */
export const createContext = (more: Partial<ExtAppsHandlerContext> = {}) => {
  const calls: unknown[][] = [];
  const lines: unknown[][] = [];
  const note =
    (name: string, count: number) =>
    (...args: unknown[]): void => {
      calls.push([name, ...args.slice(0, count)]);
    };
  const write =
    (level: string) =>
    (...args: unknown[]): void => {
      lines.push([level, ...args]);
    };
  const context: ExtAppsHandlerContext = {
    sessionId: 'session-1',
    logger: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
    callTool: (name, args) => {
      calls.push(['callTool', name, args]);
      return { temperature: 21 };
    },
    updateModelContext: note('updateModelContext', 2),
    openLink: note('openLink', 1),
    setDisplayMode: note('setDisplayMode', 1),
    close: note('close', 1),
    registerTool: note('registerTool', 3),
    unregisterTool: note('unregisterTool', 1),
    ...more,
  };
  return { context, calls, lines };
};

/** A request as it comes off the wire. */
export const ask = (method: string, params?: unknown, id: string | number = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params !== undefined && { params }),
});

/** The smallest input schema. */
export const schema = { type: 'object' };
/** The handshake of a widget. */
export const initialize = {
  protocolVersion: '2026-01-26',
  appInfo: { name: 'app', version: '1' },
  appCapabilities: { supportsPartialInput: true } satisfies ExtAppsWidgetCapabilities,
};

/** Every request: under which name, with what, what is called, what comes back, and what it needs. */
export const requests: {
  row: string;
  method: string;
  params: Fields;
  called?: unknown[];
  result: unknown;
  capability?: keyof ExtAppsHostCapabilities;
  callback?: keyof ExtAppsHandlerContext;
}[] = [
  {
    row: 'S3-06',
    method: 'ui/initialize',
    params: initialize,
    result: expect.objectContaining({ protocolVersion: '2026-01-26' }),
  },
  {
    row: 'S3-07',
    method: 'ui/callServerTool',
    params: { name: 'weather', arguments: { city: 'Rome' } },
    called: ['callTool', 'weather', { city: 'Rome' }],
    result: { temperature: 21 },
    capability: 'serverToolProxy',
  },
  {
    row: 'S3-07',
    method: 'tools/call',
    params: { name: 'weather' },
    called: ['callTool', 'weather', {}],
    result: {
      content: [{ type: 'text', text: '{"temperature":21}' }],
      structuredContent: { temperature: 21 },
    },
    capability: 'serverToolProxy',
  },
  {
    row: 'S3-08',
    method: 'ui/updateModelContext',
    params: { context: { a: 1 } },
    called: ['updateModelContext', { a: 1 }, true],
    result: {},
    capability: 'modelContextUpdate',
    callback: 'updateModelContext',
  },
  {
    row: 'S3-08',
    method: 'ui/update-model-context',
    params: { structuredContent: { a: 1 } },
    called: ['updateModelContext', { structuredContent: { a: 1 } }, false],
    result: {},
    capability: 'modelContextUpdate',
    callback: 'updateModelContext',
  },
  {
    row: 'S3-09',
    method: 'ui/openLink',
    params: { url: 'https://a.example/b' },
    called: ['openLink', 'https://a.example/b'],
    result: {},
    capability: 'openLink',
    callback: 'openLink',
  },
  {
    row: 'S3-09',
    method: 'ui/open-link',
    params: { url: 'http://a.example' },
    called: ['openLink', 'http://a.example/'],
    result: {},
    capability: 'openLink',
    callback: 'openLink',
  },
  {
    row: 'S3-10',
    method: 'ui/setDisplayMode',
    params: { mode: 'pip' },
    called: ['setDisplayMode', 'pip'],
    result: { mode: 'pip' },
    callback: 'setDisplayMode',
  },
  {
    row: 'S3-10',
    method: 'ui/request-display-mode',
    params: { mode: 'inline' },
    called: ['setDisplayMode', 'inline'],
    result: { mode: 'inline' },
    callback: 'setDisplayMode',
  },
  {
    row: 'S3-11',
    method: 'ui/close',
    params: { reason: 'done' },
    called: ['close', 'done'],
    result: {},
    callback: 'close',
  },
  {
    row: 'S3-11',
    method: 'ui/notifications/request-teardown',
    params: {},
    called: ['close', undefined],
    result: {},
    callback: 'close',
  },
  {
    row: 'S3-12',
    method: 'ui/log',
    params: { level: 'warn', message: 'hot', data: 1 },
    result: {},
    capability: 'logging',
  },
  {
    row: 'S3-12',
    method: 'notifications/message',
    params: { level: 'warning', data: 'hot' },
    result: {},
    capability: 'logging',
  },
  {
    row: 'S3-13',
    method: 'ui/registerTool',
    params: { name: 'pick', description: 'Picks', inputSchema: schema },
    called: ['registerTool', 'pick', 'Picks', schema],
    result: {},
    capability: 'widgetTools',
    callback: 'registerTool',
  },
  {
    row: 'S3-14',
    method: 'ui/unregisterTool',
    params: { name: 'pick' },
    called: ['unregisterTool', 'pick'],
    result: {},
    capability: 'widgetTools',
    callback: 'unregisterTool',
  },
  { row: 'S3-36', method: 'ping', params: {}, result: {} },
];
