import { describe, expect, test } from 'vitest';
import { planModels } from './plan-models.js';

describe('the models of the command line', () => {
  test('are none where nothing says so', () => {
    expect(planModels({}, {})).toEqual([]);
    expect(planModels({}, { OPENAI_API_KEY: '', ANTHROPIC_API_KEY: ' \n' })).toEqual([]);
    // A key alone does not say where to.
    expect(planModels({}, { CASEMENT_MODEL_KEY: 'k' })).toEqual([]);
  });

  test('come from the keys in the environment', () => {
    expect(planModels({}, { OPENAI_API_KEY: 'a\n', ANTHROPIC_API_KEY: 'b' })).toEqual([
      {
        id: 'openai',
        label: 'gpt-5-mini (OpenAI)',
        kind: 'openai-compatible',
        model: 'gpt-5-mini',
        apiKey: 'a',
      },
      {
        id: 'anthropic',
        label: 'claude-sonnet-5 (Anthropic)',
        kind: 'anthropic',
        model: 'claude-sonnet-5',
        apiKey: 'b',
      },
    ]);
  });

  test('begin with the one at the address given, with its key if it has one', () => {
    const local = { modelUrl: 'http://localhost:11434/v1', model: 'qwen3' };
    const expected = {
      id: 'local',
      label: 'qwen3 (localhost:11434)',
      kind: 'openai-compatible',
      baseUrl: 'http://localhost:11434/v1',
      model: 'qwen3',
      isFirst: true,
    };
    expect(planModels(local, {})).toEqual([expected]);
    expect(planModels(local, { CASEMENT_MODEL_KEY: 'k', OPENAI_API_KEY: 'a' })).toEqual([
      { ...expected, apiKey: 'k' },
      expect.objectContaining({ id: 'openai', model: 'gpt-5-mini', apiKey: 'a' }),
    ]);
    expect(planModels(local, { OPENAI_API_KEY: 'a' })[1]).not.toHaveProperty('isFirst');
  });

  test('begin with the one named, at the provider whose name it is', () => {
    const keys = { OPENAI_API_KEY: 'a', ANTHROPIC_API_KEY: 'b' };
    expect(planModels({ model: 'claude-opus-5' }, keys)).toMatchObject([
      { id: 'anthropic', model: 'claude-opus-5', apiKey: 'b', isFirst: true },
      { id: 'openai', model: 'gpt-5-mini', apiKey: 'a' },
    ]);
    expect(planModels({ model: 'gpt-5' }, keys)).toMatchObject([
      { id: 'openai', model: 'gpt-5', apiKey: 'a', isFirst: true },
      { id: 'anthropic', model: 'claude-sonnet-5', apiKey: 'b' },
    ]);
  });

  test.each([
    [{ model: 'gpt-5' }, { ANTHROPIC_API_KEY: 'b' }, /--model gpt-5 needs OPENAI_API_KEY/],
    [{ model: 'claude-x' }, { OPENAI_API_KEY: 'a' }, /--model claude-x needs ANTHROPIC_API_KEY/],
    [{ modelUrl: 'http://localhost:1/v1' }, {}, /--model-url needs --model too/],
  ])('are refused in a sentence: %j', (request, environment, sentence) => {
    expect(() => planModels(request, environment)).toThrow(
      expect.objectContaining({ code: 'bad-flag', message: expect.stringMatching(sentence) }),
    );
  });
});
