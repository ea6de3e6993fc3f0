import type { RecordingEntry } from '@casement/protocol';
import { describe, expect, it } from 'vitest';
import { createEntryMaker } from './entries.test-support.js';
import { toRoute, toRow } from './timeline-row.js';

const make = createEntryMaker();
const rowOf = (kind: RecordingEntry['kind'], raw: unknown) => toRow(make({ kind, raw }));

describe('rows', () => {
  it.each<
    [RecordingEntry['kind'], unknown, { label: string; summary: string; code?: string; isProblem: boolean }]
  >([
    [
      'request',
      { id: 1, method: 'tools/call', params: { name: 'forecast', arguments: { city: 'Bern', days: 3 } } },
      { label: 'tools/call', summary: 'forecast (city, days)', isProblem: false },
    ],
    [
      'response',
      { id: 1, error: { code: -32000, message: 'The user said no.' } },
      { label: 'Reply', summary: 'The user said no.', code: '-32000', isProblem: true },
    ],
    [
      'response',
      { id: 1, result: { isError: true, content: [{ type: 'text', text: 'No such city' }] } },
      { label: 'Reply', summary: 'The tool reported an error: No such city', isProblem: true },
    ],
    [
      'response',
      { id: 1, result: { tools: [{}, {}] } },
      { label: 'Reply', summary: '2 tools', isProblem: false },
    ],
    [
      'notification',
      { method: 'ui/notifications/size-changed', params: { width: 640.4, height: 300 } },
      { label: 'ui/notifications/size-changed', summary: '640 × 300 px', isProblem: false },
    ],
  ])('say in a few words what a %s is about', (kind, raw, expected) => {
    expect(rowOf(kind, raw)).toMatchObject(expected);
    expect(rowOf(kind, raw).code).toBe(expected.code);
  });

  it.each([null, 'text', 7, [], { method: {} }, { result: [] }, { params: null, method: 'tools/call' }])(
    'stand whatever a message holds: %j',
    (raw) => {
      for (const kind of ['request', 'response', 'lifecycle', 'dropped', 'finding', 'invalid'] as const)
        expect(rowOf(kind, raw).label).not.toBe('');
    },
  );

  it('keep foreign text short and free of direction and control characters', () => {
    const { label, summary } = rowOf('request', {
      id: 1,
      method: `a\u202eb${'x'.repeat(500)}`,
      params: { ['k\n\v'.repeat(200)]: 1 },
    });
    expect(`${label}${summary}`).not.toMatch(/[\u202e\n\v]/);
    expect(label.length).toBeLessThan(200);
    expect(summary.length).toBeLessThan(400);
  });

  it('say who spoke to whom', () => {
    expect(toRoute(make({ leg: 'app', dir: 'in' }))).toBe('app to host');
    expect(toRoute(make({ leg: 'server', dir: 'out' }))).toBe('host to server');
    expect(toRoute(make({ leg: 'none', dir: 'none' }))).toBe('host');
  });
});
