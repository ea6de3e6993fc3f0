import { randomBytes } from 'node:crypto';
import { CasementError, createRecording } from '@casement/protocol';
import { createAccessCodes } from './access-codes.js';
import { toModels } from './chat/model-config.js';
import { createEventHub } from './event-hub.js';
import { toGatewayAddress } from './gateway-address.js';
import type { GatewayOptions, RunningGateway } from './gateway-options.js';
import { createGatewayServer, type GatewayServer } from './gateway-server.js';
import { readSalt, toDefaultStateDir, toServerIdentity } from './identity.js';
import { defaultServerLimits, type ServerLimits } from './limits.js';
import { createPageApp } from './page-app.js';
import { createSandboxApp } from './sandbox-app.js';
import { openPorts } from './serve.js';
import { checkServerConfigs } from './server-config.js';
import { createServerLabels } from './server-labels.js';
import { createServerRecorder, toBacklog } from './server-recorder.js';

const DEFAULT_PORT = 6270;
const TOKEN_BYTES = 32;
const MIN_TOKEN_CHARS = 32;

/** A clock that is set back gives no code a longer life; one that went on while the machine slept counts. */
const readClock = (): number => Math.max(Date.now(), performance.timeOrigin + performance.now());

/** Opens the ports, then starts every server; resolves when the page can be opened, rejects with nothing left behind. */
export const startGateway = async (options: GatewayOptions): Promise<RunningGateway> => {
  const { servers: configs, pageDir, version = '0.0.0', allowLoopback = false } = options;
  checkServerConfigs(configs);
  const models = toModels(options.models ?? []);
  const token = options.token ?? randomBytes(TOKEN_BYTES).toString('base64url');
  if (token.length < MIN_TOKEN_CHARS) {
    throw new CasementError('bad-flag', 'The token is too short: give at least 32 characters.');
  }
  const codes = createAccessCodes(options.now ?? readClock, options.onDeadLink ?? (() => undefined));
  const salt = await readSalt(options.stateDir ?? toDefaultStateDir());
  const hub = createEventHub();
  const recording = createRecording({ writer: 'gateway', maxEntries: 5000, maxBytes: 16 * 1024 * 1024 });
  const limits: ServerLimits = {
    ...defaultServerLimits,
    ...(options.requestTimeoutMs !== undefined && { requestTimeoutMs: options.requestTimeoutMs }),
    ...(options.maxMessageBytes !== undefined && { maxMessageBytes: options.maxMessageBytes }),
    ...(options.maxFloodSeconds !== undefined && {
      flood: { ...defaultServerLimits.flood, maxSeconds: options.maxFloodSeconds },
    }),
  };
  const labels = createServerLabels(configs);
  const servers = new Map<string, GatewayServer>(
    configs.map((config) => [
      config.name,
      createGatewayServer({
        config,
        labels,
        identity: toServerIdentity(config, salt),
        version,
        limits,
        hooks: createServerRecorder(config.name, recording, hub.publish),
      }),
    ]),
  );

  hub.onEnded((stream) => {
    for (const server of servers.values()) server.resources.endStream(stream);
  });

  const ports = await openPorts(options.port ?? DEFAULT_PORT, (pagePort, sandboxPort) => {
    const address = toGatewayAddress(pagePort, sandboxPort);
    const backlog = () => toBacklog(recording);
    const page = createPageApp({ version, token, codes, address, servers, models, hub, backlog, pageDir });
    const sandbox = createSandboxApp(address, {
      allowLoopback,
      onReport: (report) => {
        hub.publish({ type: 'csp-report', report });
      },
    });
    return { page: (request) => page.fetch(request), sandbox };
  });
  const { sandboxOrigin } = toGatewayAddress(ports.pagePort, ports.sandboxPort);

  const page = `http://localhost:${ports.pagePort}/`;
  const opened = Promise.all([...servers.values()].map((server) => server.open()));
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    hub.close();
    await Promise.all([ports.close(), ...[...servers.values()].map((server) => server.close())]);
  };
  return {
    url: `${page}#token=${token}`,
    createLink: (lifeMs) => `${page}#code=${codes.createCode(lifeMs)}`,
    token,
    sandboxOrigin,
    servers: () => [...servers.values()].map((server) => server.summary()),
    settled: async () => {
      await opened;
    },
    close: () => (closing ??= close()),
  };
};
