import { toPrintable } from '@casement/protocol/basics';
import { CasementError } from '@casement/protocol/start';
import { findScriptFailure, toExitFailure } from '../transport/command-failure.js';
import { createServerFindings, type ServerFinding } from '../facts/server-findings.js';
import type { LiveConnection, LiveConnectionSettings, WireHooks } from './live-connection.js';
import { toOwnName, type ServerLabels, type ServerSelfDescription } from '../facts/server-labels.js';
import type { ServerStatus, ServerSummary } from '../facts/server-summary.js';

const OUTPUT_PAUSE_MS = 1000;

/** What a server is made from: how it is reached, what it is shown as and what it may cost. */
export interface ServerSettings extends LiveConnectionSettings {
  labels: ServerLabels;
  identity: string;
}

/** The callbacks of a connection. */
export interface ConnectionHooks extends WireHooks {
  onSummary(summary: ServerSummary): void;
  /** A new finding; the next summary contains it too. */
  onFinding(finding: ServerFinding): void;
  /** A new link is ready: its notifications can be listened to. */
  onReady(link: LiveConnection): void;
}

/** A server as the gateway knows it: at most one link at a time, through any number of restarts. */
export interface ServerConnection {
  readonly name: string;
  /** The name people see it by. */
  readonly shownName: string;
  summary(): ServerSummary;
  /** Connects for the first time. Never rejects: the outcome is in the summary. */
  open(): Promise<void>;
  restart(): Promise<void>;
  close(): Promise<void>;
  /** Returns the link, or throws the reason why there is none. */
  link(): LiveConnection;
  /** Adds findings about the server; one that is known since it connected is not reported again. */
  report(found: readonly ServerFinding[]): void;
}

/** Creates the connection to one server; nothing starts before `open()`. */
export const createServerConnection = (
  { config, labels, identity, version, limits }: ServerSettings,
  hooks: ConnectionHooks,
): ServerConnection => {
  const { name } = config;
  let status: ServerStatus = 'connecting';
  let failure: CasementError | undefined;
  let current: LiveConnection | undefined;
  let closed = false;
  let work: Promise<void> = Promise.resolve();
  let restarting: Promise<void> | undefined;
  const findings = createServerFindings();

  const summary = (): ServerSummary => {
    const tail = current?.stderrTail() ?? [];
    const client = status === 'ready' ? current?.client : undefined;
    const label = labels.labelOf(config, undefined);
    return {
      name,
      ...(label !== undefined && { label }),
      status,
      identity,
      kind: config.kind,
      ...(failure !== undefined && {
        error: {
          code: failure.code,
          message: failure.message,
          ...(failure.hint !== undefined && { hint: failure.hint }),
        },
      }),
      ...(client !== undefined && {
        serverInfo: toServerInfo(client.getServerVersion()),
        protocolVersion: client.getNegotiatedProtocolVersion(),
        capabilities: client.getServerCapabilities(),
      }),
      ...(findings.all().length > 0 && { findings: findings.all() }),
      ...(tail.length > 0 && { stderrTail: tail.slice(-20) }),
    };
  };

  const setStatus = (next: ServerStatus, error?: CasementError): void => {
    status = next;
    failure = error;
    hooks.onSummary(summary());
  };

  const report = (found: readonly ServerFinding[]): void => {
    const fresh = findings.add(found);
    if (fresh.length === 0) return;
    fresh.forEach(hooks.onFinding);
    hooks.onSummary(summary());
  };

  /** Publishes stderr while the command starts: a slow one says there why. */
  const publishOutput = (): (() => void) => {
    let published = '';
    const timer = setInterval(() => {
      const said = summary().stderrTail?.join('\n') ?? '';
      if (said === published || status !== 'connecting') return;
      published = said;
      hooks.onSummary(summary());
    }, OUTPUT_PAUSE_MS);
    timer.unref();
    return () => clearInterval(timer);
  };

  const onClosed = (link: LiveConnection): void => {
    if (closed || link !== current || status !== 'ready') return;
    if (link.exit === undefined) {
      setStatus(
        'failed',
        link.failure ??
          new CasementError('server-unreachable', `The connection to "${connection.shownName}" was closed.`, {
            hint: 'See whether the server is still running, then restart the connection.',
          }),
      );
    } else setStatus('exited', toExitFailure(connection.shownName, link.exit));
    // A closed pipe does not prove a dead process; nothing may stay behind (C24).
    void link.close();
  };

  const connectNow = async (): Promise<void> => {
    if (closed) return;
    findings.clear();
    setStatus('connecting');
    // The official client, the largest part of a gateway, is loaded with the first server, when the ports are open.
    const { openLiveConnection, toServerFailure } = await import('./live-connection.js');
    if (closed) return;
    const stopPublishing = publishOutput();
    try {
      const link = await openLiveConnection(
        { config, version, limits },
        {
          ...hooks,
          onFindings: report,
          onClosed,
          onStarted: (started) => {
            current = started;
            // close() came between two starts: it saw the old link only.
            if (closed) void started.close();
          },
        },
      );
      const info = link.client.getServerVersion();
      const label = labels.labelOf(config, info);
      if (info !== undefined && label !== undefined) report(findRenaming(label, info));
      hooks.onReady(link);
      setStatus('ready');
      if (link.exit !== undefined) onClosed(link);
    } catch (error) {
      const exit = current?.exit;
      const stray = current?.findStray();
      const context = {
        server: connection.shownName,
        method: 'initialize',
        timeoutMs: limits.requestTimeoutMs,
        ...(exit !== undefined && { exit }),
        ...(stray !== undefined && { stray }),
      };
      const failure = toServerFailure(error, context);
      const hasExited = failure.code === 'server-exited';
      const known = (hasExited && config.kind === 'stdio' ? findScriptFailure(config) : undefined) ?? failure;
      setStatus(hasExited ? 'exited' : 'failed', known);
    } finally {
      stopPublishing();
    }
  };

  const enqueue = (task: () => Promise<void>): Promise<void> => {
    work = work.then(task, task);
    return work;
  };

  const drop = async (): Promise<void> => {
    const link = current;
    current = undefined;
    await link?.close();
  };

  const connection: ServerConnection = {
    name,
    get shownName() {
      return labels.labelOf(config, undefined) ?? name;
    },
    summary,
    report,
    open: () => enqueue(connectNow),
    restart() {
      // Two restarts at once are one: a second process would be an orphan (C24).
      if (restarting !== undefined) return restarting;
      // The output of the last process says nothing about the next one.
      const old = current;
      current = undefined;
      setStatus('connecting');
      void old?.close();
      restarting = enqueue(async () => {
        await Promise.all([old?.close(), drop()]);
        await connectNow();
        restarting = undefined;
      });
      return restarting;
    },
    async close() {
      closed = true;
      void current?.close();
      await enqueue(drop);
    },
    link() {
      if (status === 'ready' && current !== undefined) return current;
      const why = status === 'connecting' ? 'is still connecting' : `is not connected (${status})`;
      throw new CasementError('server-not-ready', `The server "${connection.shownName}" ${why}.`, {
        hint: status === 'connecting' ? 'Wait a moment and try again.' : 'Restart it.',
      });
    },
  };
  return connection;
};

const toServerInfo = (
  info: ReturnType<LiveConnection['client']['getServerVersion']>,
): ServerSummary['serverInfo'] => {
  if (info === undefined) return undefined;
  const show = (text: string): string => toPrintable(text, 200, { mode: 'replace' });
  const { name, version, title } = info;
  return {
    name: show(name),
    version: show(version),
    ...(title !== undefined && { title: show(title) }),
  };
};

/** A server keeps the name under which the user trusted it, even if it gives itself another one later. */
const findRenaming = (label: string, info: ServerSelfDescription): ServerFinding[] => {
  const now = toOwnName(info);
  // A suffix of ours is no change.
  if (label.startsWith(now) && /^(?: \(\d+\))?$/.test(label.slice(now.length))) return [];
  return [
    {
      code: 'server-renamed',
      message: `The server calls itself "${now}" now; it is shown as "${label}", as it was first connected.`,
      fix: 'Start casement anew to see it under its new name.',
    },
  ];
};
