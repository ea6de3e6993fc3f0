import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { publishedScript } from './server-commands.js';

/** The published lazy-auth server, which speaks HTTP only. */
export interface LazyAuth {
  readonly url: string;
  stop(): Promise<void>;
}

// Its own entry listens on every interface; its app is the same.
const script = `
const { createApp } = await import(process.argv[1]);
const server = createApp().listen(0, '127.0.0.1', () => console.log('listening on ' + server.address().port));
`;

/** Starts it on a free port of this machine alone. */
export const startLazyAuth = async (): Promise<LazyAuth> => {
  const app = pathToFileURL(publishedScript('@modelcontextprotocol/server-lazy-auth', 'server.js')).href;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script, '--', app], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const port = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
      const [, found] = /listening on (\d+)/.exec(said) ?? [];
      if (found) resolve(found);
    });
    child.once('exit', () => reject(new Error(`the lazy-auth server ended: ${said}`)));
  });
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    stop: async () => {
      child.kill();
      await ended;
    },
  };
};
