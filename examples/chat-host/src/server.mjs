import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseServerConfigs, startGateway } from '@casement/gateway';
import { build } from 'esbuild';

const {
  PORT = '8080',
  MODEL = 'gpt-5-mini',
  MODEL_URL,
  MODEL_KEY,
  OPENAI_API_KEY,
  INIT_CWD = '.',
} = process.env;
const toPath = (name) => fileURLToPath(new URL(name, import.meta.url));

// #region page
const pageDir = await mkdtemp(join(tmpdir(), 'chat-host-'));
await cp(toPath('page'), pageDir, { recursive: true });
await build({
  entryPoints: ['chat.jsx', 'element.mjs'].map(toPath),
  outdir: pageDir,
  bundle: true,
  splitting: true,
  format: 'esm',
  jsx: 'automatic',
  define: { 'process.env.NODE_ENV': '"production"' },
});
// #endregion

// #region servers
const file = process.argv[2] && resolve(INIT_CWD, process.argv[2]);
const weather = fileURLToPath(import.meta.resolve('@casement/example-weather-server'));
const servers = file
  ? parseServerConfigs(JSON.parse(await readFile(file, 'utf8')), file)
  : [{ name: 'weather', kind: 'stdio', command: process.execPath, args: [weather], inheritEnv: false }];
// #endregion

// #region models
const apiKey = MODEL_KEY || OPENAI_API_KEY || undefined;
const model = { id: 'model', label: MODEL, kind: 'openai-compatible', model: MODEL };
const models = MODEL_URL || apiKey ? [{ ...model, baseUrl: MODEL_URL, apiKey }] : [];
// #endregion

// #region gateway
const gateway = await startGateway({ port: Number(PORT), servers, models, pageDir });
await gateway.settled();
// Apps are on names below this one, which makes their frames same-site with the page.
process.stdout.write(`The chat is at ${gateway.url.replace('localhost', 'casement.localhost')}\n`);
// #endregion

for (const signal of ['SIGINT', 'SIGTERM']) {
  // Not `once`: npm passes on what came to both.
  process.on(signal, async () => {
    await gateway.close();
    await rm(pageDir, { recursive: true, force: true });
    process.exit();
  });
}
