import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as InMemoryTransport1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as McpServer1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { verifies } from '../../../../test/verifies.js';
import {
  createExtAppsMessageHandler,
  EXT_APPS_ERROR_CODES,
  ExtAppsError,
  ExtAppsInvalidParamsError,
  ExtAppsMethodNotFoundError,
  ExtAppsNotSupportedError,
  ExtAppsToolNotFoundError,
  type ExtAppsHandlerContext,
} from './index.js';
import { ask, createContext, everything, initialize, schema } from './widget.test-support.js';

describe('wrong messages', () => {
  verifies('S3-37', 'no callback runs on parameters that are not what the method takes: -32602', async () => {
    const wrong: Record<string, unknown[]> = {
      'ui/initialize': [{}, { protocolVersion: '1' }, { ...initialize, appInfo: 'x' }],
      'ui/callServerTool': [
        {},
        { name: '' },
        { name: ' ' },
        { name: 7 },
        { name: 'x', arguments: [] },
        { name: 'x', arguments: null },
        { name: 'x', arguments: 'y' },
      ],
      'tools/call': [{}, { name: '' }, { name: 'x', arguments: [1] }],
      'ui/updateModelContext': [{}, { context: null }, { context: 1, merge: 'yes' }],
      'ui/update-model-context': [{ content: 'x' }, { content: [{}] }, { structuredContent: [] }],
      'ui/openLink': [
        {},
        { url: '' },
        { url: 'nowhere' },
        { url: 'javascript:alert(1)' },
        { url: 'file:///etc' },
        { url: 'data:text/html,x' },
        { url: ['https://a.example'] },
      ],
      'ui/open-link': [{ url: 'ftp://a.example' }],
      'ui/setDisplayMode': [{}, { mode: 'huge' }, { mode: ['pip'] }],
      'ui/request-display-mode': [{ mode: '' }],
      'ui/close': [{ reason: 7 }],
      'ui/log': [{}, { message: 7 }, { message: 'x', level: 'loud' }, { message: 'x', level: 'toString' }],
      'notifications/message': [{}, { level: 'loud', data: 1 }],
      'ui/registerTool': [
        {},
        { name: 'x' },
        { name: 'x', description: 'y' },
        { name: 'x', description: 'y', inputSchema: [] },
        { name: 'x', description: '', inputSchema: schema },
      ],
      'ui/unregisterTool': [{}, { name: '' }],
    };
    const { context, calls, lines } = createContext();
    const handler = createExtAppsMessageHandler({ context, hostCapabilities: everything });
    for (const [method, list] of Object.entries(wrong)) {
      for (const params of list) {
        const answer = await handler.handleRequest(ask(method, params));
        expect(answer, `${method} ${JSON.stringify(params)}`).toMatchObject({
          id: 1,
          error: { code: -32602 },
        });
      }
    }
    expect(calls).toEqual([]);
    expect(lines.every(([level]) => level === 'warn')).toBe(true);
  });

  verifies(
    ['S3-24', 'S3-25', 'S3-26', 'S3-27'],
    'unreadable, malformed and unknown messages get their own numbers',
    async () => {
      const handler = createExtAppsMessageHandler({
        context: createContext().context,
        hostCapabilities: everything,
      });
      const code = async (request: unknown) => {
        const answer = await handler.handleRequest(request);
        return answer && 'error' in answer ? [answer.id, answer.error.code] : answer;
      };
      for (const text of ['', '{', 'undefined']) expect(await code(text)).toEqual([null, -32700]);
      expect(await code(JSON.stringify(ask('ping', {}, 'text')))).toEqual({
        jsonrpc: '2.0',
        id: 'text',
        result: {},
      });
      for (const value of [
        undefined,
        null,
        7,
        '7',
        [],
        [ask('ping')],
        {},
        { jsonrpc: '1.0', id: 1, method: 'ping' },
      ]) {
        expect(await code(value), JSON.stringify(value)).toEqual([null, -32600]);
      }
      expect(await code({ jsonrpc: '2.0', id: 1, result: {} })).toEqual([null, -32600]);
      expect(await code(ask('ping', []))).toEqual([1, -32600]);
      for (const method of ['ui/foo', 'constructor', '__proto__', 'tools/list', 'sampling/createMessage']) {
        expect(await code(ask(method)), method).toEqual([1, -32601]);
      }
      expect(await code(ask('ui/openLink', { url: 7 }))).toEqual([1, -32602]);
    },
  );

  test('a context without callTool or logger is refused at once', () => {
    // Wrong on purpose.
    const make = (context: object) =>
      createExtAppsMessageHandler({ context: context as ExtAppsHandlerContext });
    expect(() => make({ sessionId: 's', logger: console })).toThrow('context.callTool is missing');
    expect(() => make({ sessionId: 's', callTool: () => ({}) })).toThrow('context.logger is missing');
  });
});

describe('failures', () => {
  const failWith = async (thrown: unknown) => {
    const { context, lines } = createContext({ callTool: () => Promise.reject(thrown) });
    const handler = createExtAppsMessageHandler({ context, hostCapabilities: everything });
    return { answer: await handler.handleRequest(ask('tools/call', { name: 'weather' })), lines };
  };

  verifies(
    ['S3-28', 'S3-30'],
    'a tool that throws is -32002, any other fault -32603; inner words go to the logger alone',
    async () => {
      const secret = new Error('password is 1234');
      const { answer, lines } = await failWith(secret);
      expect(answer).toEqual({
        jsonrpc: '2.0',
        id: 1,
        error: { code: -32002, message: 'The tool "weather" failed.' },
      });
      expect(lines).toMatchObject([['warn', expect.any(String), { cause: secret }]]);
      const { context } = createContext({ openLink: () => Promise.reject(secret) });
      const handler = createExtAppsMessageHandler({ context, hostCapabilities: everything });
      expect(await handler.handleRequest(ask('ui/openLink', { url: 'https://a.example' }))).toEqual({
        jsonrpc: '2.0',
        id: 1,
        error: { code: -32603, message: 'Internal error' },
      });
      expect((await failWith('a text')).answer).toMatchObject({ error: { code: -32002 } });
    },
  );

  verifies(
    'S3-29',
    'an unknown tool is -32001, whether a callback says so or either official server',
    async () => {
      expect((await failWith(new ExtAppsToolNotFoundError('No weather'))).answer).toMatchObject({
        error: { code: -32001, message: 'No weather' },
      });
      const info = { name: 'test', version: '1' };
      const empty = z.object({});
      const server2 = new McpServer(info);
      server2.registerTool('real', { inputSchema: empty }, () => ({
        content: [{ type: 'text', text: 'Tool hammer not found' }],
        isError: true,
      }));
      const client2 = new Client(info);
      const [a, b] = InMemoryTransport.createLinkedPair();
      await Promise.all([server2.connect(a), client2.connect(b)]);
      const server1 = new McpServer1(info);
      server1.registerTool('real', {}, () => ({
        content: [{ type: 'text', text: 'Tool hammer not found' }],
        isError: true,
      }));
      const client1 = new Client1(info);
      const [c, d] = InMemoryTransport1.createLinkedPair();
      await Promise.all([server1.connect(c), client1.connect(d)]);
      onTestFinished(async () => {
        await client1.close();
        await client2.close();
      });
      for (const client of [client1, client2]) {
        const { context } = createContext({
          callTool: (name, args) => client.callTool({ name, arguments: args }),
        });
        const handler = createExtAppsMessageHandler({ context, hostCapabilities: everything });
        expect(await handler.handleRequest(ask('tools/call', { name: 'none' }))).toMatchObject({
          error: { code: -32001 },
        });
        // A tool that failed by its own account is a result.
        expect(await handler.handleRequest(ask('tools/call', { name: 'real' }))).toMatchObject({
          result: { isError: true },
        });
      }
    },
  );

  verifies(
    ['S3-31', 'S3-49', 'S3-50', 'S3-51', 'S3-52', 'S3-53', 'S3-55'],
    'every error class knows its number, and thrown in a callback becomes the answer',
    async () => {
      for (const [Class, code, name] of [
        [ExtAppsMethodNotFoundError, -32601, 'ExtAppsMethodNotFoundError'],
        [ExtAppsInvalidParamsError, -32602, 'ExtAppsInvalidParamsError'],
        [ExtAppsNotSupportedError, -32003, 'ExtAppsNotSupportedError'],
        [ExtAppsToolNotFoundError, -32001, 'ExtAppsToolNotFoundError'],
        [ExtAppsError, -32603, 'ExtAppsError'],
      ] as const) {
        const error = new Class('words');
        expect(error).toBeInstanceOf(ExtAppsError);
        expect(error).toMatchObject({ code, name, message: 'words' });
        expect((await failWith(error)).answer).toEqual({
          jsonrpc: '2.0',
          id: 1,
          error: { code, message: 'words' },
        });
      }
      expect(EXT_APPS_ERROR_CODES).toEqual({
        PARSE_ERROR: -32700,
        INVALID_REQUEST: -32600,
        METHOD_NOT_FOUND: -32601,
        INVALID_PARAMS: -32602,
        INTERNAL_ERROR: -32603,
        TOOL_NOT_FOUND: -32001,
        TOOL_EXECUTION_FAILED: -32002,
        NOT_SUPPORTED: -32003,
        CANCELLED: -32004,
      });
    },
  );

  verifies(
    'S3-32',
    'a request given up by the widget or by the connection is -32004, and its callback is told',
    async () => {
      const signals: AbortSignal[] = [];
      const { context } = createContext({
        callTool: (_name, _args, { signal }) => {
          signals.push(signal);
          return new Promise((_resolve, reject) =>
            signal.addEventListener('abort', () => reject(new Error('late'))),
          );
        },
      });
      const handler = createExtAppsMessageHandler({ context, hostCapabilities: everything });
      const byWidget = handler.handleRequest(ask('tools/call', { name: 'slow' }, 'a'));
      const controller = new AbortController();
      const byConnection = handler.handleRequest(ask('tools/call', { name: 'slow' }, 'b'), {
        signal: controller.signal,
      });
      await expect.poll(() => signals).toHaveLength(2);
      expect(await handler.handleRequest(ask('ping', {}, 'a')), 'its id is taken').toMatchObject({
        id: 'a',
        error: { code: -32600 },
      });
      for (const requestId of ['c', 7, null, {}]) {
        await handler.handleRequest({
          jsonrpc: '2.0',
          method: 'notifications/cancelled',
          params: { requestId },
        });
      }
      expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
      await handler.handleRequest({
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId: 'a' },
      });
      expect(await byWidget).toMatchObject({ id: 'a', error: { code: -32004 } });
      expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
      controller.abort();
      expect(await byConnection).toMatchObject({ id: 'b', error: { code: -32004 } });
      expect(
        await handler.handleRequest(ask('tools/call', { name: 'slow' }, 'd'), { signal: controller.signal }),
      ).toMatchObject({ error: { code: -32004 } });
      expect(signals).toHaveLength(2);
      expect(await handler.handleRequest(ask('ping', {}, 'a'))).toMatchObject({ id: 'a', result: {} });
    },
  );
});
