import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startGateway } from '@casement/gateway';
import { build } from 'esbuild';

const { PORT = '8080' } = process.env;
const toPath = (name) => fileURLToPath(new URL(name, import.meta.url));

const pageDir = await mkdtemp(join(tmpdir(), 'plain-chat-'));
await cp(toPath('page'), pageDir, { recursive: true });
const entryPoints = [toPath('chat.mjs')];
await build({ entryPoints, outdir: pageDir, bundle: true, splitting: true, format: 'esm' });

const weather = fileURLToPath(import.meta.resolve('@casement/example-weather-server'));
const server = { name: 'weather', kind: 'stdio', command: process.execPath, args: [weather] };
const gateway = await startGateway({ port: Number(PORT), servers: [server], pageDir });
await gateway.settled();
process.stdout.write(`The chat is at ${gateway.url.replace('localhost', 'casement.localhost')}\n`);

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, async () => {
    await gateway.close();
    await rm(pageDir, { recursive: true, force: true });
    process.exit();
  });
}
