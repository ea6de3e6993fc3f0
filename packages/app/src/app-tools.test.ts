import { describe, expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.js';
import { openHost, settle } from './host.test-support.js';
import { App, AppError } from './index.js';
import type { StandardSchema } from './app-tools.js';

const info = { name: 'ours', version: '1.2.3' };
const side = { type: 'object' as const, properties: { side: { type: 'number' } }, required: ['side'] };

const connect = async (app: App) => {
  const { host, transport } = openHost();
  await app.connect(transport);
  await settle();
  return host;
};

const withSquare = () => {
  const app = new App(info);
  const tool = app.registerTool(
    'square',
    { description: 'Squares', inputSchema: side },
    ({ side: given }) => {
      const length = Number(given);
      if (length < 0) throw new Error('negative');
      return {
        content: [{ type: 'text', text: String(length ** 2) }],
        structuredContent: { area: length ** 2 },
      };
    },
  );
  return { app, tool };
};

describe('a tool of the app', () => {
  verifies(
    ['VIEW-021', 'VIEW-022', 'VIEW-025', 'S3-69'],
    'is announced, listed with its schema, and called by the host',
    async () => {
      const { app } = withSquare();
      const host = await connect(app);
      expect(host.paramsOf('ui/initialize')).toMatchObject([
        { appCapabilities: { tools: { listChanged: true } } },
      ]);
      expect(await host.peer.request('tools/list', {})).toEqual({
        tools: [{ name: 'square', description: 'Squares', inputSchema: side }],
      });
      expect(await host.peer.request('tools/call', { name: 'square', arguments: { side: 3 } })).toEqual({
        content: [{ type: 'text', text: '9' }],
        structuredContent: { area: 9 },
      });
      expect(host.invalid).toEqual([]);
    },
  );

  verifies('VIEW-023', 'is not run under another name or with other arguments', async () => {
    const { app } = withSquare();
    const host = await connect(app);
    const call = (name: string, args: Record<string, unknown>) =>
      host.peer.request('tools/call', { name, arguments: args });
    for (const [name, args] of [
      ['cube', { side: 1 }],
      ['constructor', {}],
      ['square', {}],
      ['square', { side: 'x' }],
    ] as const) {
      await expect(call(name, args), name).rejects.toMatchObject({ wire: { code: -32602 } });
    }
  });

  test('may have a Standard Schema, which checks and converts', async () => {
    const inputSchema: StandardSchema<{ at: Date }> = {
      '~standard': {
        validate: (value) => {
          const at = new Date(String((value as { at: unknown }).at)); // what the host sent
          return Number.isNaN(at.getTime()) ? { issues: [{ message: 'no date' }] } : { value: { at } };
        },
        jsonSchema: { input: () => ({ type: 'object', properties: { at: { type: 'string' } } }) },
      },
    };
    const app = new App(info);
    app.registerTool('year', { inputSchema }, ({ at }) => ({
      content: [{ type: 'text', text: String(at.getUTCFullYear()) }],
    }));
    const host = await connect(app);
    const year = (at: string) => host.peer.request('tools/call', { name: 'year', arguments: { at } });
    expect(await year('2026-01-26')).toMatchObject({ content: [{ text: '2026' }] });
    await expect(year('never')).rejects.toMatchObject({
      wire: { code: -32602, message: expect.stringContaining('no date') },
    });
    expect(await host.peer.request('tools/list', {})).toMatchObject({
      tools: [{ inputSchema: { properties: { at: { type: 'string' } } } }],
    });
  });

  verifies('VIEW-024', 'that fails says so in its result', async () => {
    const { app } = withSquare();
    const host = await connect(app);
    expect(await host.peer.request('tools/call', { name: 'square', arguments: { side: -1 } })).toEqual({
      content: [{ type: 'text', text: 'negative' }],
      isError: true,
    });
  });

  test('that returns nothing is answered all the same', async () => {
    const app = new App(info);
    const ran: unknown[] = [];
    // As a page without types may write it.
    app.registerTool('ring', {}, (() => void ran.push('rang')) as unknown as () => { content: [] });
    const host = await connect(app);
    expect(await host.peer.request('tools/call', { name: 'ring' }, { timeoutMs: 1000 })).toEqual({
      content: [],
    });
    expect(ran).toEqual(['rang']);
  });

  verifies(
    'VIEW-028',
    'sends only what satisfies its output schema; anything else is an error both ends can read',
    async () => {
      const asJson = {
        type: 'object',
        properties: { area: { type: 'number' } },
        required: ['area'],
      } as const;
      const asStandard: StandardSchema<{ area: number }> = {
        '~standard': {
          validate: async (value) => {
            const { area } = (value ?? {}) as { area?: unknown }; // whatever the tool returned
            return typeof area === 'number'
              ? { value: { area } }
              : { issues: [{ message: 'area must be a number' }] };
          },
          jsonSchema: { input: () => ({ type: 'object' }), output: () => asJson },
        },
      };
      for (const outputSchema of [asStandard, asJson]) {
        const app = new App(info);
        const errors: unknown[] = [];
        app.onerror = (error) => errors.push(error instanceof AppError ? error.code : error);
        app.registerTool('measure', { outputSchema }, ({ structuredContent, isError }) => ({
          content: [],
          // Whatever the test wishes, right or wrong.
          ...(structuredContent !== undefined && { structuredContent: structuredContent as object }),
          ...(isError === true && { isError }),
        }));
        const host = await connect(app);
        const measure = (args: Record<string, unknown>) =>
          host.peer.request('tools/call', { name: 'measure', arguments: args });
        expect((await host.peer.request('tools/list', {})).tools).toMatchObject([
          { outputSchema: { type: 'object', properties: { area: { type: 'number' } }, required: ['area'] } },
        ]);
        expect(await measure({ structuredContent: { area: 4 } })).toEqual({
          content: [],
          structuredContent: { area: 4 },
        });
        // A failure has nothing to show.
        expect(await measure({ isError: true })).toEqual({ content: [], isError: true });
        expect(errors).toEqual([]);
        for (const wrong of [undefined, {}, { area: 'large' }]) {
          await expect(measure({ structuredContent: wrong })).rejects.toMatchObject({
            wire: { code: -32603, message: expect.stringMatching(/^Invalid structuredContent: ./) },
          });
        }
        expect(errors).toEqual(['malformed', 'malformed', 'malformed']);
        expect(host.invalid).toEqual([]);
      }
    },
  );

  test('whose name another has taken does not take the other along when it goes', async () => {
    const { app, tool } = withSquare();
    app.registerTool('square', { description: 'Another' }, () => ({ content: [] }));
    tool.remove();
    const host = await connect(app);
    expect((await host.peer.request('tools/list', {})).tools).toMatchObject([{ description: 'Another' }]);
  });

  verifies(['VIEW-026', 'VIEW-027'], 'can come, change and go, and the host is told each time', async () => {
    const { app, tool } = withSquare();
    const host = await connect(app);
    const changes = () =>
      host.methods().filter((method) => method === 'notifications/tools/list_changed').length;
    const names = async () => (await host.peer.request('tools/list', {})).tools.map(({ name }) => name);
    expect(changes()).toBe(0);
    tool.disable();
    expect(await names()).toEqual([]);
    expect(tool.enabled).toBe(false);
    tool.enable();
    tool.update({ title: 'Square' });
    expect((await host.peer.request('tools/list', {})).tools[0]?.title).toBe('Square');
    app.registerTool('other', {}, () => ({ content: [] }));
    expect(await names()).toEqual(['square', 'other']);
    tool.remove();
    expect(app.unregisterTool('other')).toBe(true);
    expect(app.unregisterTool('other')).toBe(false);
    expect(await names()).toEqual([]);
    expect(changes()).toBe(6);
  });

  test('that comes too late to be announced is an error that says what to do', async () => {
    const app = new App(info);
    await connect(app);
    const late = () => app.registerTool('late', {}, () => ({ content: [] }));
    expect(late).toThrow(AppError);
    expect(late).toThrow('listChanged');
  });
});
