import type { Tool } from '@casement/protocol';
import { describe, expect, test, vi } from 'vitest';
import { verifies } from '../../../../../test/verifies.js';
import type { ApprovalAnswer, ApprovalPolicy, Conversation } from '../index.js';
import { createApprovalMemory } from '../index.js';
import {
  call,
  converse,
  createApp,
  createEcho,
  createModel,
  say,
  toAppTool,
  toCalls,
  toTool,
} from './conversation.test-support.js';

type Annotations = Tool['annotations'];

const isAsked = (conversation: Conversation): boolean => conversation.getSnapshot().status === 'waiting';

/** Sends, answers the question if there is one, and says whether there was. */
const sendAnd = async (conversation: Conversation, answer: ApprovalAnswer): Promise<boolean> => {
  let wasAsked = false;
  const unsubscribe = conversation.subscribe(() => {
    const open = toCalls(conversation).find(({ state }) => state === 'approval-requested');
    if (!open || !isAsked(conversation)) return;
    wasAsked = true;
    conversation.answerApproval(open.toolCallId, answer);
  });
  await conversation.send('go');
  unsubscribe();
  return wasAsked;
};

const withApp = (annotations: Annotations, uri = 'ui://maps/map', approvals = createApprovalMemory()) => {
  const { app, calls } = createApp('one', {
    appTools: [toAppTool('move', annotations && { annotations })],
    resource: { uri },
  });
  const start = (): Conversation => {
    const steps = Array.from({ length: 4 }, () => [call('app_x__move', '{}'), say('ok')]).flat();
    const conversation = converse({ model: createModel(...steps), approvals });
    conversation.registerApp(app);
    return conversation;
  };
  return { start, calls, approvals };
};

describe('a tool of an app', () => {
  verifies(['HOST-097', 'HOST-102'], 'is asked about unless it says that it only reads', async () => {
    for (const [annotations, asks] of [
      [undefined, true],
      [{}, true],
      [{ readOnlyHint: false }, true],
      [{ readOnlyHint: false, destructiveHint: false }, true],
      [{ readOnlyHint: true }, false],
    ] satisfies [Annotations, boolean][]) {
      const { start, calls } = withApp(annotations);
      const conversation = start();
      expect(await sendAnd(conversation, true)).toBe(asks);
      expect(calls).toHaveLength(1);
      // A yes is for one call.
      expect(await sendAnd(conversation, false)).toBe(asks);
      expect(calls).toHaveLength(asks ? 1 : 2);
    }
  });

  verifies('HOST-097', 'is settled for its app with always, never and ask', async () => {
    const { start, calls, approvals } = withApp(undefined);
    const conversation = start();
    expect(await sendAnd(conversation, 'always')).toBe(true);
    expect(await sendAnd(conversation, false)).toBe(false);
    expect(calls).toHaveLength(2);
    // The memory is the embedder's: another conversation knows it too.
    expect(await sendAnd(start(), false)).toBe(false);
    expect(calls).toHaveLength(3);

    const key = { kind: 'app', server: 'id-maps', scope: 'ui://maps/map' } as const;
    approvals.set(key, 'ask');
    expect(await sendAnd(conversation, 'never')).toBe(true);
    expect(await sendAnd(conversation, true)).toBe(false);
    expect(calls).toHaveLength(3);
    expect(toCalls(conversation).at(-1)).toMatchObject({
      state: 'output-error',
      errorCode: 'approval-denied',
    });
    approvals.set(key, undefined);
    expect(await sendAnd(start(), true)).toBe(true);
  });

  verifies(
    'HOST-097',
    'that only reads is not called when the user said never, and asked about after ask',
    async () => {
      const { start, calls, approvals } = withApp({ readOnlyHint: true });
      const key = { kind: 'app', server: 'id-maps', scope: 'ui://maps/map' } as const;
      approvals.set(key, 'never');
      expect(await sendAnd(start(), true)).toBe(false);
      expect(calls).toEqual([]);
      approvals.set(key, 'ask');
      expect(await sendAnd(start(), true)).toBe(true);
      expect(calls).toHaveLength(1);
    },
  );

  test('of one app is not settled with that of another', async () => {
    const { start, approvals } = withApp(undefined);
    await sendAnd(start(), 'always');
    const other = withApp(undefined, 'ui://maps/other', approvals);
    expect(await sendAnd(other.start(), false)).toBe(true);
    expect(other.calls).toEqual([]);
  });

  test('is no longer asked about when the app is gone', async () => {
    const { app, calls } = createApp('one', { appTools: [toAppTool('move')] });
    const conversation = converse({ model: createModel(call('app_x__move', '{}')) });
    const unregister = conversation.registerApp(app);
    const turn = conversation.send('go');
    await vi.waitFor(() => expect(isAsked(conversation)).toBe(true));
    unregister();
    await turn;
    expect(conversation.answerApproval('call-a', true)).toBe(false);
    expect(toCalls(conversation)).toMatchObject([{ state: 'output-error', errorCode: 'session-closed' }]);
    expect(calls).toEqual([]);
  });
});

describe('a tool of a server', () => {
  const withServer = (annotations: Annotations, approve?: ApprovalPolicy) => {
    const port = createEcho('files', [toTool('delete', annotations && { annotations })]);
    const model = createModel(call('delete', '{}'), say('ok'), call('delete', '{}'), say('ok'));
    return { port, conversation: converse({ model, servers: [port], ...(approve && { approve }) }) };
  };

  test.each([
    [undefined, false],
    [{ readOnlyHint: true }, false],
    [{ destructiveHint: false, readOnlyHint: false }, false],
    [{ destructiveHint: true }, true],
    [{ readOnlyHint: false }, true],
  ] satisfies [Annotations, boolean][])(
    'that says %j is asked about by default: %s',
    async (annotations, asks) => {
      const { port, conversation } = withServer(annotations);
      expect(await sendAnd(conversation, false)).toBe(asks);
      expect(port.calls).toHaveLength(asks ? 0 : 1);
    },
  );

  test('is settled by itself', async () => {
    const { port, conversation } = withServer({ destructiveHint: true });
    expect(await sendAnd(conversation, 'always')).toBe(true);
    expect(await sendAnd(conversation, false)).toBe(false);
    expect(port.calls).toHaveLength(2);
  });

  test('is called and not called as the policy says', async () => {
    const seen: unknown[] = [];
    const allowed = withServer({ destructiveHint: true }, ({ name, source, input }) => {
      seen.push({ name, source, input });
      return 'allow';
    });
    expect(await sendAnd(allowed.conversation, false)).toBe(false);
    expect(allowed.port.calls).toHaveLength(1);
    expect(seen).toEqual([
      { name: 'delete', source: { kind: 'server', server: 'files', tool: 'delete' }, input: {} },
    ]);
    const denied = withServer(undefined, () => Promise.resolve('deny' as const));
    expect(await sendAnd(denied.conversation, true)).toBe(false);
    expect(denied.port.calls).toEqual([]);
    const asked = withServer(undefined, () => 'ask');
    expect(await sendAnd(asked.conversation, true)).toBe(true);
    const open = withServer({ destructiveHint: true }, () => undefined);
    expect(await sendAnd(open.conversation, true)).toBe(true);
  });

  test('is asked about when the policy breaks', async () => {
    const { port, conversation } = withServer(undefined, () => {
      throw new Error('broken');
    });
    expect(await sendAnd(conversation, false)).toBe(true);
    expect(port.calls).toEqual([]);
  });

  test('stopped at the question is not called', async () => {
    const { port, conversation } = withServer({ destructiveHint: true });
    const turn = conversation.send('go');
    await vi.waitFor(() => expect(isAsked(conversation)).toBe(true));
    await conversation.stop();
    await turn;
    expect(conversation.answerApproval('call-a', true)).toBe(false);
    expect(toCalls(conversation)).toMatchObject([{ state: 'cancelled' }]);
    expect([port.calls, conversation.getSnapshot().status]).toEqual([[], 'idle']);
  });

  test('stopped while the policy thinks is not called', async () => {
    let isThinking = false;
    const { port, conversation } = withServer(undefined, () => {
      isThinking = true;
      return new Promise(() => undefined);
    });
    void conversation.send('go');
    await vi.waitFor(() => expect(isThinking).toBe(true));
    await conversation.stop();
    expect([port.calls, conversation.getSnapshot().status]).toEqual([[], 'idle']);
  });

  test('of a server taken away at the question is not called', async () => {
    const { port, conversation } = withServer({ destructiveHint: true });
    const turn = conversation.send('go');
    await vi.waitFor(() => expect(isAsked(conversation)).toBe(true));
    conversation.setServers([]);
    conversation.answerApproval('call-a', true);
    await turn;
    expect(toCalls(conversation)).toMatchObject([{ errorCode: 'server-unknown' }]);
    expect(port.calls).toEqual([]);
  });
});

describe('calls of one step that wait side by side', () => {
  const danger = { annotations: { destructiveHint: true } };
  const askTwice = async (names: readonly [string, string], answer: ApprovalAnswer) => {
    const server = createEcho('files', [toTool('drop', danger), toTool('wipe', danger)]);
    const [one] = call(names[0], '{"n":1}', 'a');
    const conversation = converse({
      model: createModel([...(one ? [one] : []), ...call(names[1], '{"n":2}', 'b')], say('ok')),
      servers: [server],
    });
    const turn = conversation.send('go');
    await vi.waitFor(() =>
      expect(toCalls(conversation).map(({ state }) => state)).toEqual([
        'approval-requested',
        'approval-requested',
      ]),
    );
    conversation.answerApproval('a', answer);
    await vi.waitFor(() => expect(toCalls(conversation)[0]?.state).toMatch(/^output/));
    return { conversation, server, turn };
  };

  test('are settled by an always or a never for the same tool', async () => {
    for (const [answer, calls] of [
      ['always', 2],
      ['never', 0],
    ] as const) {
      const { conversation, server, turn } = await askTwice(['drop', 'drop'], answer);
      await turn;
      expect(server.calls).toHaveLength(calls);
      expect(conversation.getSnapshot().status).toBe('idle');
    }
  });

  test('are each asked about otherwise', async () => {
    for (const [names, answer] of [
      [['drop', 'drop'], true],
      [['drop', 'drop'], false],
      [['drop', 'wipe'], 'always'],
      [['drop', 'wipe'], 'never'],
    ] as const) {
      const { conversation, turn } = await askTwice(names, answer);
      expect(conversation.getSnapshot().status).toBe('waiting');
      expect(toCalls(conversation)[1]?.state).toBe('approval-requested');
      await conversation.stop();
      await turn;
    }
  });
});
