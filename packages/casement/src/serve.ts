import { existsSync } from 'node:fs';
import type { RunningGateway, ServerSummary } from '@casement/gateway';
import { CasementError } from '@casement/protocol/start';
import { openUserStorage, startGateway } from '@casement/gateway';
import { readCacheDir } from './compile-cache.js';
import { modelKeyNames, planModels } from './plan-models.js';
import { toPageAddress } from './page-address.js';
import type { ServeRequest } from './parse-command-line.js';
import {
  lostLinkText,
  toNewLinkText,
  toProblemLine,
  toReadyJson,
  toReadyText,
  toServerFailure,
  toSettledText,
} from './report.js';
import type { ServerPlan } from './plan-servers.js';
import { findRequired, planServers } from './plan-servers.js';
import { reportStart } from './report-start.js';

/** A browser that has to be started first takes its time. */
const OPENED_LIFE_MS = 60_000;
/** A person may look for the terminal first. */
const PRINTED_LIFE_MS = 10 * 60_000;
/** Somebody who opens an old link again and again does not fill the terminal. */
const RENEWAL_PAUSE_MS = 2_000;

/** How long the link waits for servers; a slower one is watched, and can be cancelled, in the page. */
const PATIENCE_MS = 1_000;

/** What is shipped with the command. */
export interface Shipped {
  readonly version: string;
  /** The folder of the built page. */
  readonly pageDir: string;
  /** The program of the example server. */
  readonly exampleServer: string;
}

const openBrowser = async (url: string): Promise<void> => {
  const complain = (): void => {
    process.stderr.write('casement: no browser could be opened; open the address above yourself.\n');
  };
  try {
    const { default: open } = await import('open');
    // It starts the browser with an argument list, never through a shell (E14).
    const browser = await open(url);
    browser.on('error', complain);
  } catch {
    complain();
  }
};

/** What waits for the user's yes, or was switched off, has not failed. */
const waiting: readonly string[] = ['ready', 'unconfirmed', 'disabled'];

/** Nor has one that the user can sign in to in the page. */
const hasFailed = ({ status, signIn }: ServerSummary): boolean =>
  !waiting.includes(status) && signIn?.needed !== true;

/** Closes the gateway and throws when a server without which starting makes no sense did not connect. */
const assertConnected = async (gateway: RunningGateway, plan: ServerPlan): Promise<void> => {
  const failure = findFailure(gateway, plan);
  if (failure === undefined) return;
  await gateway.close();
  throw failure;
};

const findFailure = (gateway: RunningGateway, plan: ServerPlan): CasementError | undefined => {
  const failed = findRequired(plan, gateway.servers()).find(hasFailed);
  return failed && toServerFailure(failed);
};

/** Whether all servers are settled within a while. */
const isSoon = (settled: Promise<void>): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined;
  const later = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), PATIENCE_MS);
  });
  return Promise.race([settled.then(() => true), later]).finally(() => clearTimeout(timer));
};

/** A path that is misspelt would be waited for, and nobody would know why nothing happens. */
const assertThere = (path: string): void => {
  if (existsSync(path)) return;
  throw new CasementError('bad-flag', `--watch=${path.slice(0, 200)} names nothing that is there`, {
    hint: 'Check the path',
  });
};

/** Says something the first time; whoever can cause it again and again fills no terminal with it. */
const tellOnce = (text: string): (() => void) => {
  let isTold = false;
  return () => {
    if (!isTold) process.stderr.write(text);
    isTold = true;
  };
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

/** The links a person finds in the terminal. */
interface PrintedLinks {
  /** Prints another one, unless the last was printed a moment ago. */
  renew(): void;
}

const printLinks = (gateway: RunningGateway, createLink: (lifeMs: number) => string): PrintedLinks => {
  process.stdout.write(toReadyText(gateway, createLink(PRINTED_LIFE_MS)));
  let printed = -Infinity;
  return {
    renew: () => {
      // Not the time of day: set back, it would keep the next link from being printed.
      if (performance.now() - printed < RENEWAL_PAUSE_MS) return;
      printed = performance.now();
      process.stdout.write(toNewLinkText(createLink(PRINTED_LIFE_MS)));
    },
  };
};

/** Starts the gateway, says where it is and opens the page; returns while it runs, once all servers are settled. */
export const serve = async (
  request: ServeRequest,
  { version, pageDir, exampleServer }: Shipped,
): Promise<void> => {
  const models = planModels(request, process.env);
  for (const path of request.watch ?? []) assertThere(path);
  const plan = planServers(request, process.env, exampleServer);
  // What a server was agreed to read by name it may read, even if it is a key of a model.
  const environment = { ...process.env };
  // The keys are for Casement alone: a server's command inherits the environment, but only the keys that the user named.
  for (const name of modelKeyNames) Reflect.deleteProperty(process.env, name);
  const clientMetadataUrl = process.env.CASEMENT_CLIENT_METADATA_URL;
  let links: PrintedLinks | undefined;
  const cacheDir = readCacheDir();
  const gateway = await startGateway({
    ...(request.port === undefined ? {} : { port: request.port }),
    ...plan,
    configDir: openUserStorage(cacheDir).configDir,
    cacheDir,
    environment,
    onProblem: (problem) => void process.stderr.write(toProblemLine(problem)),
    models,
    ...(request.watch && { watch: { paths: request.watch } }),
    pageDir,
    version,
    signIn: {
      usesSystemKeys: true,
      ...(clientMetadataUrl && { clientMetadataUrl }),
    },
    onDeadLink: () => links?.renew(),
    onLostLink: tellOnce(lostLinkText),
  });
  closeOnSignal(() => gateway.close());
  const stopReporting = reportStart(gateway.servers, (text) => process.stderr.write(text));
  const settled = gateway.settled().finally(stopReporting);
  // A program that reads the line of JSON relies on servers that are settled.
  const wasSoon = request.json ? await settled.then(() => true) : await isSoon(settled);
  // While casement ends, a failed connect is no failure to report.
  if (closing) return;
  if (wasSoon) await assertConnected(gateway, plan);
  const toAddress = (url: string): string => toPageAddress(url, plan, gateway.servers(), request);
  const createLink = (lifeMs: number): string => toAddress(gateway.createLink(lifeMs));
  if (request.json) process.stdout.write(toReadyJson(gateway, toAddress(gateway.url)));
  else links = printLinks(gateway, createLink);
  // Command lines can be read by everybody on this machine, and browsers keep addresses: a code for this one visit.
  if (request.open) await openBrowser(createLink(OPENED_LIFE_MS));
  if (wasSoon) return;
  await settled;
  if (closing) return;
  // Somebody looks at the page, or is about to: it shows why, and the server can be restarted there.
  if (!request.open && gateway.pages() === 0) await assertConnected(gateway, plan);
  process.stderr.write(toSettledText(gateway.servers(), findFailure(gateway, plan)));
};
