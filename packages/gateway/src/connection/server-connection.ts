import { toPrintable } from '@casement/protocol/basics';
import { CasementError } from '@casement/protocol/start';
import { findScriptFailure, toExitFailure } from '../transport/command-failure.js';
import { readReachFault, type ReachFault } from '../doctor/reach-fault.js';
import { createServerDoctor, type ServerDoctor } from '../doctor/server-doctor.js';
import { toStartLimitMs } from '../doctor/slow-start.js';
import { createServerFindings, type ServerFinding } from '../facts/server-findings.js';
import type { ServerConfig } from '../facts/server-config.js';
import type { LiveConnection, LiveConnectionSettings, WireHooks } from './live-connection.js';
import { toOwnName, type ServerLabels, type ServerSelfDescription } from '../facts/server-labels.js';
import type { EntrySource } from '../facts/server-entry.js';
import type { SignInStep } from '../facts/sign-in-summary.js';
import type { ServerSignIn } from '../sign-in/server-sign-in.js';
import type { HeldStatus, ServerStatus, ServerSummary } from '../facts/server-summary.js';

const OUTPUT_PAUSE_MS = 1000;

/** What a server is made from: how it is reached, what it is shown as and what it may cost. */
export interface ServerSettings extends LiveConnectionSettings {
  labels: ServerLabels;
  /** Who the server is to apps, by the account it is used with: two accounts are two servers. */
  identity(account: string | undefined): string;
  source: EntrySource;
  /** The end of the server whose place it takes: whatever starts it, it starts after that (C24). */
  after?: Promise<void>;
  /** Given for a server that may not start: nothing is run, sent or read for it. */
  held?: HeldStatus;
  /** What is really run or reached, its variables read now; asked at each start. Default: `config` as it is. */
  resolve?(): ServerConfig;
}

/** The callbacks of a connection. */
export interface ConnectionHooks extends WireHooks {
  onSummary(summary: ServerSummary): void;
  /** A new finding; the next summary contains it too. */
  onFinding(finding: ServerFinding): void;
  onSignIn(step: SignInStep): void;
  /** A new link is ready: its notifications can be listened to. */
  onReady(link: LiveConnection): void;
}

/** A server as the gateway knows it: at most one link at a time, through any number of restarts. */
export interface ServerConnection {
  readonly name: string;
  /** The name people see it by. */
  readonly shownName: string;
  readonly signIn: ServerSignIn | undefined;
  summary(): ServerSummary;
  /** Connects for the first time. Never rejects: the outcome is in the summary. */
  open(): Promise<void>;
  restart(): Promise<void>;
  /** Ends a start that is under way; resolves when nothing of it is left. */
  cancel(): Promise<void>;
  /** Finds out how the steps to the server go; asks for its lists, and never calls a tool. */
  diagnose(readLists: () => Promise<void>): Promise<void>;
  watchList: ServerDoctor['watchList'];
  close(): Promise<void>;
  /** Returns the link, or throws the reason why there is none. */
  link(): LiveConnection;
  /** Adds findings about the server; one that is known since it connected is not reported again. */
  report(found: readonly ServerFinding[]): void;
}

/** Creates the connection to one server; nothing starts before `open()`. */
export const createServerConnection = (
  {
    config,
    labels,
    identity,
    source,
    after,
    held,
    resolve = () => config,
    version,
    limits,
    signIn,
  }: ServerSettings,
  hooks: ConnectionHooks,
): ServerConnection => {
  const { name } = config;
  let status: ServerStatus = held ?? 'connecting';
  let failure: CasementError | undefined;
  let current: LiveConnection | undefined;
  let closed = false;
  let work: Promise<void> = after ?? Promise.resolve();
  let restarting: Promise<void> | undefined;
  let isCancelled = false;
  let cancelStart: (() => void) | undefined;
  const findings = createServerFindings();

  const summary = (): ServerSummary => {
    const tail = current?.stderrTail() ?? [];
    const client = status === 'ready' ? current?.client : undefined;
    const label = labels.labelOf(config, undefined);
    const signInSummary = signIn?.summary();
    return {
      name,
      ...(label !== undefined && { label }),
      source,
      status,
      identity: identity(signIn?.account()),
      kind: config.kind,
      ...(signInSummary !== undefined && { signIn: signInSummary }),
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
      ...(held === undefined && { start: doctor.read() }),
      ...(findings.all().length > 0 && { findings: findings.all() }),
      ...(tail.length > 0 && { stderrTail: tail.slice(-20) }),
    };
  };

  const setStatus = (next: ServerStatus, error?: CasementError): void => {
    status = next;
    failure = error;
    publish();
  };

  /** What a closed server learns late is nobody's news: another may stand in its place. */
  const publish = (): void => {
    if (!closed) hooks.onSummary(summary());
  };

  const doctor = createServerDoctor(config, () => {
    // While it connects, its steps are told with its output; afterwards each change is.
    if (status !== 'connecting') publish();
  });

  const report = (found: readonly ServerFinding[]): void => {
    const fresh = findings.add(found);
    if (fresh.length === 0) return;
    fresh.forEach(hooks.onFinding);
    publish();
  };

  /** Publishes steps and stderr while it starts: a slow one says there why. */
  const publishOutput = (): (() => void) => {
    let published = '';
    const timer = setInterval(() => {
      const { stderrTail, start } = summary();
      const said = JSON.stringify([stderrTail, start?.note, start?.steps]);
      if (said === published || status !== 'connecting') return;
      published = said;
      publish();
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
    if (closed || held !== undefined) return;
    findings.clear();
    let attempt = doctor.begin(config);
    setStatus('connecting');
    // The official client, the largest part of a gateway, is loaded with the first server, when the ports are open.
    const { openLiveConnection, toServerFailure } = await import('./live-connection.js');
    if (closed) return;
    const stopPublishing = publishOutput();
    let resolved = config;
    const isUnwanted = (): boolean => closed || isCancelled;
    const connect = async (): Promise<LiveConnection> => {
      const link = await openLiveConnection(
        { config: resolved, version, limits, signIn },
        {
          ...hooks,
          onFindings: report,
          onClosed,
          onRecord: (record) => {
            if (record.dir === 'out') attempt.onAsked(current?.pid);
            else attempt.onHeard();
            hooks.onRecord(record);
          },
          onProblem: (problem) => {
            attempt.onHeard('text' in problem ? problem.text : 'a line over the limit');
            hooks.onProblem(problem);
          },
          onAnswer: attempt.onAnswer,
          onStarted: (started) => {
            current = started;
            // close() or cancel() came between two starts: it saw the old link only.
            if (isUnwanted()) void started.close();
          },
        },
      );
      if (isUnwanted()) await link.close();
      return link;
    };
    try {
      resolved = resolve();
      if (resolved !== config) attempt = doctor.begin(resolved);
      const link = await untilCancelled(connect);
      const info = link.client.getServerVersion();
      const label = labels.labelOf(config, info);
      if (info !== undefined && label !== undefined) report(findRenaming(label, info));
      hooks.onReady(link);
      attempt.succeed({ revision: link.client.getNegotiatedProtocolVersion(), name: info?.name });
      setStatus('ready');
      if (link.exit !== undefined) onClosed(link);
    } catch (error) {
      const exit = current?.exit;
      const stray = current?.findStray();
      const context = {
        server: connection.shownName,
        method: 'initialize',
        timeoutMs: toStartLimitMs(resolved, limits.requestTimeoutMs),
        ...(exit !== undefined && { exit }),
        ...(stray !== undefined && { stray }),
      };
      const fault = resolved.kind === 'http' ? readReachFault(error, new URL(resolved.url)) : undefined;
      const failure =
        fault === undefined
          ? toServerFailure(error, context)
          : toReachFailure(connection.shownName, fault, error);
      const hasExited = failure.code === 'server-exited';
      const known =
        (hasExited && resolved.kind === 'stdio' ? findScriptFailure(resolved) : undefined) ?? failure;
      attempt.fail(known, fault);
      setStatus(hasExited ? 'exited' : 'failed', known);
      if (!isUnwanted()) doctor.explain();
    } finally {
      attempt.end();
      stopPublishing();
    }
  };

  /** Waits for a start, or for the wish to end it, whatever comes first. */
  const untilCancelled = async <T>(start: () => Promise<T>): Promise<T> => {
    const cancelled = new Promise<never>((_, reject) => {
      cancelStart = () => reject(toCancelled(connection.shownName));
    });
    if (isCancelled) cancelStart?.();
    try {
      return await Promise.race([cancelled, start()]);
    } finally {
      cancelStart = undefined;
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
    signIn,
    summary,
    report,
    open: () => enqueue(connectNow),
    restart() {
      if (held !== undefined) return Promise.reject(toHeldFailure(connection.shownName, held));
      // Two restarts at once are one: a second process would be an orphan (C24).
      if (restarting !== undefined) return restarting;
      // The output of the last process says nothing about the next one.
      const old = current;
      current = undefined;
      isCancelled = false;
      setStatus('connecting');
      void old?.close();
      restarting = enqueue(async () => {
        await Promise.all([old?.close(), drop()]);
        await connectNow();
        restarting = undefined;
      });
      return restarting;
    },
    async cancel() {
      if (status !== 'connecting' || closed) return;
      isCancelled = true;
      cancelStart?.();
      const link = current;
      await Promise.all([link?.close(), work]);
      await current?.close();
    },
    diagnose: doctor.diagnose,
    watchList: doctor.watchList,
    async close() {
      closed = true;
      doctor.close();
      void current?.close();
      await enqueue(drop);
    },
    link() {
      if (status === 'ready' && current !== undefined) return current;
      if (held !== undefined) throw toHeldFailure(connection.shownName, held);
      const why = status === 'connecting' ? 'is still connecting' : `is not connected (${status})`;
      throw new CasementError('server-not-ready', `The server "${connection.shownName}" ${why}.`, {
        hint: status === 'connecting' ? 'Wait a moment and try again.' : 'Restart it.',
      });
    },
  };
  signIn?.connect({
    onChange: publish,
    onStep: hooks.onSignIn,
    reconnect: connection.restart,
    isReady: () => status === 'ready',
  });
  return connection;
};

const toCancelled = (server: string): CasementError =>
  new CasementError('start-cancelled', `The start of "${server}" was cancelled.`, {
    hint: 'Restart it when you want it.',
  });

const toReachFailure = (server: string, { code, verdict, fix }: ReachFault, cause: unknown): CasementError =>
  new CasementError(code, `The server "${server}" could not be reached: ${lowerFirst(verdict)}`, {
    ...(fix !== undefined && { hint: fix }),
    cause,
  });

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

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

const toHeldFailure = (server: string, held: HeldStatus): CasementError =>
  new CasementError(
    'server-held',
    held === 'disabled'
      ? `The server "${server}" is switched off.`
      : `The server "${server}" waits: nobody has agreed to it as it is now.`,
    {
      hint: held === 'disabled' ? 'Switch it on first.' : 'Look at what it would run or send, then say yes.',
    },
  );

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
