import { describe, expect, test } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import { createExtAppsMessageHandler, type ExtAppsHostCapabilities } from './index.js';
import { ask, createContext, requests, type Fields } from './widget.test-support.js';

describe('the gates', () => {
  verifies(
    ['S3-07', 'S3-08', 'S3-09', 'S3-10', 'S3-11', 'S3-12', 'S3-13', 'S3-14', 'S3-47', 'S3-48'],
    'hold for every mix of capabilities and callbacks: a request passes when both are there, else is -32003',
    async () => {
      const flags = ['serverToolProxy', 'openLink', 'modelContextUpdate', 'widgetTools', 'logging'] as const;
      const optional = [
        'updateModelContext',
        'openLink',
        'setDisplayMode',
        'close',
        'registerTool',
        'unregisterTool',
      ] as const;
      const modeLists = [undefined, [], ['inline'], ['inline', 'fullscreen', 'pip']] as const;
      let seen = 0;
      for (let mix = 0; mix < 2 ** flags.length; mix += 1) {
        for (let given = 0; given < 2 ** optional.length; given += 1) {
          const modes = modeLists[(mix + given) % modeLists.length];
          const hostCapabilities: ExtAppsHostCapabilities = {
            ...Object.fromEntries(flags.map((flag, bit) => [flag, (mix & (1 << bit)) > 0])),
            ...(modes && { displayModes: modes }),
          };
          const { context, calls } = createContext(
            Object.fromEntries(
              optional.filter((_, bit) => (given & (1 << bit)) === 0).map((name) => [name, undefined]),
            ),
          );
          const handler = createExtAppsMessageHandler({ context, hostCapabilities });
          for (const { method, params, called, capability, callback } of requests) {
            calls.length = 0;
            const answer = await handler.handleRequest(ask(method, params));
            const passes =
              (capability === undefined || hostCapabilities[capability] === true) &&
              (callback === undefined || context[callback] !== undefined) &&
              (callback !== 'setDisplayMode' || !modes || modes.some((mode) => mode === params['mode']));
            const told = passes ? { result: expect.anything() } : { error: { code: -32003 } };
            // Comparing costs more than handling: only what differs is looked at in full.
            const isAsTold = passes
              ? 'result' in (answer ?? {})
              : answer && 'error' in answer && answer.error.code === -32003;
            if (!isAsTold)
              expect(answer, `${method} of ${JSON.stringify(hostCapabilities)}`).toMatchObject(told);
            if (calls.length !== (passes && called ? 1 : 0))
              expect(calls, method).toEqual(passes && called ? [called] : []);
            seen += 1;
          }
        }
      }
      expect(seen).toBe(2 ** 11 * requests.length);
    },
    60_000,
  );

  test('are read from the specification’s names too, and from nothing that only looks like yes', async () => {
    const outcome = async (hostCapabilities: object, method: string, params: Fields) => {
      const handler = createExtAppsMessageHandler({ context: createContext().context, hostCapabilities });
      const answer = await handler.handleRequest(ask(method, params));
      return answer && 'error' in answer ? answer.error.code : 'done';
    };
    const call = { name: 'weather' };
    expect(await outcome({ serverTools: {} }, 'tools/call', call)).toBe('done');
    expect(await outcome({ openLinks: {} }, 'ui/openLink', { url: 'https://a.example' })).toBe('done');
    expect(await outcome({ updateModelContext: {} }, 'ui/update-model-context', {})).toBe('done');
    for (const value of ['true', 1, null, [], undefined]) {
      expect(await outcome({ serverToolProxy: value }, 'tools/call', call)).toBe(-32003);
    }
    expect(await outcome(Object.create({ serverToolProxy: true }), 'tools/call', call)).toBe(-32003);
  });
});
