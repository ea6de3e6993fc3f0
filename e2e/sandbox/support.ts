import { createSandboxPolicy } from '@casement/sandbox';
import { toAllowAttribute, toOpaqueAddress, toSandboxAddress } from '@casement/sandbox/address';
import type { AppPermission } from '@casement/protocol';
import type { Browser, Frame, Page } from 'playwright-core';
import { waitUntil } from '../support/eventually.js';
import type { World } from '../support/world.js';
import { installHostPage, type Seen } from './host-page.js';
import type { SandboxPolicyInput } from '../../packages/sandbox/src/policy/create-sandbox-policy.js';
import { FRAME_SANDBOX } from '../../packages/sandbox/src/policy/frame-permissions.js';

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

/** Waits until a frame shows the document of an address, or the browser's own where that could not be had. */
export const waitForFrame = async (page: Page, url: string): Promise<void> => {
  const find = (): Frame | undefined =>
    page.frames().find((one) => one.url() === url || one.url().startsWith('chrome-error:'));
  const frame = await waitUntil(find, (found) => found !== undefined, { what: `The document of ${url}` });
  await frame?.waitForLoadState('load');
};

/** Waits until the guest said something on a topic and returns the first of it. */
export const waitFor = async (mounted: Mounted, topic: string, timeout = 20_000): Promise<unknown> => {
  const said = () => mounted.said(topic);
  const [first] = await waitUntil(said, ({ length }) => length > 0, {
    what: `The word on ${topic}`,
    timeout,
  });
  return first;
};
