// After the packages are built: builds the page and the example's app, and puts them where they are shipped.
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { buildPage } from './lib/page-document.mjs';
import { root, runMain } from './lib/run.mjs';

const shipPage = async () => {
  const page = join(root, 'packages/inspector');
  await buildPage(page);
  const shipped = join(root, 'packages/casement/dist/page');
  await rm(shipped, { recursive: true, force: true });
  await cp(join(page, 'dist'), shipped, { recursive: true });
};

const bundle = async (entryPoint) => {
  const { outputFiles } = await build({
    entryPoints: [entryPoint],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    logLevel: 'warning',
  });
  return outputFiles[0].text.trim();
};

/** Puts an app's style sheet and script into its HTML, so that it refers to nothing outside itself. */
const inlineApp = async (folder, target) => {
  const style = await bundle(join(folder, 'dashboard.css'));
  const script = await bundle(join(folder, 'main.ts'));
  if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style))
    throw new Error(`${folder}: its script or style would end the element it is inlined into.`);
  const html = (await readFile(join(folder, 'index.html'), 'utf8'))
    .replace('<link rel="stylesheet" href="dashboard.css" />', () => `<style>${style}</style>`)
    .replace(
      '<script type="module" src="main.ts"></script>',
      () => `<script type="module">${script}</script>`,
    );
  if (/\b(?:src|href)="/.test(html))
    throw new Error(`${folder}: something is still referred to, not inlined.`);
  await writeFile(target, html);
};

runMain(async () => {
  const example = join(root, 'examples/weather-server');
  await inlineApp(join(example, 'src/app'), join(example, 'dist/dashboard.html'));
  await shipPage();
});
