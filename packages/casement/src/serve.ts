import type { RunningGateway } from '@casement/gateway';
import { startGateway } from '@casement/gateway';
import { modelKeyNames, planModels } from './plan-models.js';
import { toPageAddress } from './page-address.js';
import type { ServeRequest } from './parse-command-line.js';
import { toNewLinkText, toReadyJson, toReadyText, toServerFailure } from './report.js';
import type { ServerPlan } from './plan-servers.js';
import { planServers } from './plan-servers.js';
import { reportStart } from './report-start.js';

/** A browser that has to be started first takes its time. */
const OPENED_LIFE_MS = 60_000;
/** A person may look for the terminal first. */
const PRINTED_LIFE_MS = 10 * 60_000;
/** Somebody who opens an old link again and again does not fill the terminal. */
const RENEWAL_PAUSE_MS = 2_000;

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

/** Starts the gateway, says where it is and opens the page; returns while it runs. */
export const serve = async (
  request: ServeRequest,
  { version, pageDir, exampleServer }: Shipped,
): Promise<void> => {
  const models = planModels(request, process.env);
  const plan = await planServers(request, process.env, exampleServer);
  // The keys are for Casement alone: a server's command inherits the environment, but only the keys that the user named.
  for (const name of modelKeyNames) Reflect.deleteProperty(process.env, name);
  let links: PrintedLinks | undefined;
  const gateway = await startGateway({
    ...(request.port === undefined ? {} : { port: request.port }),
    servers: plan.servers,
    models,
    pageDir,
    version,
    onDeadLink: () => links?.renew(),
  });
  closeOnSignal(() => gateway.close());
  const stopReporting = reportStart(gateway.servers, (text) => process.stderr.write(text));
  await gateway.settled();
  stopReporting();
  // While casement ends, a failed connect is no failure to report.
  if (closing) return;
  try {
    assertConnected(gateway, plan);
  } catch (error) {
    await gateway.close();
    throw error;
  }
  const createLink = (lifeMs: number): string => toPageAddress(gateway.createLink(lifeMs), plan, request);
  if (request.json) process.stdout.write(toReadyJson(gateway, toPageAddress(gateway.url, plan, request)));
  else links = printLinks(gateway, createLink);
  // Command lines can be read by everybody on this machine, and browsers keep addresses: a code for this one visit.
  if (request.open) await openBrowser(createLink(OPENED_LIFE_MS));
};
