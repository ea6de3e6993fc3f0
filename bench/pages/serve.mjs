// The origins of the benches in a page of our own: the host page, Casement's sandbox, and the bare double frame.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSandboxHandler } from '@casement/sandbox/handler';
import { root } from '../../scripts/lib/run.mjs';
import { bundlePage } from './bundle.mjs';
import { listen, missing, toPage } from './listen.mjs';
import { serveBare } from './serve-bare.mjs';

const publishedApp = 'e2e/servers/node_modules/@modelcontextprotocol/server-basic-react/dist/mcp-app.html';

/** Starts them all; `url` is the host page, with one bench in it: what another needs would be cut into its files. */
export const serveBench = async (bench) => {
  const scripts = await bundlePage(`${bench}.ts`);
  const style = scripts.has(`/${bench}.css`) ? `<link rel="stylesheet" href="/${bench}.css">` : '';
  const html = await readFile(join(root, 'bench/pages/guest.html'), 'utf8');
  const appHtml = await readFile(join(root, publishedApp), 'utf8');
  let settings;
  const host = await listen(({ url }) => {
    if (scripts.has(url))
      return toPage(scripts.get(url), url.endsWith('.css') ? 'text/css' : 'text/javascript');
    if (url === '/app.html') return toPage(appHtml);
    if (url !== '/') return missing();
    const data = JSON.stringify(settings).replaceAll('<', '\\u003c');
    return toPage(
      `<!doctype html><title>bench</title>${style}<body><script>benchSettings = ${data}</script><script type="module" src="/${bench}.js"></script>`,
    );
  });
  const url = `http://localhost:${host.port}/`;
  const hostOrigin = new URL(url).origin;
  const { close: closeBare, ...bare } = await serveBare(hostOrigin);
  let handle;
  const sandbox = await listen((request) =>
    handle(new Request(new URL(request.url, `http://${request.headers.host}`), { headers: request.headers })),
  );
  const sandboxBase = `http://casement.localhost:${sandbox.port}`;
  handle = createSandboxHandler({ base: sandboxBase, hostOrigins: [hostOrigin] });
  settings = { html, sandboxBase, ...bare };
  return { url, close: () => [host.close, sandbox.close, closeBare].forEach((close) => close()) };
};
