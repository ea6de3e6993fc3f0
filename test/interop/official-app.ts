import { join } from 'node:path';
import { build } from 'esbuild';

const servers = join(import.meta.dirname, '../../e2e/servers/node_modules');

/** The official versions apps in the field are built with. */
export const officialVersions = {
  '2.0.4': join(servers, '@modelcontextprotocol/ext-apps'),
  '1.7.5': join(servers, 'basic-react-1/node_modules/@modelcontextprotocol/ext-apps'),
} as const;
export type OfficialVersion = keyof typeof officialVersions;

/** What the guest page has for a test to use; both versions have all of it. */
export interface OfficialGuest {
  readonly app: OfficialApp;
  readonly heard: { readonly type: string; readonly params: Record<string, unknown> }[];
  readonly tool: { remove(): void };
  readonly failure?: string;
}

type Params = Record<string, unknown>;

/** The part of the official class that is driven here, written down so that one test fits both versions. */
interface OfficialApp {
  getHostContext(): Params | undefined;
  getHostCapabilities(): Params | undefined;
  getHostVersion(): Params | undefined;
  callServerTool(params: Params, options?: Params): Promise<Params>;
  readServerResource(params: Params): Promise<Params>;
  listServerResources(): Promise<Params>;
  createSamplingMessage(params: Params): Promise<Params>;
  sendMessage(params: Params): Promise<Params>;
  updateModelContext(params: Params): Promise<Params>;
  openLink(params: Params): Promise<Params>;
  downloadFile(params: Params): Promise<Params>;
  requestDisplayMode(params: Params): Promise<Params>;
  sendLog(params: Params): Promise<void>;
  sendSizeChanged(params: Params): Promise<void>;
  requestTeardown(): Promise<void>;
}

/** An app as its author would write it: handlers set, a tool registered, connected. */
const toScript = (folder: string): string => `
import { App } from ${JSON.stringify(join(folder, 'dist/src/app-with-deps.js'))};
const schema = (shape) => ({ '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }), jsonSchema: { input: () => shape, output: () => shape } } });
const heard = [];
const hear = (type) => (params) => { heard.push({ type, params: params ?? {} }); };
const app = new App({ name: 'official', version: '1.2.3' }, { tools: { listChanged: true }, availableDisplayModes: ['inline', 'fullscreen'] }, { autoResize: false });
app.ontoolinput = hear('tool-input');
app.ontoolinputpartial = hear('tool-input-partial');
app.ontoolresult = hear('tool-result');
app.ontoolcancelled = hear('tool-cancelled');
app.onhostcontextchanged = hear('host-context-changed');
app.onteardown = async (params) => { hear('teardown')(params); await app.callServerTool({ name: 'save', arguments: { at: 'teardown' } }); return {}; };
const side = { type: 'object', properties: { side: { type: 'number' } }, required: ['side'] };
const area = { type: 'object', properties: { area: { type: 'number' } }, required: ['area'] };
const tool = app.registerTool('square', { description: 'Squares', inputSchema: schema(side), outputSchema: schema(area) }, async (args) => {
  if (args.side < 0) throw new Error('negative');
  return { content: [{ type: 'text', text: String(args.side ** 2) }], structuredContent: { area: args.side ** 2 } };
});
globalThis.official = { app, heard, tool };
app.connect().then(() => { document.body.dataset.connected = 'yes'; }, (error) => { globalThis.official.failure = String(error); document.body.dataset.connected = 'failed'; });
`;

const pages = new Map<OfficialVersion, Promise<string>>();

const bundleGuest = async (version: OfficialVersion): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents: toScript(officialVersions[version]), resolveDir: servers },
    bundle: true,
    write: false,
    format: 'esm',
    minify: true,
    target: 'es2022',
  });
  const script = (outputFiles[0]?.text ?? '').replaceAll('</script', '<\\/script');
  return `<!doctype html><title>official ${version}</title><body><p>official ${version}</p><script type="module">${script}</script></body>`;
};

/** A page with the official class inside; built once per version. */
export const officialPage = (version: OfficialVersion): Promise<string> => {
  const page = pages.get(version) ?? bundleGuest(version);
  pages.set(version, page);
  return page;
};
