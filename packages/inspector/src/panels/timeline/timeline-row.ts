import type { RecordingEntry } from '@casement/protocol';
import { toPrintable } from '@casement/protocol/basics';
import { isRecord } from '@casement/protocol/start';
import { toGist } from './message-gist.js';
import { toSentence } from './event-sentence.js';
import { modelStepLabels } from './model-step-sentence.js';

/** One entry as the timeline shows it; everything is worked out once, when the entry is first seen. */
export interface TimelineRow {
  readonly key: string;
  readonly entry: RecordingEntry;
  /** The method, or what kind of thing happened. */
  readonly label: string;
  readonly summary: string;
  /** The stable name of what went wrong, or the number of a JSON-RPC error. */
  readonly code?: string;
  /** Set to false again when the request shows that its error reply is no problem. */
  isProblem: boolean;
  /** A request has its reply, and a reply its request, once both were seen. */
  reply?: TimelineRow;
  request?: TimelineRow;
}

const kindTitles: Record<RecordingEntry['kind'], string> = {
  request: 'Request',
  response: 'Reply',
  notification: 'Notification',
  invalid: 'Invalid message',
  lifecycle: 'Lifecycle',
  decision: 'Decision',
  violation: 'Blocked by the policy',
  dropped: 'Dropped',
  finding: 'Finding',
  evidence: 'Evidence of the app',
  error: 'Error',
};

const problemKinds: ReadonlySet<RecordingEntry['kind']> = new Set([
  'invalid',
  'violation',
  'dropped',
  'finding',
  'error',
]);

/** Whether entries of this kind are messages of JSON-RPC. */
export const isMessageKind = (kind: RecordingEntry['kind']): boolean =>
  kind === 'request' || kind === 'response' || kind === 'notification';

/** Names an entry in an address: the writer's own number, with the time because a restarted writer counts anew. */
const toKey = ({ writer, seq, t }: RecordingEntry): string => `${writer}-${seq}-${t.toString(36)}`;

/** The row of an entry; pairs are linked separately. */
export const toRow = (entry: RecordingEntry): TimelineRow => {
  const { kind, raw } = entry;
  const { text, code, isProblem } = isMessageKind(kind) ? toGist(raw) : toSentence(kind, raw);
  const method = isRecord(raw) && typeof raw.method === 'string' ? raw.method : undefined;
  return {
    key: toKey(entry),
    entry,
    label: toPrintable(method ?? toStepLabel(raw) ?? kindTitles[kind], 120),
    summary: toPrintable(text.replaceAll(/\s+/g, ' ').trim(), 300),
    ...(code === undefined ? {} : { code: toPrintable(code, 60) }),
    isProblem: isProblem ?? problemKinds.has(kind),
  };
};

const toStepLabel = (raw: unknown): string | undefined => {
  if (!isRecord(raw)) return undefined;
  return raw.type === 'doctor' ? 'Doctor' : modelStepLabels.get(raw.type);
};

/** A reply is called by what it answers. */
export const toLabel = (row: TimelineRow): string => row.request?.label ?? row.label;

/** Milliseconds between a request and its reply, for either of the two. */
export const toLatency = (row: TimelineRow): number | undefined => {
  if (row.request) return Math.max(0, row.entry.t - row.request.entry.t);
  return row.reply && Math.max(0, row.reply.entry.t - row.entry.t);
};

/** Who spoke to whom, in words; `dir` is seen from the host. */
export const toRoute = ({ leg, dir }: RecordingEntry): string => {
  const end = leg === 'none' ? 'host' : leg;
  if (leg === 'none' || dir === 'none') return end;
  return dir === 'in' ? `${end} to host` : `host to ${end}`;
};
