import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const folder = fileURLToPath(new URL('..', import.meta.url));

/**
 * What a framework with server components does: on the server React has no hooks, and a module that begins with
 * 'use client' is only a name there, to be loaded in the browser.
 */
const loader = `
export const load = async (url, context, next) => {
  const loaded = await next(url, context);
  const text = String(loaded.source ?? '');
  if (!/^\\s*['"]use client['"]/.test(text)) return loaded;
  const names = [...text.matchAll(/^export (?:const|function) (\\w+)/gm)].map(([, name]) => name);
  const source = names.map((name) => 'export const ' + name + ' = { client: ' + JSON.stringify(name) + ' };');
  return { ...loaded, source: source.join(';') };
};`;
const framework = `
  const { register } = await import('node:module');
  register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(loader)}`)});`;

const importOnServer = async (script: string): Promise<unknown> => {
  const { stdout } = await run(
    process.execPath,
    ['--conditions=react-server', '--input-type=module', '-e', `${framework}\n${script}`],
    { cwd: folder },
  );
  return JSON.parse(stdout);
};

test('a server component can name every component, and use what needs no browser', async () => {
  const seen = await importOnServer(`
    const react = await import('react');
    const main = await import('@casement/react');
    const compat = await import('@casement/react/compat');
    const chat = await import('@casement/react/chat');
    const core = await import('@casement/chat');
    const basics = await import('@casement/protocol/basics');
    const meta = { ui: { resourceUri: 'ui://a/b' } };
    console.log(JSON.stringify({
      hooks: 'useState' in react.default,
      client: [main.McpApp, main.useMcpApp, compat.McpHostProvider, compat.MCPAppsRenderer, chat.ChatShell, chat.ToolCard],
      uri: basics.getUIResourceUri(basics.detectUIType(meta, undefined), meta),
      parsed: core.parseMcpAppItem({ response_type: 'mcp_app' }).ok,
      status: core.createConversation({ model: core.createScriptedModel() }).getSnapshot().status,
    }));
  `);
  expect(seen).toEqual({
    hooks: false,
    client: ['McpApp', 'useMcpApp', 'McpHostProvider', 'MCPAppsRenderer', 'ChatShell', 'ToolCard'].map(
      (name) => ({
        client: name,
      }),
    ),
    uri: 'ui://a/b',
    parsed: false,
    status: 'idle',
  });
});
