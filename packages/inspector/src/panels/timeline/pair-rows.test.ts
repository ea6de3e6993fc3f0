import type { RecordingEntry } from '@casement/protocol';
import { describe, expect, it } from 'vitest';
import { createEntryMaker } from './entries.test-support.js';
import { createPairing } from './pair-rows.js';
import { toLabel, toLatency, toRow } from './timeline-row.js';

const pairAll = (entries: readonly RecordingEntry[]) => {
  const pair = createPairing();
  const rows = entries.map(toRow);
  for (const row of rows) pair(row);
  return rows;
};

const ask = (id: unknown, method = 'tools/call') => ({ kind: 'request' as const, raw: { id, method } });
const answer = (id: unknown) => ({ kind: 'response' as const, dir: 'out' as const, raw: { id, result: {} } });

describe('pairing requests and replies', () => {
  it('links both halves, names the reply by its request and knows the latency', () => {
    const make = createEntryMaker();
    const [request, , reply] = pairAll([make(ask(1)), make(ask(2)), make(answer(1))]);
    expect(reply?.request).toBe(request);
    expect(request?.reply).toBe(reply);
    expect(reply && toLabel(reply)).toBe('tools/call');
    expect(request && toLatency(request)).toBe(20);
    expect(reply && toLatency(reply)).toBe(20);
  });

  it.each([
    ['another session', { session: 'other' }],
    ['the other leg', { leg: 'server' as const }],
    ['another epoch', { epoch: 2 }],
    ['another writer', { writer: 'gateway' as const }],
    ['the same direction', { dir: 'in' as const }],
    ['an id of another type', { raw: { id: '1', result: {} } }],
    ['no id', { raw: { id: null, error: {} } }],
  ])('does not pair a reply of %s', (_, difference) => {
    const make = createEntryMaker();
    const [request, reply] = pairAll([make(ask(1)), make({ ...answer(1), ...difference })]);
    expect(request?.reply).toBeUndefined();
    expect(reply?.request).toBeUndefined();
  });

  it('pairs the answer to a repeated ui/initialize, which is written in the epoch it opens', () => {
    const make = createEntryMaker();
    const [request, reply] = pairAll([make(ask(0, 'ui/initialize')), make({ ...answer(0), epoch: 2 })]);
    expect(reply?.request).toBe(request);
  });

  it('takes it for no problem that an app has no method for its end, and for one everywhere else', () => {
    const make = createEntryMaker();
    const refuse = (code: number) => ({
      kind: 'response' as const,
      raw: { id: 1, error: { code, message: '' } },
    });
    const isProblem = (method: string, code: number): boolean | undefined =>
      pairAll([make({ ...ask(1, method), dir: 'out' }), make({ ...refuse(code), dir: 'in' })])[1]?.isProblem;
    expect(isProblem('ui/resource-teardown', -32601)).toBe(false);
    expect(isProblem('ui/resource-teardown', -32603)).toBe(true);
    expect(isProblem('tools/call', -32601)).toBe(true);
  });

  it('gives an id that is used again to the latest request, and answers each request once', () => {
    const make = createEntryMaker();
    const rows = pairAll([make(ask(1)), make(ask(1)), make(answer(1)), make(answer(1))]);
    expect(rows.map(({ reply }) => reply)).toEqual([undefined, rows[2], undefined, undefined]);
  });
});
