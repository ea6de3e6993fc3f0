import { expect, test } from 'vitest';
import { parseServerConfigs, startGateway } from '../index.js';
import { createFolder, createPageFolder, stdio } from '../gateway.test-support.js';

test('files of Claude, Cursor and VS Code are read', () => {
  const local = { command: 'node', args: ['server.js'], env: { A: '1', B: 2 }, cwd: '/srv' };
  const remote = { url: 'https://example.com/mcp', headers: { Authorization: 'Bearer x' } };
  const expected = [
    {
      name: 'local',
      kind: 'stdio',
      command: 'node',
      args: ['server.js'],
      env: { A: '1', B: '2' },
      cwd: '/srv',
      inheritEnv: false,
    },
    { name: 'remote', kind: 'http', url: 'https://example.com/mcp', headers: { Authorization: 'Bearer x' } },
  ];
  const servers = { local, remote };
  expect(parseServerConfigs({ mcpServers: servers }, 'mcp.json')).toEqual(expected);
  const typed = { local: { type: 'stdio', ...local }, remote: { type: 'http', ...remote } };
  expect(parseServerConfigs({ servers: typed, inputs: [] }, 'mcp.json')).toEqual(expected);
  expect(parseServerConfigs({ mcp: { servers: typed } }, 'settings.json')).toEqual(expected);
  expect(parseServerConfigs({ mcpServers: { a: { command: 'x' } } }, 'mcp.json')).toMatchObject([
    { args: [] },
  ]);
  expect(parseServerConfigs({ mcpServers: { off: { command: 'x', disabled: true } } }, 'mcp.json')).toEqual(
    [],
  );
});

test('what is wrong is named, with the entry it is in', () => {
  const wrong: [unknown, RegExp][] = [
    [null, /mcp\.json has no "mcpServers"/],
    [{ mcpServers: [] }, /mcp\.json has no "mcpServers"/],
    [{ mcpServers: { bad: 7 } }, /"bad" is not an object/],
    [{ mcpServers: { bad: {} } }, /"bad" has neither "command" nor "url"/],
    [{ mcpServers: { bad: { command: ['x'] } } }, /"bad" has "command"/],
    [{ mcpServers: { bad: { command: '  ' } } }, /"bad" has an empty command/],
    [{ mcpServers: { bad: { command: 'x', args: 'y' } } }, /"bad" has "args"/],
    [{ mcpServers: { bad: { command: 'x', args: ['a\nb'] } } }, /"bad" has a control character/],
    [{ mcpServers: { bad: { command: 'x\0' } } }, /"bad" has a control character/],
    [{ mcpServers: { bad: { command: 'x', env: { 'A=B': '1' } } } }, /"bad" has an environment entry/],
    [{ mcpServers: { bad: { command: 'x', env: { A: null } } } }, /"bad" has "env" entries/],
    [{ mcpServers: { bad: { url: 'not a url' } } }, /"bad" has an address/],
    [{ mcpServers: { bad: { url: 'file:///etc/passwd' } } }, /"bad" has an address that is neither/],
    [{ mcpServers: { bad: { url: 'http://u:p@host/' } } }, /"bad" has a user name/],
    [{ mcpServers: { bad: { url: 'http://h/', type: 'ws' } } }, /"bad" has an address but says type "ws"/],
    [
      { mcpServers: { bad: { url: 'http://h/', headers: { 'X-A': 'b\r\nHost: evil' } } } },
      /"bad" has a header/,
    ],
    [{ mcpServers: { bad: { url: 'http://h/', headers: { Host: 'evil' } } } }, /"bad" has a header/],
    [
      { mcpServers: { bad: { url: 'http://h/', headers: { 'Transfer-Encoding': 'chunked' } } } },
      /"bad" has a header/,
    ],
  ];
  for (const [json, message] of wrong) {
    expect(() => parseServerConfigs(json, 'mcp.json')).toThrow(
      expect.objectContaining({ code: 'config-invalid', message: expect.stringMatching(message) }),
    );
  }
});

test('two servers of one name are refused before anything starts', async () => {
  const starting = startGateway({
    port: 0,
    pageDir: createPageFolder(),
    stateDir: createFolder(),
    servers: [stdio('a'), stdio('a')],
  });
  await expect(starting).rejects.toMatchObject({
    code: 'config-invalid',
    message: expect.stringContaining('"a"'),
  });
});
