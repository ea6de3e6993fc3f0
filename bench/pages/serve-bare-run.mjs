// A page with one button that runs a tool and shows its app in a bare double frame; it reaches the server through its
// own origin, as every inspector does.
import { bundlePage } from './bundle.mjs';
import { listen, missing, toPage } from './listen.mjs';
import { serveBare } from './serve-bare.mjs';

const readBody = async (request) => {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces);
};

const passOn = async (serverUrl, request) => {
  const { 'content-type': type, accept } = request.headers;
  const body = await readBody(request);
  const answer = await fetch(serverUrl, { method: 'POST', headers: { 'content-type': type, accept }, body });
  return toPage(await answer.arrayBuffer(), 'text/event-stream');
};

/** Starts the page for the server at this address. */
export const serveBareRun = async ({ serverUrl, uri, tool }) => {
  const scripts = await bundlePage('bare-run.ts');
  let settings;
  const host = await listen((request) => {
    const path = request.url.split('?')[0];
    if (path === '/mcp') return passOn(serverUrl, request);
    if (scripts.has(path)) return toPage(scripts.get(path), 'text/javascript');
    if (path !== '/') return missing();
    return toPage(
      `<!doctype html><html lang="en"><title>bare</title><body><button disabled>Run</button><script>bareRunSettings = ${JSON.stringify(settings)}</script><script type="module" src="/bare-run.js"></script>`,
    );
  });
  const url = `http://localhost:${host.port}/`;
  const { close: closeBare, ...bare } = await serveBare(new URL(url).origin);
  settings = { ...bare, uri, tool };
  return { url, close: () => [host.close, closeBare].forEach((close) => close()) };
};
