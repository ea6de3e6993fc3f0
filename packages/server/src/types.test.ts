import {
  McpServer as McpServer1,
  type RegisteredResource as RegisteredResource1,
  type RegisteredTool as RegisteredTool1,
} from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  McpServer,
  type RegisteredResource,
  type RegisteredTool,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import { registerAppResource, registerAppTool } from './index.js';
import { html, says } from './wire.test-support.js';

const info = { name: 'test', version: '1' };
const ui = { template: html };
const readOnly = { annotations: { readOnlyHint: true } };

test('on a 2.x server arguments, context and handles have its types', () => {
  const server = new McpServer(info);
  const inputSchema = z.object({ city: z.string(), days: z.number().optional() });
  const tool = registerAppTool(server, 'a', { ui, inputSchema, ...readOnly }, (args, context) => {
    expectTypeOf(args).toEqualTypeOf<{ city: string; days?: number | undefined }>();
    expectTypeOf(context).toEqualTypeOf<ServerContext>();
    return says(args.city);
  });
  expectTypeOf(tool).toEqualTypeOf<RegisteredTool>();
  registerAppTool(server, 'b', { ui }, (context) => {
    expectTypeOf(context).toEqualTypeOf<ServerContext>();
    return says(context.mcpReq.method);
  });
  // @ts-expect-error a tool answers with content
  registerAppTool(server, 'c', { ui }, () => 'text');
  // @ts-expect-error such a permission does not exist
  const wrong = () => registerAppTool(server, 'd', { ui: { ...ui, permissions: ['usb'] } }, () => says('x'));
  expect(wrong).toThrow();
  const resource = registerAppResource(
    server,
    'R',
    'ui://r',
    { title: 'R', ui: { prefersBorder: true } },
    (uri) => {
      expectTypeOf(uri).toEqualTypeOf<URL>();
      return html;
    },
  );
  expectTypeOf(resource).toEqualTypeOf<RegisteredResource>();
});

test('on a 1.x server they have the types of that one, raw shapes included', () => {
  const server = new McpServer1(info);
  const tool = registerAppTool(
    server,
    'a',
    { ui, inputSchema: { city: z.string(), days: z.number().optional() }, ...readOnly },
    (args, extra) => {
      expectTypeOf(args.city).toEqualTypeOf<string>();
      expectTypeOf(args.days).toEqualTypeOf<number | undefined>();
      expectTypeOf(extra.requestId).toEqualTypeOf<string | number>();
      return says(args.city);
    },
  );
  expectTypeOf(tool).toEqualTypeOf<RegisteredTool1>();
  registerAppTool(server, 'b', { ui, inputSchema: z.object({ city: z.string() }) }, ({ city }) => {
    expectTypeOf(city).toEqualTypeOf<string>();
    return says(city);
  });
  const resource = registerAppResource(server, 'R', 'ui://r', {}, () => ({
    contents: [{ uri: 'ui://r', text: html }],
  }));
  expectTypeOf(resource).toEqualTypeOf<RegisteredResource1>();
});
