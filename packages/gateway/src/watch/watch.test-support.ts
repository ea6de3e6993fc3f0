import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { api, createFolder, openEvents, start } from '../gateway.test-support.js';
import type { GatewayEvent, RunningGateway } from '../index.js';

const source = readFileSync(join(import.meta.dirname, '../../test-fixtures/saved-server.mjs'), 'utf8');

/** The program of the server, of some version. */
export const toProgram = (version: string): string => source.replace("'one'", `'${version}'`);

/** The address of the server's app. */
export const uri = 'ui://saved/app';

export type ChangeEvent = Extract<GatewayEvent, { type: 'watch-change' }>;

/** A server in a folder of its own that a gateway watches, and what the gateway tells of it. */
export const startWatched = async (flags: string[] = [], files: Record<string, string> = {}) => {
  const folder = createFolder();
  const save = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  save('app.html', '<p>one</p>');
  save('server.mjs', toProgram('one'));
  for (const [name, text] of Object.entries(files)) save(name, text);
  const gateway = await start({
    servers: [
      {
        name: 'a',
        kind: 'stdio',
        command: process.execPath,
        args: [join(folder, 'server.mjs'), ...flags],
        inheritEnv: false,
      },
    ],
  });
  const { events, until } = await openEvents(gateway, 'watching-page');
  const changes = (): ChangeEvent['change'][] =>
    events.flatMap((event) => (event.type === 'watch-change' ? [event.change] : []));
  await api(gateway, '/servers/a/watch', { on: true });
  return {
    folder,
    save,
    gateway,
    events,
    until,
    changes,
    /** Waits for the end of a change after those that were seen before. */
    untilDealt: async (known: number): Promise<ChangeEvent['change']> => {
      const isDealt = ({ step }: ChangeEvent['change']): boolean => step !== 'seen';
      await until(() => changes().filter(isDealt).length > known);
      const [next] = changes().filter(isDealt).slice(known);
      if (!next) throw new Error('There is no such change.');
      return next;
    },
  };
};

/** Reads the server's app as a page does. */
export const readApp = async (gateway: RunningGateway): Promise<string> => {
  const { body } = await api(gateway, '/servers/a/resources/read', { uri, caller: 'user' });
  return JSON.stringify(body);
};

/** The version that the running server says it is. */
export const versionOf = (gateway: RunningGateway): string | undefined =>
  gateway.servers()[0]?.serverInfo?.version;
