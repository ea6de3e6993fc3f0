import { describe, expect, test } from 'vitest';
import { CasementError } from './errors.js';
import { toWireError } from './index.js';
import { wireCodes } from './wire/wire-errors.js';
import { errorCodes } from './errors.js';

test('the list of codes has no doubles', () => {
  expect(new Set(errorCodes).size).toBe(errorCodes.length);
});

test('an error leaves the process without stack and cause', () => {
  const error = new CasementError('resource-mime', 'Wrong type.', {
    step: 'resource',
    hint: 'Fix it.',
    cause: new Error('secret'),
  });
  expect(error).toBeInstanceOf(Error);
  expect(error.cause).toBeInstanceOf(Error);
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    code: 'resource-mime',
    message: 'Wrong type.',
    step: 'resource',
    hint: 'Fix it.',
  });
});

describe('toWireError', () => {
  test.each([
    ['invalid-message', wireCodes.invalidRequest],
    ['invalid-params', wireCodes.invalidParams],
    ['method-not-found', wireCodes.methodNotFound],
    ['peer-timeout', wireCodes.timedOut],
    ['tool-not-visible', wireCodes.refused],
    ['link-denied', wireCodes.refused],
    ['server-exited', wireCodes.refused],
    ['tool-failed', wireCodes.refused],
    ['server-timeout', wireCodes.refused],
    ['resource-missing', wireCodes.refused],
  ] as const)('%s becomes %d with its own words', (code, number) => {
    expect(toWireError(new CasementError(code, 'Words.', { hint: 'Hint.' }))).toEqual({
      code: number,
      message: 'Words.',
      data: { code, hint: 'Hint.' },
    });
  });

  test.each([
    ['a foreign error', new TypeError('/home/someone/secret.ts')],
    ['a string', 'secret'],
    ['nothing', undefined],
    ['an error about this machine', new CasementError('config-unreadable', '/home/someone/mcp.json')],
    ['an internal error', new CasementError('internal', 'secret')],
  ])('%s becomes fixed text', (_name, error) => {
    expect(toWireError(error)).toEqual({ code: wireCodes.internal, message: 'Internal error' });
  });

  test("the server's own error keeps its number", () => {
    const wire = { code: -32042, message: 'Sign in first.', data: { url: 'https://example.com' } };
    expect(toWireError(new CasementError('peer-error', 'Sign in first.', { wire }))).toEqual(wire);
  });
});
