import { createConsentStore } from '@casement/protocol/consents';
import type { Tool } from '@casement/protocol';
import { describe, expect, test } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import type { ApprovalAnswer, ApprovalMemory } from '../index.js';
import type { ApprovalKey } from './approvals.js';
import {
  call,
  converse,
  createApp,
  createEcho,
  createModel,
  toCalls,
  toTool,
} from '../conversation/conversation.test-support.js';

const createStorage = () => {
  const values = new Map<string, string>();
  return {
    getItem: (name: string) => values.get(name) ?? null,
    setItem: (name: string, value: string) => void values.set(name, value),
    removeItem: (name: string) => void values.delete(name),
  };
};

const risky = (more: Partial<Tool> = {}): Tool =>
  toTool('move', {
    title: 'Move',
    description: 'Moves the map.',
    inputSchema: { type: 'object', properties: { to: { type: 'string' }, by: { type: 'number' } } },
    annotations: { destructiveHint: true, readOnlyHint: false },
    ...more,
  });

/** Calls the tool once in a conversation of its own, and says whether the user was asked. */
const isAsked = async (
  approvals: ApprovalMemory,
  tool: Tool,
  answer: ApprovalAnswer = false,
  kind: 'server' | 'app' = 'server',
): Promise<boolean> => {
  const ofApp = kind === 'app';
  const conversation = converse({
    model: createModel(call(ofApp ? 'app_x__tool' : tool.name, '{}')),
    servers: ofApp ? [] : [createEcho('maps', [tool])],
    approvals,
  });
  if (ofApp) {
    const appTools = [{ qualifiedName: 'app_x__tool', tool, callable: true }];
    conversation.registerApp(createApp('one', { appTools, resource: { uri: 'ui://maps/map' } }).app);
  }
  let wasAsked = false;
  conversation.subscribe(() => {
    const open = toCalls(conversation).find(({ state }) => state === 'approval-requested');
    if (open && conversation.answerApproval(open.toolCallId, answer)) wasAsked = true;
  });
  await conversation.send('go');
  return wasAsked;
};

describe.each(['server', 'app'] as const)('a yes for always to a tool of a %s', (kind) => {
  verifies(
    ['HOST-097', 'HOST-103'],
    'holds for the tool as it was described, however its keys are ordered',
    async () => {
      const approvals = createConsentStore();
      expect(await isAsked(approvals, risky(), 'always', kind)).toBe(true);
      expect(await isAsked(approvals, risky(), false, kind)).toBe(false);
      const reordered = risky({
        inputSchema: { properties: { by: { type: 'number' }, to: { type: 'string' } }, type: 'object' },
      });
      expect(await isAsked(approvals, reordered, false, kind)).toBe(false);
    },
  );

  test.each([
    ['name', { name: 'remove' }],
    ['title', { title: 'Show' }],
    ['description', { description: 'Moves the map, and the files.' }],
    ['input', { inputSchema: { type: 'object', properties: { path: { type: 'string' } } } }],
    ['output', { outputSchema: { type: 'object' } }],
    ['annotations', { annotations: { destructiveHint: true } }],
  ] satisfies [string, Partial<Tool>][])(
    'does not hold for one that says otherwise of its %s, until it is as it was (T21)',
    async (_, more) => {
      const approvals = createConsentStore();
      await isAsked(approvals, risky(), 'always', kind);
      expect(await isAsked(approvals, risky(more), false, kind)).toBe(true);
      expect(await isAsked(approvals, risky(), false, kind)).toBe(false);
    },
  );

  test('is taken back by never, which holds whatever the tool says', async () => {
    const approvals = createConsentStore();
    await isAsked(approvals, risky(), 'always', kind);
    const other = risky({ description: 'Other.' });
    expect(await isAsked(approvals, other, 'never', kind)).toBe(true);
    expect(await isAsked(approvals, other, true, kind)).toBe(false);
    expect(await isAsked(approvals, risky(), true, kind)).toBe(false);
  });
});

verifies(
  ['HOST-097', 'HOST-103'],
  'an app settled as a whole by the host is so for every tool it offers',
  async () => {
    const approvals = createConsentStore();
    const key = { kind: 'app', server: 'id-maps', scope: 'ui://maps/map' } as const;
    for (const [setting, asks] of [
      ['always', false],
      ['never', false],
      ['ask', true],
    ] as const) {
      approvals.set(key, setting);
      for (const tool of [risky(), risky({ name: 'look', annotations: { readOnlyHint: true } })])
        expect(await isAsked(approvals, tool, false, 'app')).toBe(asks);
    }
  },
);

test('a tool nested beyond measure is asked about each time', async () => {
  let schema: Record<string, unknown> = {};
  for (let depth = 0; depth < 50_000; depth += 1) schema = { properties: schema };
  const approvals = createConsentStore();
  const deep = risky({ inputSchema: { type: 'object', ...schema } });
  expect(await isAsked(approvals, deep, 'always')).toBe(true);
  expect(await isAsked(approvals, deep, 'always')).toBe(true);
});

describe('stored approvals', () => {
  const key: ApprovalKey = { kind: 'tool', server: 'id-maps', scope: 'move' };

  test('survive the page and its conversations', async () => {
    const storage = createStorage();
    expect(await isAsked(createConsentStore(storage), risky(), 'always')).toBe(true);
    expect(await isAsked(createConsentStore(storage), risky())).toBe(false);
    expect(createConsentStore(storage).list()).toEqual([
      { ...key, definition: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown, setting: 'always' },
    ]);
  });
});
