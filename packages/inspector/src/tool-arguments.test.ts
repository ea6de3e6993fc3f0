import { describe, expect, test } from 'vitest';
import { parseArguments, toInitialArguments } from './tool-arguments.js';

describe('the arguments', () => {
  test('begin with defaults and a blank for each required property', () => {
    expect(
      toInitialArguments({
        name: 't',
        inputSchema: {
          type: 'object',
          required: ['city', 'days', 'units', 'odd'],
          properties: {
            city: { type: 'string' },
            days: { type: 'integer' },
            units: { type: 'string', enum: ['metric', 'imperial'] },
            odd: { anyOf: [] },
            limit: { type: 'number', default: 5 },
            optional: { type: 'string' },
          },
        },
      }),
    ).toEqual({ city: '', days: 0, units: 'metric', odd: null, limit: 5 });
  });

  test('are an object or a sentence', () => {
    expect(parseArguments('  ')).toEqual({ ok: true, args: {} });
    expect(parseArguments('{"a":[1]}')).toEqual({ ok: true, args: { a: [1] } });
    expect(parseArguments('[1]')).toMatchObject({ ok: false });
    expect(parseArguments('{a')).toMatchObject({ ok: false, reason: expect.stringContaining('not JSON') });
  });
});
