import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import { afterEach, expect, test, vi } from 'vitest';
import { readChildEnvironment } from './child-process.js';

afterEach(() => vi.unstubAllEnvs());

test('a command of a file has the variables of the official client’s list, and those of its entry', () => {
  vi.stubEnv('SHELL', '() { :; }; echo a function that a shell would run');
  vi.stubEnv('TERM', 'xterm');
  vi.stubEnv('CASEMENT_OTHER', 'not for servers');
  const environment = readChildEnvironment({ inheritEnv: false, env: { OWN: '1' } });
  expect(environment).toEqual({ ...getDefaultEnvironment(), OWN: '1' });
  expect(environment).toMatchObject({ TERM: 'xterm', PATH: process.env.PATH });
  expect(environment).not.toHaveProperty('SHELL');
  expect(readChildEnvironment({ inheritEnv: true })).toMatchObject({ CASEMENT_OTHER: 'not for servers' });
});
