import type { Recording } from '@casement/protocol';
import type { ServerLimits } from '../connection/server-limits.js';
import type { GatewayEvent } from '../facts/gateway-event.js';
import type { ServerConfig } from '../facts/server-config.js';
import type { EntrySource } from '../facts/server-entry.js';
import { toServerIdentity } from '../facts/server-identity.js';
import { createServerLabels } from '../facts/server-labels.js';
import type { HeldStatus, ServerSummary } from '../facts/server-summary.js';
import { createGatewayServer, type GatewayServer } from './gateway-server.js';
import type { ServerSignIn } from '../sign-in/server-sign-in.js';
import { createServerRecorder } from './server-recorder.js';

/** A server as it is to be: what it is, and whether it may start. */
interface SetMember {
  /** Its name is what the API and links call it. */
  config: ServerConfig;
  source: EntrySource;
  /** Its name where it is configured, which is part of its identity. Default: that of `config`. */
  ownName?: string;
  held?: HeldStatus;
  resolve?(): ServerConfig;
}

/** All servers of a gateway, in the order to show; they come, change and go while it runs. */
export interface ServerSet {
  get(name: string): GatewayServer | undefined;
  all(): GatewayServer[];
  summaries(): ServerSummary[];
  /** A name like this one that no server has, and that none calls itself by. */
  toFreeName(name: string): string;
  /** Adds a server, or puts it in the place of the one of that name, whose process is ended first. */
  put(member: SetMember): void;
  /** Takes a server away and ends its process. */
  remove(name: string): Promise<void>;
  /** Puts those named in this order; the others follow as they were. */
  order(names: readonly string[]): void;
  /** Resolves once every server that may start has connected or failed to. */
  settled(): Promise<void>;
  /** Ends all of them; whatever is put there later never starts. */
  close(): Promise<void>;
}

/** A server as it is with one of the user's accounts. */
const toConfigOf = (config: ServerConfig, account: string | undefined): ServerConfig =>
  account === undefined ? config : { ...config, account: JSON.stringify([config.account ?? null, account]) };

/** Creates an empty set. */
export const createServerSet = ({
  salt,
  version,
  limits,
  recording,
  publish,
  watchPaths,
  signInOf,
}: {
  salt: Buffer;
  version: string;
  limits: ServerLimits;
  recording: Recording;
  publish(event: GatewayEvent, only?: ReadonlySet<string>): void;
  /** Paths that are watched besides each server's own files. Left out: servers are watched when a page asks for it. */
  watchPaths?: readonly string[];
  /** The user's sign-in to a server, where there can be one. */
  signInOf(config: ServerConfig): ServerSignIn | undefined;
}): ServerSet => {
  const labels = createServerLabels();
  let members = new Map<string, GatewayServer>();
  /** The ends of those that went, by name: the next of that name starts after them (C24). */
  const ends = new Map<string, Promise<void>>();
  const opening = new Set<Promise<void>>();
  let closed = false;

  const end = (server: GatewayServer): Promise<void> => {
    const { name } = server;
    const ended = Promise.all([ends.get(name), server.close()]).then(() => {
      if (ends.get(name) === ended) ends.delete(name);
    });
    ends.set(name, ended);
    return ended;
  };

  const open = (server: GatewayServer): void => {
    const opened = server.open().finally(() => opening.delete(opened));
    opening.add(opened);
  };

  return {
    get: (name) => members.get(name),
    all: () => [...members.values()],
    summaries: () => [...members.values()].map((server) => server.summary()),
    toFreeName(name) {
      let free = name;
      for (let count = 2; members.has(free) || labels.isGiven(free); count += 1) free = `${name}-${count}`;
      return free;
    },
    put({ config, source, ownName = config.name, held, resolve }) {
      if (closed) return;
      const { name } = config;
      const before = members.get(name);
      if (before !== undefined) void end(before);
      const after = ends.get(name);
      labels.add(config);
      const identity = (account: string | undefined): string =>
        toServerIdentity({ ...toConfigOf(config, account), name: ownName }, salt);
      const recorder = createServerRecorder(name, recording, publish);
      const server = createGatewayServer(
        {
          config,
          labels,
          identity,
          source,
          version,
          limits,
          ...(after !== undefined && { after }),
          ...(held !== undefined && { held }),
          ...(resolve !== undefined && { resolve }),
          ...(watchPaths !== undefined && { watchPaths }),
          signIn: signInOf(config),
        },
        recorder,
      );
      // In a Map what takes another's place stands where that stood.
      members.set(name, server);
      recorder.publish({ type: 'server', server: server.summary() });
      if (held !== undefined) return;
      open(server);
      if (watchPaths !== undefined) void server.watch.set(true);
    },
    async remove(name) {
      const server = members.get(name);
      if (server === undefined) return;
      members.delete(name);
      labels.remove(name);
      publish({ type: 'server-removed', server: name });
      await end(server);
    },
    order(names) {
      const named = new Set(names);
      const first = [...named].flatMap((name) => {
        const server = members.get(name);
        return server === undefined ? [] : [[name, server] as const];
      });
      const ordered = new Map([...first, ...[...members].filter(([name]) => !named.has(name))]);
      if ([...ordered.keys()].join('\n') === [...members.keys()].join('\n')) return;
      members = ordered;
      publish({ type: 'servers-ordered', servers: [...members.keys()] });
    },
    async settled() {
      // A server that is put there while others open is waited for too.
      while (opening.size > 0) await Promise.all(opening);
    },
    async close() {
      closed = true;
      for (const server of members.values()) void end(server);
      await Promise.all(ends.values());
    },
  };
};
