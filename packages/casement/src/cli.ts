#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { RunningGateway } from '@casement/gateway';
import { startGateway } from '@casement/gateway';
import open from 'open';
import { planModels } from './models.js';
import { toPageAddress } from './page-address.js';
import type { ServeRequest } from './parse-arguments.js';
import { parseArguments } from './parse-arguments.js';
import { toErrorSentence, toReadyJson, toReadyText, toServerFailure } from './report.js';
import type { ServerPlan } from './server-configs.js';
import { planServers } from './server-configs.js';
import { usage } from './usage.js';

const readVersion = (): string => {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : '0.0.0';
};

const openBrowser = async (url: string): Promise<void> => {
  const complain = (): void => {
    process.stderr.write('casement: no browser could be opened; open the address above yourself.\n');
  };
  try {
    // `open` starts the browser with an argument list, never through a shell (E14).
    const browser = await open(url);
    browser.on('error', complain);
  } catch {
    complain();
  }
};

const assertConnected = (gateway: RunningGateway, plan: ServerPlan): void => {
  const failed = gateway
    .servers()
    .find((server) => plan.required.includes(server.name) && server.status !== 'ready');
  if (failed) throw toServerFailure(failed);
};

let closing = false;

/** Ends children and sockets on the first signal; a second one does not wait. */
const closeOnSignal = (close: () => Promise<void>): void => {
  const end = (code: number): void => {
    if (closing) process.exit(code);
    closing = true;
    void close().finally(() => process.exit(code));
  };
  process.on('SIGINT', () => end(130));
  process.on('SIGTERM', () => end(0));
  process.on('SIGHUP', () => end(0));
};

const serve = async (request: ServeRequest): Promise<void> => {
  const models = planModels(request, process.env);
  // It is ours alone: a server's command, which inherits the environment, has no use for it.
  delete process.env['CASEMENT_MODEL_KEY'];
  const plan = await planServers(request);
  const gateway = await startGateway({
    ...(request.port === undefined ? {} : { port: request.port }),
    servers: plan.servers,
    models,
    pageDir: fileURLToPath(new URL('./page/', import.meta.url)),
    version: readVersion(),
  });
  closeOnSignal(() => gateway.close());
  await gateway.settled();
  // A connect that ends because everything is being ended is no failure to report.
  if (closing) return;
  try {
    assertConnected(gateway, plan);
  } catch (error) {
    await gateway.close();
    throw error;
  }
  const url = toPageAddress(gateway.url, plan, request);
  process.stdout.write(request.json ? toReadyJson(gateway, url) : toReadyText(gateway, url));
  if (request.open) await openBrowser(url);
};

try {
  const invocation = parseArguments(process.argv.slice(2));
  if (invocation.kind === 'help') process.stdout.write(usage);
  else if (invocation.kind === 'version') process.stdout.write(`${readVersion()}\n`);
  else await serve(invocation);
} catch (error) {
  process.stderr.write(toErrorSentence(error));
  process.exit(2);
}
