import { CasementError, toPrintable } from '@casement/protocol';
import { toScriptFailure } from './command-failure.js';
import type { IntakeHooks } from './intake.js';
import type { ServerLimits } from './limits.js';
import type { WireRecord } from './observed-transport.js';
import type { ServerConfig } from './server-config.js';
import { toExitFailure, toServerFailure } from './server-failure.js';
import { createServerFindings, type ServerFinding } from './server-findings.js';
import { openServerLink, type ServerLink } from './server-link.js';
import { toOwnName, type ServerLabels, type ServerSelfDescription } from './server-labels.js';
import type { ServerStatus, ServerSummary } from './server-summary.js';
import type { WireProblem } from './wire-problem.js';

const OUTPUT_PAUSE_MS = 1000;

/** What a connection tells the gateway. */
export interface ConnectionHooks {
  onSummary(summary: ServerSummary): void;
  onRecord(record: WireRecord): void;
  onProblem(problem: WireProblem): void;
  onLeftOut: IntakeHooks['onLeftOut'];
  /** Something new was found; the summary that follows has it, too. */
  onFinding(finding: ServerFinding): void;
  /** A new link is ready: its notifications can be listened to. */
  onReady(link: ServerLink): void;
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
  /** The link, or the reason why there is none. */
  link(): ServerLink;
  /** Adds to what is known to be wrong with the server; what was told since it was connected is not told again. */
  report(found: readonly ServerFinding[]): void;
}

/** Creates the connection to one server; nothing starts before `open()`. */
export const createServerConnection = ({
  config,
  labels,
  identity,
  version,
  limits,
  hooks,
}: {
  config: ServerConfig;
  labels: ServerLabels;
  identity: string;
  version: string;
  limits: ServerLimits;
  hooks: ConnectionHooks;
}): ServerConnection => {
  const { name } = config;
  let status: ServerStatus = 'connecting';
  let failure: CasementError | undefined;
  let current: ServerLink | undefined;
  let closed = false;
  let work: Promise<void> = Promise.resolve();
  let restarting: Promise<void> | undefined;
  const findings = createServerFindings();

  const summary = (): ServerSummary => {
    const tail = current?.stderrTail() ?? [];
    const client = status === 'ready' ? current?.client : undefined;
    const label = labels.give(config, undefined);
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

  const become = (next: ServerStatus, error?: CasementError): void => {
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

  /** A command that takes long to start says why on stderr: told as it comes. */
  const tellOutput = (): (() => void) => {
    let told = '';
    const timer = setInterval(() => {
      const said = summary().stderrTail?.join('\n') ?? '';
      if (said === told || status !== 'connecting') return;
      told = said;
      hooks.onSummary(summary());
    }, OUTPUT_PAUSE_MS);
    timer.unref();
    return () => clearInterval(timer);
  };

  const onClosed = (link: ServerLink): void => {
    if (closed || link !== current || status !== 'ready') return;
    if (link.exit === undefined) {
      become(
        'failed',
        link.failure ??
          new CasementError('server-unreachable', `The connection to "${connection.shownName}" was closed.`, {
            hint: 'See whether the server is still running, then restart the connection.',
          }),
      );
    } else become('exited', toExitFailure(connection.shownName, link.exit));
    // A closed pipe does not prove a dead process; nothing may stay behind (C24).
    void link.close();
  };

  const connectNow = async (): Promise<void> => {
    if (closed) return;
    findings.clear();
    become('connecting');
    const stopTelling = tellOutput();
    try {
      const link = await openServerLink(
        { config, version, limits },
        {
          onRecord: hooks.onRecord,
          onProblem: hooks.onProblem,
          onLeftOut: hooks.onLeftOut,
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
      const label = labels.give(config, info);
      if (info !== undefined && label !== undefined) report(findRenaming(label, info));
      hooks.onReady(link);
      become('ready');
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
      const known = (hasExited && config.kind === 'stdio' ? toScriptFailure(config) : undefined) ?? failure;
      become(hasExited ? 'exited' : 'failed', known);
    } finally {
      stopTelling();
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
      return labels.give(config, undefined) ?? name;
    },
    summary,
    report,
    open: () => enqueue(connectNow),
    restart() {
      // Two restarts at once are one: a second process would be an orphan (C24).
      if (restarting !== undefined) return restarting;
      // What the last process wrote says nothing of the next one.
      const old = current;
      current = undefined;
      become('connecting');
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
  info: ReturnType<ServerLink['client']['getServerVersion']>,
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

/** Who was trusted under one name goes on under it: what was agreed to was agreed to with that server. */
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
