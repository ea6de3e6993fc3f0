import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { createSandboxHandler } from '@casement/sandbox/handler';
import { getRequestListener } from '@hono/node-server';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { build } from 'esbuild';

const port = Number(process.env.PORT ?? 8080);
const chatOrigin = `http://chat.localhost:${port}`;
const sandboxBase = `http://chat.localhost:${port + 1}`;

const sandbox = createSandboxHandler({ base: sandboxBase, hostOrigins: [chatOrigin] });

const client = new Client(
  { name: 'react-host', version: '0.1.0' },
  {
    capabilities: {
      extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
    },
  },
);
const weather = fileURLToPath(import.meta.resolve('@casement/example-weather-server'));
await client.connect(new StdioClientTransport({ command: process.execPath, args: [weather] }));
const methods = {
  'tools/list': () => client.listTools(),
  'tools/call': (params) => client.callTool(params),
  'resources/read': (params) => client.readResource(params),
};

const read = (name) => readFile(new URL(name, import.meta.url), 'utf8');
const bundle = await build({
  entryPoints: [fileURLToPath(new URL('chat.jsx', import.meta.url))],
  bundle: true,
  jsx: 'automatic',
  format: 'esm',
  write: false,
});
const files = {
  '/': ['text/html', await read('index.html')],
  '/chat.css': ['text/css', await read('chat.css')],
  '/chat.js': ['text/javascript', bundle.outputFiles[0].text],
};
const headers = {
  // The page frames the sandbox's proxy and nothing else.
  'content-security-policy': `default-src 'self'; frame-src ${sandboxBase.replace('//', '//sandbox.')}`,
  'x-content-type-options': 'nosniff',
};

const chat = async (request) => {
  const { pathname, origin } = new URL(request.url);
  // Other pages, and other names for this address, get nothing.
  if (origin !== chatOrigin) return new Response(null, { status: 403 });
  if (pathname === '/mcp' && request.method === 'POST') return answer(request);
  const [type, body] = Object.hasOwn(files, pathname) ? files[pathname] : [];
  return new Response(body, {
    status: type ? 200 : 404,
    headers: { ...headers, 'content-type': `${type}; charset=utf-8` },
  });
};

const answer = async (request) => {
  if (request.headers.get('origin') !== chatOrigin) return new Response(null, { status: 403 });
  const { method, params } = await request.json();
  if (!Object.hasOwn(methods, method)) return new Response('No such method.', { status: 400 });
  try {
    return Response.json(await methods[method](params));
  } catch (error) {
    return new Response(error.message, { status: 502 });
  }
};

const serve = (handler, at) =>
  new Promise((resolve) => {
    const listener = getRequestListener(handler, { overrideGlobalObjects: false });
    createServer(listener).listen(at, '127.0.0.1', resolve);
  });
await Promise.all([serve(chat, port), serve(sandbox, port + 1)]);
process.stdout.write(`The chat is at ${chatOrigin}\n`);
