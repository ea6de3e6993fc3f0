import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startGateway, type RunningGateway, type ServerConfig, type ServerSummary } from '../index.js';
import { createFolder, createPageFolder, waitFor } from '../gateway.test-support.js';
import type { StdioServerConfig } from '../facts/server-config.js';
import type { TestCertificate } from './certificates.test-support.js';

const pythonServer = join(import.meta.dirname, '../../test-fixtures/python-server.py');

/** The server of Python's standard library; `npm test` sees that there is a python3. */
export const python = (name: string, ...flags: string[]): StdioServerConfig => ({
  name,
  kind: 'stdio',
  command: 'python3',
  args: [pythonServer, ...flags],
  inheritEnv: true,
});

/** A gateway that is not waited for: its servers may still be starting. */
export const open = async (
  servers: ServerConfig[],
  options: { requestTimeoutMs?: number } = {},
): Promise<RunningGateway> => {
  const gateway = await startGateway({
    port: 0,
    pageDir: createPageFolder(),
    stateDir: createFolder(),
    servers,
    ...options,
  });
  onTestFinished(() => gateway.close());
  return gateway;
};

/** The first server's summary, once it is as wanted. */
export const until = (
  gateway: RunningGateway,
  isWanted: (server: ServerSummary) => boolean,
): Promise<ServerSummary> => waitFor(() => gateway.servers().find(isWanted));

/** A start whose end, and what was looked into after it, are known. */
export const settle = async (gateway: RunningGateway): Promise<ServerSummary> => {
  await gateway.settled();
  return until(gateway, ({ start }) => start?.diagnosing === undefined);
};

/** The steps as short lines: name and state. */
export const toStates = ({ start }: ServerSummary): string[] =>
  start?.steps.map(({ name, state }) => `${name} ${state}`) ?? [];

/** The step of that name. */
export const stepOf = ({ start }: ServerSummary, name: string) => {
  const step = start?.steps.find((one) => one.name === name);
  if (step === undefined) throw new Error(`There is no step ${name}.`);
  return step;
};

const listen = async (server: Server): Promise<number> => {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  // A TCP server has this kind of address.
  return (server.address() as AddressInfo).port;
};

/** A server that answers every request in the same way. */
export const serveHttp = (handle: RequestListener): Promise<number> => listen(createHttpServer(handle));

export const serveHttps = (certificate: TestCertificate, handle: RequestListener): Promise<number> =>
  listen(createHttpsServer({ cert: certificate.cert, key: certificate.key }, handle));

/** A port that is connected to and does what `onSocket` says, or nothing. */
export const serveTcp = (onSocket: (socket: Socket) => void = () => undefined): Promise<number> =>
  listen(createServer(onSocket));

/** A port that nobody listens at. */
export const findDeadPort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
};

/** Answers like a small MCP server of 2025-06-18 with one tool. */
export const answerMcp: RequestListener = (request, response) => {
  if (request.method !== 'POST') {
    response.writeHead(request.url?.startsWith('/.well-known') ? 404 : 405).end();
    return;
  }
  let text = '';
  request.on('data', (chunk: Buffer) => (text += chunk.toString()));
  request.on('end', () => {
    // The official client wrote it.
    const { id, method } = JSON.parse(text) as { id?: number; method: string };
    if (id === undefined) {
      response.writeHead(202).end();
      return;
    }
    const results: Record<string, unknown> = {
      initialize: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'small', version: '1' },
      },
      'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
    };
    const result = results[method];
    const body = result === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result };
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
  });
};
