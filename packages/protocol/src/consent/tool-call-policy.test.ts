import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ToolEffect } from './tool-call-policy.js';
import { readToolClaims, readToolEffect, toCallRule } from './tool-call-policy.js';

const annotated = (annotations: unknown) => ({
  name: 'x',
  inputSchema: { type: 'object' },
  annotations,
});

describe('sec-W1 what a call may do', () => {
  test.each([
    [undefined, 'unsaid', ['nothing']],
    [{}, 'unsaid', ['nothing']],
    [{ title: 'Delete everything' }, 'unsaid', ['nothing']],
    [{ openWorldHint: true, idempotentHint: true }, 'unsaid', ['nothing', 'open-world']],
    [{ readOnlyHint: undefined, destructiveHint: undefined }, 'unsaid', ['nothing']],
    [{ readOnlyHint: true }, 'reads', ['reads-only']],
    [{ readOnlyHint: true, destructiveHint: false }, 'reads', ['reads-only', 'destroys-nothing']],
    [{ destructiveHint: false }, 'changes', ['destroys-nothing']],
    [{ readOnlyHint: false, destructiveHint: false }, 'changes', ['changes', 'destroys-nothing']],
    [{ readOnlyHint: false }, 'destroys', ['changes']],
    [{ destructiveHint: true }, 'destroys', ['may-destroy']],
    [{ readOnlyHint: false, destructiveHint: true }, 'destroys', ['changes', 'may-destroy']],
    // Contradictions and values of other types count as the stricter reading.
    [{ readOnlyHint: true, destructiveHint: true }, 'destroys', ['reads-only', 'may-destroy', 'unclear']],
    [{ readOnlyHint: 'true' }, 'destroys', ['unclear']],
    [{ readOnlyHint: 1 }, 'destroys', ['unclear']],
    [{ readOnlyHint: null }, 'destroys', ['unclear']],
    [{ readOnlyHint: true, destructiveHint: 'false' }, 'destroys', ['reads-only', 'unclear']],
    [{ destructiveHint: null }, 'destroys', ['unclear']],
    [null, 'destroys', ['unclear']],
    ['readOnlyHint', 'destroys', ['unclear']],
    [[{ readOnlyHint: true }], 'destroys', ['unclear']],
  ] as const)('of a tool with annotations %j is read as %s', (annotations, effect, claims) => {
    const tool = annotated(annotations);
    expect([readToolEffect(tool), readToolClaims(tool)]).toEqual([effect, claims]);
  });

  test('is read from the tool alone, never from a prototype, and nothing makes it throw', () => {
    expect(readToolEffect(annotated(Object.create({ readOnlyHint: true })))).toBe('unsaid');
    const trap = {
      get annotations(): never {
        throw new Error('a trap');
      },
    };
    expect([trap, null, 'tool', 5].map(readToolEffect)).toEqual(['destroys', 'unsaid', 'unsaid', 'unsaid']);
  });
});

test('sec-W1 of the model only reading runs unasked; of an app only what may do harm is asked about', () => {
  const effects: readonly ToolEffect[] = ['reads', 'changes', 'destroys', 'unsaid'];
  const toRules = (...rest: [Parameters<typeof toCallRule>[0], Parameters<typeof toCallRule>[2]?]) =>
    effects.map((effect) => toCallRule(rest[0], effect, rest[1]));
  expect(toRules('model')).toEqual(['run', 'ask', 'ask', 'ask']);
  expect(toRules('model', { unannotated: 'run' })).toEqual(['run', 'ask', 'ask', 'ask']);
  expect(toRules('app')).toEqual(['run', 'run', 'ask', 'run']);
  expect(toRules('app', { unannotated: 'ask' })).toEqual(['run', 'run', 'ask', 'ask-once']);
  for (const caller of ['model', 'app'] as const)
    expect(new Set(toRules(caller, { toolCalls: 'run', unannotated: 'ask' }))).toEqual(new Set(['run']));
});

test('sec-W1 whatever else a tool says, a model runs it unasked only for a true that nothing contradicts', () => {
  const hint = fc.oneof(fc.boolean(), fc.constant(undefined), fc.anything());
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.anything()),
      hint,
      hint,
      (more, readOnlyHint, destructiveHint) => {
        const tool = annotated({ ...more, readOnlyHint, destructiveHint, openWorldHint: undefined });
        const isPlain = readOnlyHint === true && (destructiveHint === false || destructiveHint === undefined);
        expect(toCallRule('model', readToolEffect(tool))).toBe(isPlain ? 'run' : 'ask');
      },
    ),
  );
});
