import { generateBridgeIIFE } from '@casement/app/iife';
import { bundle } from '../../support/bundle.js';

type Params = Record<string, unknown>;

/** What a guest page has for a test to use, whatever it is built with. */
export interface Guest {
  readonly heard: { readonly type: string; readonly params: Params }[];
  callTool(name: string, args: Params): Promise<Params>;
  readResource(uri: string): Promise<Params>;
  sendMessage(text: string): Promise<Params>;
  openLink(url: string): Promise<Params>;
  updateModelContext(context: Params): Promise<Params>;
  requestDisplayMode(mode: string): Promise<Params>;
  log(level: string, data: unknown): Promise<void>;
  hostContext(): Params | undefined;
}

const capabilities = { tools: { listChanged: true }, availableDisplayModes: ['inline', 'fullscreen'] };
const info = { name: 'ours', version: '1.2.3' };

const tool = `const area = (args) => ({ content: [{ type: 'text', text: String(args.side ** 2) }] });
const side = { type: 'object', properties: { side: { type: 'number' } }, required: ['side'] };
const heard = [];
const hear = (type) => (params) => { heard.push({ type, params }); };
const types = ['toolinput', 'toolinputpartial', 'toolresult', 'toolcancelled', 'hostcontextchanged'];
const done = () => { document.body.dataset.connected = 'yes'; };
const failed = (error) => { document.body.dataset.connected = 'failed'; document.body.dataset.failure = String(error); };`;

const toSurface = (bridge: string): string => `globalThis.guest = {
  heard,
  callTool: (name, args) => ${bridge}.callTool(name, args),
  readResource: (uri) => ${bridge}.readResource(uri),
  sendMessage: (text) => ${bridge}.sendMessage(text),
  openLink: (url) => ${bridge}.openLink(url),
  updateModelContext: (context) => ${bridge}.updateModelContext(context),
  requestDisplayMode: (mode) => ${bridge}.requestDisplayMode(mode),
  log: (level, data) => ${bridge}.log(level, data),
  hostContext: () => ${bridge}.hostContext,
};`;

const appScript = `import { App } from '@casement/app';
${tool}
const app = new App(${JSON.stringify(info)}, ${JSON.stringify(capabilities)});
for (const type of types) app['on' + type] = hear(type);
app.onteardown = () => { hear('teardown')({}); return app.callServerTool({ name: 'save', arguments: { at: 'teardown' } }).then(() => ({})); };
app.registerTool('square', { description: 'Squares', inputSchema: side }, area);
globalThis.guest = {
  heard,
  callTool: (name, args) => app.callServerTool({ name, arguments: args }),
  readResource: (uri) => app.readServerResource({ uri }),
  sendMessage: (text) => app.sendMessage({ content: [{ type: 'text', text }] }),
  openLink: (url) => app.openLink({ url }),
  updateModelContext: (structuredContent) => app.updateModelContext({ structuredContent }),
  requestDisplayMode: (mode) => app.requestDisplayMode({ mode }),
  log: (level, data) => app.log(level, data),
  hostContext: () => app.getHostContext(),
};
app.connect().then(done, failed);`;

const adapterScript = `import { ExtAppsAdapter } from '@casement/app';
${tool}
const adapter = new ExtAppsAdapter({ appInfo: ${JSON.stringify(info)}, capabilities: ${JSON.stringify(capabilities)}, options: {} });
for (const type of types) adapter.on(type, hear(type));
adapter.app.onteardown = () => { hear('teardown')({}); return adapter.callTool('save', { at: 'teardown' }).then(() => ({})); };
adapter.registerTool('square', 'Squares', side, area);
${toSurface('adapter')}
if (adapter.canHandle()) adapter.initialize().then(done, failed);`;

/** For a page without modules: the generated script, then the author's own. */
const bridgeScript = `${tool}
const names = { toolinput: 'tool:input', toolinputpartial: 'tool:input-partial', toolresult: 'tool:result', toolcancelled: 'tool:cancelled', hostcontextchanged: 'host:context-changed' };
for (const type of types) addEventListener(names[type], (event) => hear(type)(event.detail));
addEventListener('mcp:teardown', () => { hear('teardown')({}); FrontMcpBridge.callTool('save', { at: 'teardown' }); });
FrontMcpBridge.registerTool('square', 'Squares', side, area);
${toSurface('FrontMcpBridge')}
addEventListener('bridge:ready', done);
addEventListener('bridge:error', (event) => failed(event.detail));`;

const bundleModule = async (contents: string): Promise<string> => {
  const script = await bundle({
    stdin: { contents, resolveDir: import.meta.dirname, loader: 'tsx' },
    format: 'esm',
    jsx: 'automatic',
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return script.replaceAll('</script', '<\\/script');
};

/** A page around a module of the author's. */
export const toModulePage = async (script: string, head = ''): Promise<string> =>
  `<!doctype html><title>ours</title>${head}<body><p>ours</p><script type="module">${await bundleModule(script)}</script></body>`;

const toBridgePage = (): string => {
  // Told as any author tells it; the modes are literals above.
  const options = { appInfo: info, capabilities } as Parameters<typeof generateBridgeIIFE>[0];
  return `<!doctype html><title>ours</title><script>${generateBridgeIIFE(options)}</script><body><p>ours</p><script>${bridgeScript}</script></body>`;
};

/** Every form of the bridge, as a page that uses it. */
export const guestPages: Readonly<Record<string, () => Promise<string>>> = {
  'the class App': () => toModulePage(appScript),
  'the class ExtAppsAdapter': () => toModulePage(adapterScript),
  'the generated script': async () => toBridgePage(),
};
