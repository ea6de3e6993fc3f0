import { CasementError } from '@casement/protocol/start';
import { describe, expect, test } from 'vitest';
import type { ModelEvent } from '../index.js';
import {
  call,
  converse,
  createEcho,
  createModel,
  fail,
  say,
  toCalls,
  toTexts,
  toTool,
  waitForEnd,
  type Step,
} from './conversation.test-support.js';

const half: Step = [{ type: 'text', delta: 'Ha' }];
const refused = fail(new CasementError('model-refused', 'The key was refused.', { hint: 'Another key.' }));

describe('trying again', () => {
  test.each([
    ['a stream cut half-way', half, 'stream-cut'],
    ['a stream that fails half-way', breakOff('model-failed'), 'model-failed'],
    ['a key that was refused', refused, 'model-refused'],
    ['a model out of reach', fail(new CasementError('model-unreachable', 'Gone.')), 'model-unreachable'],
    ['a gateway that is gone', fail(new CasementError('server-unreachable', 'Gone.')), 'server-unreachable'],
    ['an answer without end', say('x'.repeat(101)), 'message-too-large'],
    ['a model that breaks', fail(new Error('oops')), 'model-failed'],
  ] satisfies [string, Step, string][])(
    'after %s asks the same and leaves nothing of the attempt',
    async (_, step, code) => {
      const model = createModel(say('Hello.'), step, step, say('Whole.'));
      const conversation = converse({ model, limits: { maxText: 100 } });
      await conversation.send('hi');
      await conversation.send('go');
      for (let attempt = 0; attempt < 2; attempt += 1) {
        expect(conversation.getSnapshot()).toMatchObject({ status: 'failed', failure: { code } });
        await conversation.retry();
      }
      expect(conversation.getSnapshot()).toMatchObject({ status: 'idle', failure: undefined });
      expect(toTexts(conversation)).toEqual([
        'user: hi',
        'assistant: Hello.',
        'user: go',
        'assistant: Whole.',
      ]);
      expect(model.requests[3]).toEqual(model.requests[1]);
    },
  );

  test('by writing something else runs as any turn does, and can be stopped', async () => {
    const model = createModel(refused, waitForEnd);
    const conversation = converse({ model });
    await conversation.send('one');
    const turn = conversation.send('two');
    await expect.poll(() => model.requests).toHaveLength(2);
    expect(conversation.getSnapshot()).toMatchObject({ status: 'running', failure: undefined });
    await conversation.stop();
    await turn;
    expect(conversation.getSnapshot().status).toBe('idle');
  });

  test('with another model asks that one', async () => {
    const conversation = converse({ model: createModel(refused) });
    await conversation.send('go');
    const next = createModel(say('Here.'));
    conversation.setModel(next);
    await conversation.retry();
    expect(toTexts(conversation)).toEqual(['user: go', 'assistant: Here.']);
    expect(next.requests).toHaveLength(1);
  });

  test.each([
    ['malformed arguments', call('look', '{"city":'), 'input-malformed'],
    ['an unknown tool', call('nothing', '{}'), 'tool-not-found'],
  ] satisfies [string, ModelEvent[], string][])(
    'after %s and a cut keeps the call as it ended and does not make it again',
    async (_, mistake, errorCode) => {
      const server = createEcho('weather', [toTool('look')]);
      const model = createModel(mistake, half, call('look', '{}', 'b'), say('Rain.'));
      const conversation = converse({ model, servers: [server] });
      await conversation.send('go');
      expect(conversation.getSnapshot()).toMatchObject({ status: 'failed', failure: { code: 'stream-cut' } });
      await conversation.retry();
      expect(toCalls(conversation)).toMatchObject([
        { state: 'output-error', errorCode },
        { state: 'output-available' },
      ]);
      expect(server.calls).toHaveLength(1);
      expect(toTexts(conversation)).toEqual(['user: go', 'assistant: Rain.']);
    },
  );

  test('after an endless loop goes on from where it was, again and again', async () => {
    const server = createEcho('weather', [toTool('look')]);
    const steps = Array.from({ length: 6 }, (_, index) => call('look', '{}', `c${index}`));
    const conversation = converse({ model: createModel(...steps), servers: [server], maxSteps: 2 });
    await conversation.send('go');
    for (const made of [2, 4, 6]) {
      expect(conversation.getSnapshot()).toMatchObject({ failure: { code: 'step-limit' } });
      expect(server.calls).toHaveLength(made);
      await conversation.retry();
    }
    expect(toTexts(conversation)).toEqual(['user: go', 'assistant: done']);
  });

  test('has the tools of a server that was gone and is back', async () => {
    let isGone = true;
    const server = createEcho('weather', [], {
      listTools: () => {
        if (isGone) throw new CasementError('server-exited', 'It ended.');
        return [toTool('look')];
      },
    });
    const model = createModel(half, call('look', '{}'), say('Rain.'));
    const conversation = converse({ model, servers: [server] });
    await conversation.send('go');
    expect(conversation.getSnapshot()).toMatchObject({ tools: [], problems: [{ code: 'server-exited' }] });
    isGone = false;
    await conversation.retry();
    expect(toCalls(conversation)).toMatchObject([{ state: 'output-available' }]);
    expect(conversation.getSnapshot()).toMatchObject({ status: 'idle', problems: [] });
  });

  test('does nothing when nothing failed, and two wishes are one', async () => {
    const model = createModel(half, say('Whole.'));
    const conversation = converse({ model });
    await conversation.retry();
    expect(model.requests).toEqual([]);
    await conversation.send('go');
    await Promise.all([conversation.retry(), conversation.retry()]);
    expect(model.requests).toHaveLength(2);
    await conversation.retry();
    expect(toTexts(conversation)).toEqual(['user: go', 'assistant: Whole.']);
  });

  test('is not needed: the next message goes through as well', async () => {
    const conversation = converse({ model: createModel(half, say('Two.')) });
    await conversation.send('one');
    await conversation.send('two');
    expect(conversation.getSnapshot()).toMatchObject({ status: 'idle', failure: undefined });
    expect(toTexts(conversation)).toEqual(['user: one', 'assistant: Ha', 'user: two', 'assistant: Two.']);
  });
});

function breakOff(code: 'model-failed'): Step {
  return async function* () {
    yield { type: 'text', delta: 'Ha' };
    throw new CasementError(code, 'The answer broke off.');
  };
}
