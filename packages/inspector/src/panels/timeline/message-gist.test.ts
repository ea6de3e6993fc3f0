import { expect, test } from 'vitest';
import { toGist } from './message-gist.js';

const info = { name: 'weather', version: '1.0.0' };

test('a greeting names the program and the revision, and leaves out what is not there', () => {
  const greet = (params: object) => toGist({ jsonrpc: '2.0', id: 1, method: 'ui/initialize', params }).text;
  expect(greet({ appInfo: info, protocolVersion: '2026-01-26' })).toBe('weather 1.0.0, 2026-01-26');
  expect(greet({ appInfo: info })).toBe('weather 1.0.0');
  expect(greet({ protocolVersion: '2026-01-26' })).toBe('2026-01-26');
});

test('the reply to a greeting names the host', () => {
  const result = { hostInfo: info, protocolVersion: '2026-01-26', hostCapabilities: {}, hostContext: {} };
  expect(toGist({ jsonrpc: '2.0', id: 1, result }).text).toBe('weather 1.0.0, 2026-01-26');
});
