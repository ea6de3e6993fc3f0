import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lintResult } from './lint-result.js';

const outputSchema = {
  type: 'object',
  properties: {
    days: { type: 'array', items: { type: 'object', properties: { high: { type: 'number' } } } },
  },
  required: ['days'],
};
const tool = { name: 'forecast', inputSchema: { type: 'object' }, outputSchema };
const content = [{ type: 'text', text: '21 degrees' }];
const structuredContent = { days: [{ high: 21 }] };

const codes = (result: unknown, of: unknown = tool): string[] =>
  lintResult({ tool: of, result }).map(({ code }) => code);

describe('the result of a call', () => {
  test('has no finding when it is as it should be', () => {
    expect(codes({ content, structuredContent })).toEqual([]);
    expect(codes({ content }, { name: 'plain' })).toEqual([]);
    expect(
      codes({ content: [{ type: 'image', data: '', mimeType: 'image/png' }] }, { name: 'plain' }),
    ).toEqual([]);
  });

  test.each([[{ content: [] }], [{}], [{ content: [{ type: 'text', text: ' \n' }] }]])(
    'says nothing to a model without content: %j',
    (result) => {
      const [finding] = lintResult({ tool: { name: 'plain' }, result });
      expect(finding).toMatchObject({ code: 'content-missing', stage: 'fed', path: 'content' });
      expect(finding?.message).toContain('the model reads nothing');
      expect(finding?.fix).toContain('"content": [{ "type": "text", "text": "…" }]');
    },
  );

  test('need not speak to a model that cannot call the tool', () => {
    expect(codes({ content: [] }, { name: 'poll', _meta: { ui: { visibility: ['app'] } } })).toEqual([]);
  });

  test('is named with the path where it is not as the outputSchema says', () => {
    const [finding] = lintResult({
      tool,
      result: { content, structuredContent: { days: [{ high: '21' }] } },
    });
    expect(finding?.code).toBe('output-schema-unmet');
    expect(finding?.path).toBe('structuredContent/"days"/"0"/"high"');
    expect(finding?.message).toContain('is of another type');
    expect(finding?.fix).toContain('#/"days"/"0"/"high"');
  });

  test('lacks what the outputSchema promises', () => {
    expect(codes({ content })).toEqual(['structured-content-missing']);
    expect(codes({ content, isError: true })).toEqual([]);
    expect(codes({ content, structuredContent: [1] })).toEqual(['structured-content-type']);
  });

  test('is not blamed for a schema that cannot be checked', () => {
    const elsewhere = { ...tool, outputSchema: { $ref: 'https://example.com/schema' } };
    expect(codes({ content, structuredContent: {} }, elsewhere)).toEqual([]);
  });

  test('of any shape throws nothing', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (one, other) => {
        expect(Array.isArray(lintResult({ tool: one, result: other }))).toBe(true);
        expect(
          Array.isArray(lintResult({ tool: { outputSchema: one }, result: { structuredContent: other } })),
        ).toBe(true);
      }),
    );
  });
});
