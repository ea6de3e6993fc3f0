import { createSandboxPolicy } from '@casement/sandbox';
import { toAppCsp } from '@casement/sandbox/address';
import { expect, test } from 'vitest';
import { toPolicyLine } from './policy-line.js';

test('the line about a policy is one line, in which every character is seen', () => {
  const proxyOrigin = 'https://sandbox.example.com';
  const { policy, dropped } = createSandboxPolicy({
    hostOrigin: 'https://chat.example.com',
    base: 'https://apps.example.com',
    server: 'c2VydmVy',
    resourceUri: 'ui://we\u202eather/\u001b[31mapp',
    family: 'mcp-apps',
    csp: { connectDomains: ['https://api.example.org'] },
    permissions: ['camera'],
    allowLoopback: false,
    denyOrigins: [],
  });
  const csp = toAppCsp(policy, { kind: 'origin', proxyOrigin });
  const line = toPolicyLine({ effective: policy, dropped, csp }, 'we\u200bather\nforged: line');
  expect(line).toMatch(/^MCP App ui:\/\/we\\u\{202e\}ather\/\\u\{1b\}\[31mapp of we\\u\{200b\}ather/);
  expect(line).toContain('permissions camera; policy default-src');
  expect(line).toContain('connect-src https://api.example.org');
  expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});
