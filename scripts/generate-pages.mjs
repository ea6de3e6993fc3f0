// Bundles browser code that is served or embedded as text into generated modules, before the type check runs.
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { root, runMain } from './lib/run.mjs';

const sandbox = join(root, 'packages/sandbox');

/** Bundles one page script into an IIFE that may stand inside a `<script>` element. */
const bundlePage = async (name) => {
  const { outputFiles } = await build({
    entryPoints: [join(sandbox, 'src/pages', `${name}.ts`)],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    charset: 'ascii',
    legalComments: 'none',
    logLevel: 'warning',
  });
  const script = outputFiles[0].text.replace(/^ *\/\/ .*\n/gm, '').trim();
  if (/<\/script|<!--/i.test(script)) throw new Error(`the ${name} page script would end its own element.`);
  return script;
};

const toHash = (text) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

/** Leaves a file alone when it already says this, so that nothing downstream looks stale. */
const writeChanged = async (file, text) => {
  if ((await readFile(file, 'utf8').catch(() => undefined)) === text) return;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
};

const writeModule = (name, values) => {
  const lines = Object.entries(values).map(
    ([key, text]) => `export const ${key} = ${JSON.stringify(text)};\n`,
  );
  return writeChanged(join(sandbox, 'src/generated', `${name}.ts`), lines.join(''));
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
  const frameStyle = (await readFile(join(sandbox, 'src/pages/frame.css'), 'utf8')).trim();
  // The opaque pages carry the loader's text inside their own, so it comes first.
  await writeModule('loader', { loaderScript: await bundlePage('loader') });
  const proxyScript = await bundlePage('proxy');
  await writeModule('proxy', { proxyScript, proxyScriptHash: toHash(proxyScript) });
  await writeModule('opaque', { opaqueScript: await bundlePage('opaque') });
  await writeModule('frame', { frameStyle, frameStyleHash: toHash(frameStyle) });
  await writeChanged(
    join(sandbox, 'dist/static-proxy.html'),
    toStaticPage(await bundlePage('static'), frameStyle),
  );
});
