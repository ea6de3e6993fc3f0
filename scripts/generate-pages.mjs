// Bundles browser code that is served or embedded as text into generated modules, before the type check runs.
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build, transform } from 'esbuild';
import { root, runMain } from './lib/run.mjs';

const sandbox = join(root, 'packages/sandbox');
const app = join(root, 'packages/app');
const host = join(root, 'packages/host');

/** Bundles one page script into an IIFE that may stand inside a `<script>` element. */
const bundlePage = async (path) => {
  const { outputFiles } = await build({
    entryPoints: [join(sandbox, 'src/pages', `${path}.ts`)],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    charset: 'ascii',
    legalComments: 'none',
    // From its source: nothing is built yet.
    alias: {
      '@casement/app/shim': join(app, 'src/shim/index.ts'),
      '@casement/protocol/basics': join(root, 'packages/protocol/src/basics.ts'),
      '@casement/protocol/start': join(root, 'packages/protocol/src/start.ts'),
    },
    logLevel: 'warning',
  });
  const script = outputFiles[0].text.trim();
  if (/<\/script|<!--/i.test(script)) throw new Error(`the ${path} page script would end its own element.`);
  return script;
};

/** The bridge an app author puts into a page as text; its configuration is put in when it is asked for. */
const bundleBridge = async () => {
  const { outputFiles } = await build({
    entryPoints: [join(app, 'src/iife/runtime.ts')],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    charset: 'ascii',
    legalComments: 'none',
    define: { BRIDGE_CONFIG: '__BRIDGE_CONFIG__' },
    logLevel: 'warning',
  });
  const script = outputFiles[0].text.trim();
  if (/<\/script|<!--/i.test(script)) throw new Error('the bridge would end its own element.');
  if (script.split('__BRIDGE_CONFIG__').length !== 2)
    throw new Error('the bridge must have one place for its configuration.');
  return script;
};

/** A style sheet of a shadow root as text: no page should load the room between its rules. */
const writeStyle = async (name, path) => {
  const sheet = await readFile(join(host, 'src', `${path}.css`), 'utf8');
  const { code } = await transform(sheet, { loader: 'css', minify: true });
  await writeModule(path.slice(path.lastIndexOf('/') + 1), { [name]: code.trim() }, host);
};

const toHash = (text) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

/** Leaves a file alone when it already says this, so that nothing downstream looks stale. */
const writeChanged = async (file, text) => {
  if ((await readFile(file, 'utf8').catch(() => undefined)) === text) return;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
};

const writeModule = (name, values, place = sandbox) => {
  const lines = Object.entries(values).map(
    ([key, text]) => `export const ${key} = ${JSON.stringify(text)};\n`,
  );
  return writeChanged(join(place, 'src/generated', `${name}.ts`), lines.join(''));
};

/** No per-app header reaches this file, so it forbids every frame navigation itself and adds the app's policy later. */
const toStaticPage = (script, style) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="frame-src 'none'; object-src 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<title>Casement sandbox</title>
<style>${style}</style>
</head>
<body>
<script>
${script}
</script>
</body>
</html>
`;

runMain(async () => {
  await writeModule('bridge', { bridgeRuntime: await bundleBridge() }, app);
  await writeStyle('barStyle', 'dom/chrome/bar-style');
  await writeStyle('controlStyle', 'dom/chrome/control-style');
  await writeStyle('placeStyle', 'dom/crowd/place-style');
  const frameStyle = (await readFile(join(sandbox, 'src/pages/proxy/frame.css'), 'utf8')).trim();
  // The opaque pages carry the loaders' text inside their own, so they come first.
  await writeModule('mcp-apps-loader', { mcpAppsLoaderScript: await bundlePage('loader/mcp-apps-loader') });
  await writeModule('openai-loader', { openaiLoaderScript: await bundlePage('loader/openai/openai-loader') });
  await writeModule('mcp-ui-loader', { mcpUiLoaderScript: await bundlePage('loader/mcp-ui/mcp-ui-loader') });
  await writeModule('page-view', { pageViewScript: await bundlePage('loader/page-view') });
  await writeModule('evidence', { evidenceScript: await bundlePage('loader/evidence/evidence') });
  await writeModule('frame-fetch', { frameFetchScript: await bundlePage('loader/frame-fetch') });
  const proxyScript = await bundlePage('proxy/proxy');
  await writeModule('proxy', { proxyScript, proxyScriptHash: toHash(proxyScript) });
  const probeScript = await bundlePage('probe');
  await writeModule('probe', { probeScript, probeScriptHash: toHash(probeScript) });
  await writeModule('opaque', { opaqueScript: await bundlePage('proxy/opaque') });
  await writeModule('frame', { frameStyle, frameStyleHash: toHash(frameStyle) });
  await writeChanged(
    join(sandbox, 'dist/static-proxy.html'),
    toStaticPage(await bundlePage('proxy/static'), frameStyle),
  );
});
