import { readFileSync } from 'node:fs';
import { methodTable } from '../../../protocol/src/messages/methods.js';
import { describe, expect, test } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import * as root from '../index.js';
import * as errors from './ext-apps-errors.js';
import * as extApps from './index.js';
import type { ExtAppsRequests, ExtAppsWidgetNotifications } from './ext-apps-types.js';
import { createExtAppsMessageHandler, ExtAppsMessageHandler } from './index.js';
import { ask, createContext, everything, initialize, requests, type Fields } from './widget.test-support.js';

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/** The type makes the list complete. */
const names: Record<keyof ExtAppsRequests | keyof ExtAppsWidgetNotifications, 'request' | 'notification'> = {
  'ui/initialize': 'request',
  ping: 'request',
  'tools/call': 'request',
  'ui/callServerTool': 'request',
  'ui/update-model-context': 'request',
  'ui/updateModelContext': 'request',
  'ui/open-link': 'request',
  'ui/openLink': 'request',
  'ui/request-display-mode': 'request',
  'ui/setDisplayMode': 'request',
  'ui/close': 'request',
  'ui/log': 'request',
  'ui/registerTool': 'request',
  'ui/unregisterTool': 'request',
  'ui/notifications/initialized': 'notification',
  'ui/notifications/request-teardown': 'notification',
  'ui/notifications/size-changed': 'notification',
  'notifications/message': 'notification',
  'notifications/tools/list_changed': 'notification',
  'notifications/cancelled': 'notification',
};

describe('what a widget asks', () => {
  verifies(
    'S3-22',
    'every message the types name is known to the handler, with or without an id',
    async () => {
      for (const [name, kind] of Object.entries(names)) {
        const handler = createExtAppsMessageHandler({ ...createContext(), hostCapabilities: everything });
        const { params } = requests.find(({ method }) => method === name) ?? {};
        expect(await handler.handleRequest(ask(name, params)), name).toHaveProperty('result');
        if (kind === 'request') expect(requests.map(({ method }) => method)).toContain(name);
      }
    },
  );

  verifies(
    ['S3-33', 'S3-34', 'S3-35', 'S3-36', 'S3-40', 'S3-41', 'S3-42', 'S3-43', 'S3-44', 'S3-45', 'S3-46'],
    'goes to its callback under the specification’s and the document’s name, and is answered under its id',
    async () => {
      for (const { method, params, called, result } of requests) {
        const { context, calls } = createContext();
        const handler = createExtAppsMessageHandler({ context, hostCapabilities: everything });
        expect(handler).toBeInstanceOf(ExtAppsMessageHandler);
        const answer = await handler.handleRequest(ask(method, params, `id of ${method}`));
        expect(answer, method).toEqual({ jsonrpc: '2.0', id: `id of ${method}`, result });
        expect(calls, method).toEqual(called ? [called] : []);
      }
    },
  );

  verifies(
    ['S3-06', 'S3-20', 'S3-21'],
    'ui/initialize needs no capability and tells in both vocabularies what there is',
    async () => {
      const answer = async (options: Partial<ConstructorParameters<typeof ExtAppsMessageHandler>[0]>) =>
        new ExtAppsMessageHandler({ context: createContext().context, ...options }).handleRequest(
          ask('ui/initialize', initialize),
        );
      expect(await answer({})).toEqual({
        jsonrpc: '2.0',
        id: 1,
        result: {
          protocolVersion: '2026-01-26',
          hostInfo: { name: '@casement/server', version: manifest.version },
          hostCapabilities: {
            serverToolProxy: false,
            openLink: false,
            modelContextUpdate: false,
            widgetTools: false,
          },
          hostContext: {},
        },
      });
      const full = await answer({
        hostCapabilities: everything,
        hostInfo: { name: 'mine', version: '2' },
        hostContext: { theme: 'dark' },
      });
      expect(full).toMatchObject({
        result: {
          hostInfo: { name: 'mine', version: '2' },
          hostCapabilities: {
            serverToolProxy: true,
            displayModes: everything.displayModes,
            serverTools: {},
            openLinks: {},
            updateModelContext: {},
            logging: {},
          },
          hostContext: { theme: 'dark', availableDisplayModes: everything.displayModes },
        },
      });
      // Official apps give up on a result that the specification's schema does not take.
      const row = methodTable.find(({ method }) => method === 'ui/initialize');
      const result = (full as { result: unknown }).result; // an error would have failed above
      expect(row && 'result' in row && row.result(result)).toMatchObject({ hostInfo: { name: 'mine' } });
    },
  );

  verifies(
    'S3-12',
    'logs reach the logger with session and level, whichever list of levels they use',
    async () => {
      const { context, lines } = createContext();
      const handler = createExtAppsMessageHandler({ context, hostCapabilities: { logging: true } });
      for (const level of ['debug', 'info', 'warn', 'error', undefined]) {
        await handler.handleRequest(ask('ui/log', { ...(level && { level }), message: 'm', data: 7 }));
      }
      for (const level of ['notice', 'warning', 'critical', 'emergency']) {
        await handler.handleRequest({
          jsonrpc: '2.0',
          method: 'notifications/message',
          params: { level, data: 'm' },
        });
      }
      expect(lines.map(([level, message]) => [level, message])).toEqual(
        ['debug', 'info', 'warn', 'error', 'info', 'info', 'warn', 'error', 'error'].map((level) => [
          level,
          'm',
        ]),
      );
      expect(lines[0]?.[2]).toEqual({ sessionId: 'session-1', data: 7 });
    },
  );

  test('the mode that came of a wish is told', async () => {
    const { context } = createContext({ setDisplayMode: () => 'inline' });
    const handler = createExtAppsMessageHandler({ context });
    expect(await handler.handleRequest(ask('ui/setDisplayMode', { mode: 'fullscreen' }))).toHaveProperty(
      'result',
      { mode: 'inline' },
    );
  });

  test('notifications are heard without an answer; a request without an id is not done', async () => {
    const { context, calls } = createContext();
    const handler = createExtAppsMessageHandler({ context, hostCapabilities: everything });
    const tell = (method: string, params: Fields = {}) =>
      handler.handleRequest({ jsonrpc: '2.0', method, params });
    expect(await tell('ui/notifications/request-teardown')).toBeUndefined();
    expect(calls).toEqual([['close', undefined]]);
    for (const { method, params } of requests) {
      if (method.includes('notifications/')) continue;
      expect(await tell(method, params), method).toBeUndefined();
    }
    for (const method of ['ui/notifications/initialized', 'notifications/tools/list_changed', 'unknown']) {
      expect(await tell(method)).toBeUndefined();
    }
    expect(calls).toHaveLength(1);
  });

  test('a notification that fails is told to the logger alone', async () => {
    const { context, lines } = createContext({
      close: () => {
        throw new Error('inner words');
      },
    });
    const handler = createExtAppsMessageHandler({ context });
    expect(
      await handler.handleRequest({ jsonrpc: '2.0', method: 'ui/notifications/request-teardown' }),
    ).toBeUndefined();
    expect(lines).toMatchObject([['warn', expect.stringContaining('request-teardown'), { code: -32603 }]]);
  });
});

const classes = Object.entries(errors).filter(([, value]) => typeof value === 'function');

verifies(
  'S3-23',
  '@casement/server/ext-apps is the one entry with everything public of the handler: factory, class, types, codes, errors',
  async () => {
    expect(manifest.exports['./ext-apps']).toEqual({
      types: './dist/ext-apps/index.d.ts',
      default: './dist/ext-apps/index.js',
    });
    const { createExtAppsMessageHandler: create, ExtAppsMessageHandler: Handler, ...rest } = extApps;
    // The codes and every error class there is, and nothing else.
    expect(rest).toEqual({ ...errors });
    expect(classes.map(([name]) => name).toSorted()).toEqual([
      'ExtAppsError',
      'ExtAppsInvalidParamsError',
      'ExtAppsMethodNotFoundError',
      'ExtAppsNotSupportedError',
      'ExtAppsToolNotFoundError',
    ]);

    // An author needs no other entry: each type is written down here by its public name.
    const context: extApps.ExtAppsHandlerContext = {
      sessionId: 'session-1',
      callTool: (name) => {
        throw new extApps.ExtAppsToolNotFoundError(`There is no ${name}.`);
      },
      logger: createContext().context.logger,
    };
    const hostCapabilities: extApps.ExtAppsHostCapabilities = { serverToolProxy: true };
    const appCapabilities: extApps.ExtAppsWidgetCapabilities = { tools: { listChanged: true } };
    const input: extApps.ExtAppsHostNotifications['ui/notifications/tool-input'] = { arguments: { a: 1 } };
    const handler: extApps.ExtAppsMessageHandler = create({ context, hostCapabilities });
    expect(handler).toBeInstanceOf(Handler);
    const tell = (id: number, method: string, params: object) =>
      handler.handleRequest({ jsonrpc: '2.0', id, method, params });
    expect(await tell(1, 'ui/initialize', { ...initialize, appCapabilities })).toHaveProperty('result');
    expect(await tell(2, 'tools/call', { name: 'nothing', ...input })).toMatchObject({
      error: { code: extApps.EXT_APPS_ERROR_CODES.TOOL_NOT_FOUND, message: 'There is no nothing.' },
    });
  },
);

verifies('S3-54', 'every error class of /ext-apps is the same one at the root of the package', () => {
  expect(Object.keys(manifest.exports)).toEqual(['.', './ext-apps']);
  for (const [name, value] of classes) {
    expect([name, Reflect.get(root, name) === value, Reflect.get(extApps, name) === value]).toEqual([
      name,
      true,
      true,
    ]);
    expect(value).toHaveProperty('prototype', expect.any(Error));
  }
});
