import type { Recording, RecordingEntry } from '@casement/protocol';
import { isRecord } from '@casement/protocol/start';
import type { GatewayEvent, ServerList } from '../facts/gateway-event.js';
import type { ServerSummary } from '../facts/server-summary.js';
import type { ServerHooks } from './gateway-server.js';
import type { WireRecord } from '../transport/observed-transport.js';
import type { WireProblem } from '../transport/wire-problem.js';

/** The session of entries that belong to no app: the server's own. */
const OWN_SESSION = 'server:';

/** Creates the hooks that record one server's leg and publish each entry; entries without a session stand under the server. */
export const createServerRecorder = (
  server: string,
  recording: Recording,
  publish: (event: GatewayEvent, only?: ReadonlySet<string>) => void,
): ServerHooks => {
  const append = (
    entry: Pick<RecordingEntry, 'dir' | 'kind' | 'raw'> & { session?: string | undefined },
  ): void => {
    const { dir, kind, raw, session = `${OWN_SESSION}${server}` } = entry;
    const stored = recording.append({ session, epoch: 0, leg: 'server', dir, kind, raw });
    publish({ type: 'recording', server, entry: stored });
  };
  // Each kind is a finding once per connection; the counts are entries of their own.
  const found = new Set<string>();
  let lastStep = '';
  let lastStart = '';
  /** Once the way to the server is over, or was looked into, its steps are one entry. */
  const recordStart = ({ status, start }: ServerSummary): void => {
    if (status === 'connecting') lastStart = '';
    if (start === undefined || status === 'connecting' || start.diagnosing === true) return;
    const { elapsedMs, steps } = start;
    // Lists that are read later are entries themselves.
    const told = JSON.stringify(steps.filter(({ name }) => name !== 'lists'));
    if (told === lastStart) return;
    lastStart = told;
    append({ dir: 'none', kind: 'lifecycle', raw: { type: 'server-start', server, elapsedMs, steps } });
  };
  return {
    publish(event, only) {
      if (event.type === 'server') {
        const { status, error } = event.server;
        if (status === 'connecting') found.clear();
        const raw = { server, status, ...(error && { error }) };
        const step = JSON.stringify(raw);
        // A summary also follows a finding, which is an entry of its own.
        if (step !== lastStep) append({ dir: 'none', kind: 'lifecycle', raw });
        lastStep = step;
        recordStart(event.server);
      }
      if (event.type === 'watch-change' && event.change.step !== 'seen')
        append({ dir: 'none', kind: 'lifecycle', raw: { type: 'watch', server, ...event.change } });
      // What is read to be shown, or because a file was saved, has entries of its own.
      if (event.type === 'app-changed' && event.by === 'look')
        append({
          dir: 'none',
          kind: 'lifecycle',
          raw: { type: 'app-changed', server, uri: event.uri, hash: event.hash },
        });
      publish(event, only);
    },
    onRecord: ({ dir, message, session }) => {
      append({ dir, kind: toKind(message), raw: message, session });
    },
    onProblem: (problem) => {
      append({ dir: 'in', kind: problem.kind === 'oversize' ? 'dropped' : 'invalid', raw: toRaw(problem) });
    },
    onLeftOut: ({ what, count }) => {
      append({ dir: 'in', kind: 'dropped', raw: { reason: 'server-flood', what, count } });
      if (found.has(what)) return;
      found.add(what);
      const message = `The server sends more ${what} than are kept; those left out are counted here.`;
      append({ dir: 'none', kind: 'finding', raw: { code: 'server-flood', message } });
    },
    onSignIn: (step) => {
      append({ dir: 'none', kind: 'lifecycle', raw: { server, signIn: step } });
    },
    onFinding: (finding) => {
      append({ dir: 'none', kind: 'finding', raw: finding });
    },
  };
};

const evidence: readonly RecordingEntry['kind'][] = ['invalid', 'dropped', 'finding'];
const MAX_BACKLOG = 200;

/**
 * What a page that is opened now has missed, as events: the faults that servers showed without being asked, and
 * everything from entry `since` on, which the page was told it would get.
 */
export const toBacklog = (recording: Recording, since = Infinity): GatewayEvent[] => {
  const entries = recording.entries();
  const faults = entries.filter(
    ({ kind, session, seq }) => seq < since && evidence.includes(kind) && session.startsWith(OWN_SESSION),
  );
  return [...faults.slice(-MAX_BACKLOG), ...entries.filter(({ seq }) => seq >= since)].flatMap(toEvents);
};

const changedList = /^notifications\/(tools|resources|prompts)\/list_changed$/;

/** An entry as its stream would have told it; a list that changed meanwhile has to be read again. */
const toEvents = (entry: RecordingEntry): GatewayEvent[] => {
  const server = entry.session.startsWith(OWN_SESSION) ? entry.session.slice(OWN_SESSION.length) : '';
  const told: GatewayEvent = { type: 'recording', server, entry };
  const method = isRecord(entry.raw) && entry.kind === 'notification' ? entry.raw['method'] : undefined;
  const list = typeof method === 'string' ? changedList.exec(method)?.[1] : undefined;
  if (server === '' || list === undefined) return [told];
  // The expression names exactly the three lists there are.
  return [told, { type: 'list-changed', server, list: list as ServerList }];
};

const toKind = (message: WireRecord['message']): RecordingEntry['kind'] => {
  if (!('method' in message)) return 'response';
  return 'id' in message ? 'request' : 'notification';
};

const toRaw = (problem: WireProblem): unknown =>
  problem.kind === 'oversize'
    ? { reason: 'too-large', bytes: problem.bytes, limit: problem.limit, id: problem.id ?? null }
    : { reason: problem.kind === 'noise' ? 'non-protocol output' : 'not JSON-RPC', text: problem.text };
