import type { Recording, RecordingEntry } from '@casement/protocol';
import type { GatewayEvent } from '../facts/gateway-event.js';
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
      }
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
    onFinding: (finding) => {
      append({ dir: 'none', kind: 'finding', raw: finding });
    },
  };
};

const evidence: readonly RecordingEntry['kind'][] = ['invalid', 'dropped', 'finding'];
const MAX_BACKLOG = 200;

/** The faults that servers showed without being asked, as events for a page that is opened later. */
export const toBacklog = (recording: Recording): GatewayEvent[] =>
  recording
    .entries()
    .filter(({ kind, session }) => evidence.includes(kind) && session.startsWith(OWN_SESSION))
    .slice(-MAX_BACKLOG)
    .map((entry) => ({ type: 'recording', server: entry.session.slice(OWN_SESSION.length), entry }));

const toKind = (message: WireRecord['message']): RecordingEntry['kind'] => {
  if (!('method' in message)) return 'response';
  return 'id' in message ? 'request' : 'notification';
};

const toRaw = (problem: WireProblem): unknown =>
  problem.kind === 'oversize'
    ? { reason: 'too-large', bytes: problem.bytes, limit: problem.limit, id: problem.id ?? null }
    : { reason: problem.kind === 'noise' ? 'non-protocol output' : 'not JSON-RPC', text: problem.text };
