import { isRecord } from '@casement/protocol/start';
import type { TimelineRow } from './timeline-row.js';

/** Links a row with its other half; rows come in the order their writer wrote them. */
export type PairRows = (row: TimelineRow) => void;

const maxOpen = 20_000;

const toPairKey = ({ entry }: TimelineRow, epoch: number, id: unknown): string => {
  const asked = entry.kind === 'request' ? entry.dir : entry.dir === 'in' ? 'out' : 'in';
  return JSON.stringify([entry.writer, entry.session, entry.leg, asked, epoch, id]);
};

/**
 * Whether an error reply is harmless: an app without a teardown handler answers "method not found", which counts as
 * agreement.
 */
const isConsent = ({ code }: TimelineRow, request: TimelineRow): boolean =>
  code === '-32601' && request.label === 'ui/resource-teardown';

/**
 * Creates the function that links rows: a reply belongs to the latest request with its session, leg, epoch and id,
 * the other way round.
 */
export const createPairing = (): PairRows => {
  const open = new Map<string, TimelineRow>();

  const answer = (row: TimelineRow, id: unknown): void => {
    const { epoch } = row.entry;
    const key = toPairKey(row, epoch, id);
    const earlier = toPairKey(row, epoch - 1, id);
    // A repeated ui/initialize opens the next epoch, so its answer is written under that one.
    const crossing = open.get(earlier)?.label === 'ui/initialize' ? earlier : undefined;
    const found = open.has(key) ? key : crossing;
    const request = found === undefined ? undefined : open.get(found);
    if (found === undefined || !request) return;
    open.delete(found);
    row.request = request;
    if (isConsent(row, request)) row.isProblem = false;
    request.reply = row;
  };

  return (row) => {
    const { kind, epoch, raw } = row.entry;
    if ((kind !== 'request' && kind !== 'response') || !isRecord(raw)) return;
    const { id } = raw;
    if (typeof id !== 'string' && typeof id !== 'number') return;
    if (kind === 'response') return answer(row, id);
    const key = toPairKey(row, epoch, id);
    // Taken out first, so that the order of the map is the order of asking.
    open.delete(key);
    open.set(key, row);
    if (open.size <= maxOpen) return;
    const [oldest] = open.keys();
    if (oldest !== undefined) open.delete(oldest);
  };
};
