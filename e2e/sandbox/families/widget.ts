import type { AppFamily } from '@casement/protocol';
import { page, world } from '../fixture.js';
import { mountApp, mountOpaque, mountStatic, type Mounted } from '../support.js';
import { eventually } from '../../support/eventually.js';

/** A guest whose scripts can tell the test something, whatever its family's language is. */
export const toWidget = (script: string, before = '<!doctype html>'): string =>
  `${before}<body><p id="shown">widget</p><script>
// Past whatever the loader may have put in the place of parent.
const proxy = Array.from({ length: top.length }, (_, at) => top.frames[at]).find((frame) => frame.frames[0] === window);
const say = (topic, value) => proxy.postMessage({ jsonrpc: '2.0', method: 'notifications/message', params: { topic, value } }, '*');
const settle = (topic, promise) => Promise.resolve(promise).then((value) => say(topic, { value }), (error) => say(topic, { error: String(error.message) }));
${script}
say('ran', true);
</script></body>`;

/** A script of a widget that has its document write itself anew, once it has loaded. */
export const toRewrite = (html: string): string =>
  `setTimeout(() => { document.open(); document.write(${JSON.stringify(html).replaceAll('</', '<\\/')}); document.close(); }, 100);`;

/** The three ways to run an app of a family, all on a page whose names resolve. */
export const familyVariants = (
  family: AppFamily,
): Readonly<Record<string, (html: string) => Promise<Mounted>>> => ({
  'on an origin of its own': (html) => mountApp(page, world, html, { family }),
  'opaque under a header': (html) => mountOpaque(page, world, html, { family, hostOrigin: world.hostOrigin }),
  'opaque in the static file': (html) =>
    mountStatic(page, world, html, undefined, { hostOrigin: world.hostOrigin, params: { family } }),
});

/** What an app sent under one name, oldest first. */
export const sent = async (app: Mounted, method: string) =>
  (await app.messages()).filter((message) => message.method === method);

const toAnswer = async (app: Mounted, method: string, at: number) => {
  await eventually(async () => (await sent(app, method)).length).toBeGreaterThan(at);
  return (await sent(app, method))[at];
};

/** Answers the n-th request of a name; returns what was asked. */
export const answer = async (app: Mounted, method: string, result: object = {}, at = 0): Promise<unknown> => {
  const asked = await toAnswer(app, method, at);
  await app.post({ jsonrpc: '2.0', id: asked?.id, result });
  return asked?.params;
};

/** Refuses the n-th request of a name, as the host does. */
export const refuse = async (app: Mounted, method: string, message: string, at = 0): Promise<unknown> => {
  const asked = await toAnswer(app, method, at);
  await app.post({ jsonrpc: '2.0', id: asked?.id, error: { code: -32000, message } });
  return asked?.params;
};

/** Tells the app something. */
export const notify = (app: Mounted, name: string, params: object): Promise<void> =>
  app.post({ jsonrpc: '2.0', method: `ui/notifications/${name}`, params });

/** What a host with everything says of itself. */
const everything = {
  serverTools: {},
  message: {},
  openLinks: {},
  updateModelContext: {},
  experimental: { 'casement/widget-state': {}, 'casement/modal': {} },
};

/** A host's surroundings, every field of which an older family has a name for. */
export const surroundings = {
  theme: 'dark',
  locale: 'de-CH',
  displayMode: 'inline',
  availableDisplayModes: ['inline', 'fullscreen', 'pip'],
  containerDimensions: { maxHeight: 600, width: 400 },
  safeAreaInsets: { top: 1, right: 2, bottom: 3, left: 4 },
  platform: 'mobile',
  deviceCapabilities: { touch: true, hover: false },
};

/** Shakes hands as a host does: what it knows of the tool comes between `initialized` and the answer to the ping. */
export const shakeHands = async (
  app: Mounted,
  options: {
    capabilities?: object;
    context?: object;
    tells?: readonly (readonly [name: string, params: object])[];
  } = {},
): Promise<void> => {
  await answer(app, 'ui/initialize', {
    protocolVersion: '2026-01-26',
    hostInfo: { name: 'bare', version: '1' },
    hostCapabilities: options.capabilities ?? everything,
    hostContext: options.context ?? surroundings,
  });
  await eventually(() => sent(app, 'ui/notifications/initialized')).toHaveLength(1);
  for (const [name, params] of options.tells ?? []) await notify(app, name, params);
  await answer(app, 'ping');
};
