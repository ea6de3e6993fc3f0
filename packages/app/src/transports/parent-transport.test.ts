import { afterEach, describe, expect, test, vi } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import { createGuest, type GuestPlan } from '../guest.test-support.js';
import { createTestHost, settle } from '../host.test-support.js';
import { App, AppError, ExtAppsAdapter } from '../index.js';

afterEach(() => void vi.unstubAllGlobals());

const enter = (plan?: GuestPlan) => {
  const guest = createGuest(plan);
  vi.stubGlobal('window', guest.window);
  vi.stubGlobal('document', guest.document);
  return { guest, host: createTestHost(guest.transport) };
};

const codeOf = (error: unknown): unknown => (error instanceof AppError ? error.code : error);

const info = { name: 'ours', version: '1.0.0' };
const ours = 'https://sandbox.example.com';
const input = { jsonrpc: '2.0', method: 'ui/notifications/tool-input', params: { arguments: { a: 1 } } };

/** An app that is connected, and what it hears. */
const connect = async (trustedOrigins?: readonly string[], timeoutMs?: number) => {
  const app = new App(info, {}, { trustedOrigins, timeoutMs });
  const heard: unknown[] = [];
  const errors: unknown[] = [];
  app.ontoolinput = ({ arguments: args }) => heard.push(args);
  app.onerror = (error) => errors.push(codeOf(error));
  const outcome = await app.connect().then(() => 'connected', codeOf);
  return { app, heard, errors, outcome };
};

describe.each([
  ['in a browser that names the parent', true],
  ['in a browser that does not', false],
])('%s', (_name, tellsAncestors) => {
  verifies(['S3-76', 'VIEW-001'], 'a trusted parent is spoken to by its exact origin', async () => {
    const { guest } = enter({ tellsAncestors });
    const { outcome } = await connect([ours]);
    expect(outcome).toBe('connected');
    expect(new Set(guest.posted.map(({ targetOrigin }) => targetOrigin))).toEqual(new Set([ours]));
  });

  test('of several trusted origins the parent’s is found, and then kept', async () => {
    const { guest } = enter({ tellsAncestors });
    const { app, heard, errors } = await connect(['https://other.example', ours]);
    guest.posted.length = 0;
    await app.log('info', 1);
    expect(guest.posted.map(({ targetOrigin }) => targetOrigin)).toEqual([ours]);
    guest.speak(input, { origin: 'https://other.example' });
    expect([heard, errors]).toEqual([[], ['wrong-origin']]);
  });

  test('a list with an opaque origin and another still means one parent, asked once', async () => {
    const { guest } = enter({ tellsAncestors });
    const { outcome } = await connect(['null', ours]);
    expect(outcome).toBe('connected');
    // Of an opaque origin only the window can be named; the answer tells which of the two it is.
    expect(guest.posted.map(({ targetOrigin }) => targetOrigin)).toEqual([tellsAncestors ? ours : '*', ours]);
  });

  verifies('S3-76', 'a parent that is not trusted learns nothing and is not heard', async () => {
    const { guest, host } = enter({ tellsAncestors, origin: 'https://evil.example' });
    const { outcome } = await connect([ours], 20);
    // Where the browser does not tell, the silence does.
    expect(outcome).toBe(tellsAncestors ? 'wrong-origin' : 'timeout');
    await settle();
    expect(host.heard).toEqual([]);
    expect(guest.posted.filter(({ targetOrigin }) => targetOrigin !== ours)).toEqual([]);
  });

  verifies(
    'S3-77',
    'without a list the first origin is kept, and only the parent window counts',
    async () => {
      const { guest } = enter({ tellsAncestors });
      const { heard, errors, outcome } = await connect();
      expect(outcome).toBe('connected');
      guest.speak(input, { source: {} });
      guest.speak(input, { source: null });
      guest.speak(input, { source: guest.window });
      expect([heard, errors]).toEqual([[], []]);
      guest.speak(input, { origin: 'https://evil.example' });
      expect([heard, errors]).toEqual([[], ['wrong-origin']]);
      guest.speak(input);
      expect(heard).toEqual([{ a: 1 }]);
    },
  );

  verifies('S3-77', 'a stranger who speaks first is not the host', async () => {
    const { guest } = enter({ tellsAncestors });
    const stranger = { source: {}, origin: 'https://evil.example' };
    const connecting = connect();
    guest.speak({ jsonrpc: '2.0', id: 1, result: { hostInfo: { name: 'evil', version: '1' } } }, stranger);
    const { app } = await connecting;
    expect(app.getHostVersion()?.name).toBe('test host');
  });
});

test('an opaque parent can be named by its window alone', async () => {
  const { guest } = enter({ origin: 'null' });
  expect((await connect(['null'])).outcome).toBe('connected');
  expect(new Set(guest.posted.map(({ targetOrigin }) => targetOrigin))).toEqual(new Set(['*']));
});

test('a page that nobody frames has no host', async () => {
  enter({ isFramed: false });
  expect((await connect()).outcome).toBe('no-host');
});

verifies(
  ['S3-70', 'S3-71'],
  'the adapter knows whether it is framed, and takes the list of origins',
  async () => {
    const options = { trustedOrigins: ['https://good.example'] };
    enter({ isFramed: false });
    expect(new ExtAppsAdapter({ options }).canHandle()).toBe(false);
    enter({ origin: 'https://evil.example' });
    const wary = new ExtAppsAdapter({ options });
    expect(wary.canHandle()).toBe(true);
    await expect(wary.callTool('echo')).rejects.toMatchObject({ code: 'not-connected' });
    await expect(wary.initialize()).rejects.toMatchObject({ code: 'wrong-origin' });
    await expect(wary.callTool('echo')).rejects.toMatchObject({ code: 'wrong-origin' });
    enter({ origin: 'https://good.example' });
    const adapter = new ExtAppsAdapter({ options });
    await adapter.initialize();
    expect(await adapter.callTool('echo', { a: 1 })).toMatchObject({ structuredContent: { a: 1 } });
  },
);
