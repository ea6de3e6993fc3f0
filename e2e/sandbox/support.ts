import { createSocket } from 'node:dgram';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import {
  createSandboxPolicy,
  FRAME_SANDBOX,
  toAllowAttribute,
  toOpaqueAddress,
  toSandboxAddress,
  type SandboxPolicyInput,
} from '@casement/sandbox';
import { createSandboxHandler, type CspReport } from '@casement/sandbox/handler';
import type { AppPermission } from '@casement/protocol';
import type { Browser, Frame, Page } from 'playwright-core';
import { waitUntil } from '../support/eventually.js';
import { installHostPage, type Seen } from './host-page.js';

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A TCP server always reports an AddressInfo.
  return (server.address() as AddressInfo).port;
};

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.closeAllConnections();
    server.close(() => resolve());
  });

/** A request of Node as the handler takes it. */
export const toRequest = async (incoming: IncomingMessage): Promise<Request> => {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const { method = 'GET', url = '/', headers } = incoming;
  const entries = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {};
  return new Request(`http://${headers.host}${url}`, { method, headers: entries, ...body });
};

/** Sends what the handler answered. */
export const send = async (answer: Response, response: ServerResponse): Promise<void> => {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(Buffer.from(await answer.arrayBuffer()));
};

/** Servers for one test file: a host page, the sandbox handler, a second plain origin, and listeners for leaks. */
export const startWorld = async () => {
  const reports: CspReport[] = [];
  const hits: string[] = [];
  let packets = 0;
  let connections = 0;
  const plainPages = new Map<string, string>();

  // Serves the bare host page, and under any other path the guest without any defence: the control.
  const hostServer = createServer((incoming, response) => {
    const html = plainPages.get(incoming.url ?? '') ?? '<!doctype html><title>host</title><body></body>';
    response.writeHead(200, { 'content-type': 'text/html' }).end(html);
  });
  const listener = createServer((incoming, response) => {
    hits.push(incoming.url ?? '');
    const isScript = incoming.url?.includes('script');
    response.writeHead(200, {
      'access-control-allow-origin': '*',
      'content-type': isScript ? 'text/javascript' : 'text/html',
    });
    response.end(isScript ? 'globalThis.scriptRan = true;' : 'hello');
  });
  listener.on('connection', () => (connections += 1));
  listener.on('upgrade', (incoming, socket) => {
    hits.push(incoming.url ?? '');
    socket.destroy();
  });
  const stun = createSocket('udp4').on('message', () => (packets += 1));
  await new Promise<void>((resolve) => stun.bind(0, '127.0.0.1', resolve));
  const hostPort = await listen(hostServer);
  const evilPort = await listen(listener);

  // An integrator's second origin, which only has the one file.
  const staticPage = await readFile(
    fileURLToPath(import.meta.resolve('@casement/sandbox/static-proxy.html')),
  );
  const staticServer = createServer((_incoming, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(staticPage);
  });
  const staticPort = await listen(staticServer);
  plainPages.set('/static-proxy.html', staticPage.toString());

  let handler: (request: Request) => Promise<Response> = () => Promise.resolve(new Response(null));
  const sandboxServer = createServer((incoming, response) => {
    void toRequest(incoming)
      .then((request) => handler(request))
      .then((answer) => send(answer, response));
  });
  const port = await listen(sandboxServer);
  const base = `http://casement.localhost:${port}`;
  const opaqueBase = `http://127.0.0.1:${port}`;
  const hostOrigins = [`http://casement.localhost:${hostPort}`, `http://localhost:${hostPort}`];
  handler = createSandboxHandler({
    base,
    opaqueBase,
    hostOrigins,
    allowLoopback: true,
    onReport: (report) => reports.push(report),
  });

  return {
    base,
    opaqueBase,
    hostOrigin: hostOrigins[0] ?? '',
    localhostOrigin: hostOrigins[1] ?? '',
    evil: `http://127.0.0.1:${evilPort}`,
    evilPort,
    stunPort: stun.address().port,
    staticOrigin: `http://127.0.0.1:${staticPort}`,
    hits,
    reports,
    packets: () => packets,
    connections: () => connections,
    forget: () => {
      hits.length = 0;
      reports.length = 0;
      packets = 0;
    },
    /** Serves HTML from the host's server as an ordinary page, without any of our headers. */
    servePlain: (path: string, html: string): string => {
      plainPages.set(path, html);
      return `http://localhost:${hostPort}${path}`;
    },
    close: async () => {
      stun.close();
      await Promise.all([close(hostServer), close(listener), close(sandboxServer), close(staticServer)]);
    },
  };
};

export type World = Awaited<ReturnType<typeof startWorld>>;

/** A page with nothing on it but what a host needs to mount apps and remember what they send. */
export const openHost = async (browser: Browser, origin: string): Promise<Page> => {
  const page = await browser.newPage();
  await page.goto(`${origin}/`);
  await page.evaluate(installHostPage);
  return page;
};

/** The two lines every test guest needs: a way to speak to the host, and a word that it runs. */
export const toGuest = (script: string, before = '<!doctype html>'): string =>
  `${before}<body><p id="shown">guest</p><script>
const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
const say = (topic, value) => send({ method: 'notifications/message', params: { topic, value } });
${script}
say('ran', true);
</script></body>`;

const policyDefaults = {
  server: 'c2VydmVyLWhhc2g',
  resourceUri: 'ui://test/app',
  family: 'mcp-apps',
  allowLoopback: true,
} as const;

/** An app on a host page, with what the test may ask of it. */
export interface Mounted {
  readonly index: number;
  readonly appOrigin: string;
  messages(): Promise<Seen[]>;
  /** What the guest said on a topic, oldest first. */
  said(topic: string): Promise<unknown[]>;
  sandboxMessages(name: string): Promise<Readonly<Record<string, unknown>>[]>;
  post(message: object): Promise<void>;
  guest(): Promise<Frame>;
}

/** Mounts any proxy address on the host page, sends it the HTML when it is ready, and records what comes back. */
export const mountAt = async (
  page: Page,
  options: {
    proxyUrl: string;
    proxyOrigin: string;
    appOrigin: string;
    html: string;
    params?: object;
    permissions?: readonly AppPermission[];
  },
): Promise<Mounted> => {
  const index = await page.evaluate((given) => window.mountProxy(given), {
    ...options,
    sandbox: FRAME_SANDBOX,
    allow: toAllowAttribute(options.permissions ?? []),
  });
  const messages = (): Promise<Seen[]> => page.evaluate((at) => window.mounted[at]?.messages ?? [], index);
  return {
    index,
    appOrigin: options.appOrigin,
    messages,
    said: async (topic) =>
      (await messages())
        .filter(({ method, params }) => method === 'notifications/message' && params?.['topic'] === topic)
        .map(({ params }) => params?.['value']),
    sandboxMessages: async (name) =>
      (await messages())
        .filter(({ method }) => method === `ui/notifications/sandbox-${name}`)
        .map(({ params }) => params ?? {}),
    post: (message) => page.evaluate(([at, data]) => window.postToProxy(at, data), [index, message] as const),
    guest: async () => {
      const handle = await page.evaluateHandle((at) => window.mounted[at]?.frame, index);
      const find = async (): Promise<Frame | undefined> =>
        (await handle.asElement()?.contentFrame())?.childFrames()[0];
      const inner = await waitUntil(find, (frame) => frame !== undefined, { what: 'the frame of the guest' });
      if (!inner) throw new Error('The guest frame is gone.');
      return inner;
    },
  };
};

/** Mounts an app in the three-origin sandbox. */
export const mountApp = async (
  page: Page,
  world: World,
  html: string,
  input: Partial<SandboxPolicyInput> = {},
  params: object = {},
): Promise<Mounted> => {
  const { policy } = createSandboxPolicy({
    ...policyDefaults,
    hostOrigin: world.hostOrigin,
    base: world.base,
    ...input,
  });
  return mountAt(page, {
    ...(await toSandboxAddress(world.base, policy)),
    html,
    params,
    permissions: policy.permissions,
  });
};

/** Mounts an app in fallback 1. */
export const mountOpaque = (
  page: Page,
  world: World,
  html: string,
  input: Partial<SandboxPolicyInput> = {},
  params: object = {},
): Promise<Mounted> => {
  const { policy } = createSandboxPolicy({
    ...policyDefaults,
    hostOrigin: world.localhostOrigin,
    opaqueBase: world.opaqueBase,
    ...input,
  });
  return mountAt(page, { ...toOpaqueAddress(world.opaqueBase, policy), html, params });
};

/** Mounts an app in fallback 2, the single file on another origin. */
export const mountStatic = (
  page: Page,
  world: World,
  html: string,
  csp?: object,
  {
    hostOrigin = world.localhostOrigin,
    params = {},
  }: { hostOrigin?: string; params?: object | undefined } = {},
): Promise<Mounted> =>
  mountAt(page, {
    proxyUrl: `${world.staticOrigin}/static-proxy.html#host=${encodeURIComponent(hostOrigin)}&allow-loopback`,
    proxyOrigin: world.staticOrigin,
    appOrigin: 'null',
    html,
    params: { ...params, ...(csp === undefined ? {} : { csp }) },
  });

/** Shows HTML in a frame of the host page without any of our defences: what a test's control needs. */
export const mountUndefended = (page: Page, url: string, sandbox?: string): Promise<void> =>
  page.evaluate(
    ([source, tokens]) => {
      const frame = document.createElement('iframe');
      if (tokens !== undefined) frame.setAttribute('sandbox', tokens);
      frame.src = source;
      document.body.append(frame);
    },
    [url, sandbox] as const,
  );

/** Waits until the guest said something on a topic and returns the first of it. */
export const waitFor = async (mounted: Mounted, topic: string, timeout = 20_000): Promise<unknown> => {
  const said = () => mounted.said(topic);
  const [first] = await waitUntil(said, ({ length }) => length > 0, {
    what: `The word on ${topic}`,
    timeout,
  });
  return first;
};
