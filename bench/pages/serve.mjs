// The origins of the frame benches: the host page, Casement's sandbox, and the bare relay with its loader.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createSandboxHandler } from '@casement/sandbox/handler';
import { build } from 'esbuild';
import { root } from '../../scripts/lib/run.mjs';
import { loaderPage, toRelayPage } from './bare-pages.mjs';

const listen = async (respond) => {
  const server = createServer((request, response) => {
    Promise.resolve(respond(request)).then(async (answer) => {
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.end(Buffer.from(await answer.arrayBuffer()));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: server.address().port, close: () => server.close() };
};

const toPage = (body, type = 'text/html') =>
  new Response(body, { headers: { 'content-type': `${type}; charset=utf-8` } });

const missing = () => new Response(null, { status: 404 });

const bundleHostPage = async () => {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'bench/pages/host-page.ts')],
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    outdir: join(root, '.cache/bench'),
    write: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'warning',
  });
  return new Map(outputFiles.map(({ path, text }) => [path.slice(join(root, '.cache/bench').length), text]));
};

/** Starts them all; `url` is the host page. */
export const serveBench = async () => {
  const scripts = await bundleHostPage();
  const html = await readFile(join(root, 'bench/pages/guest.html'), 'utf8');
  const bare = await listen(({ headers, url }) => {
    const origin = `http://${headers.host}`;
    if (url === '/relay') return toPage(toRelayPage(`${origin.replace('relay.', 'guest.')}/loader`));
    return url === '/loader' ? toPage(loaderPage) : missing();
  });
  let settings;
  const host = await listen(({ url }) => {
    if (scripts.has(url))
      return toPage(scripts.get(url), url.endsWith('.css') ? 'text/css' : 'text/javascript');
    if (url !== '/') return missing();
    const data = JSON.stringify(settings).replaceAll('<', '\\u003c');
    return toPage(
      `<!doctype html><title>bench</title><link rel="stylesheet" href="/host-page.css"><body><script>benchSettings = ${data}</script><script type="module" src="/host-page.js"></script>`,
    );
  });
  const url = `http://localhost:${host.port}/`;
  let handle;
  const sandbox = await listen((request) =>
    handle(new Request(new URL(request.url, `http://${request.headers.host}`), { headers: request.headers })),
  );
  const sandboxBase = `http://casement.localhost:${sandbox.port}`;
  handle = createSandboxHandler({ base: sandboxBase, hostOrigins: [new URL(url).origin] });
  settings = { html, sandboxBase, relayUrl: `http://relay.localhost:${bare.port}/relay` };
  return { url, close: () => [bare, host, sandbox].forEach((server) => server.close()) };
};
