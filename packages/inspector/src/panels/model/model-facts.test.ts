import { describe, expect, test } from 'vitest';
import { findClash, toContextRows, toHiddenTools, toSourceText } from './model-facts.js';

const app = { id: 'call-1', server: 'shop', name: 'Cart' };
const words = (text: string) => ({ content: [{ type: 'text' as const, text }] });
const message = (id: string, context: Parameters<typeof toContextRows>[0]['pendingContext']) => ({
  id,
  role: 'user' as const,
  parts: [],
  context,
});

describe('what the model is sent', () => {
  test('names the server of a tool, and the app with its version and server', () => {
    expect(toSourceText({ kind: 'server', server: 'shop', tool: 'buy' })).toBe('server shop');
    expect(
      toSourceText({
        kind: 'app',
        server: 'shop',
        session: 's',
        tool: 'pick',
        app: { name: 'Cart', version: '2' },
      }),
    ).toBe('app Cart 2, of server shop');
  });

  test('has of each app the last word alone', () => {
    const messages = [
      message('1', [{ app, context: words('one') }]),
      message('2', [{ app, context: words('two') }]),
    ];
    expect(toContextRows({ messages, pendingContext: [] })).toEqual([
      { app, context: words('two'), isPending: false },
    ]);
    expect(toContextRows({ messages, pendingContext: [{ app, context: words('three') }] })).toEqual([
      { app, context: words('three'), isPending: true },
    ]);
  });

  test('has nothing of an app that took its word back, once that was told', () => {
    const messages = [message('1', [{ app, context: words('one') }])];
    expect(toContextRows({ messages, pendingContext: [{ app }] })).toEqual([{ app, isPending: true }]);
    expect(toContextRows({ messages: [...messages, message('2', [{ app }])], pendingContext: [] })).toEqual(
      [],
    );
  });

  test('leaves out tools that are not for the model, and says for whom they are', () => {
    const inputSchema = { type: 'object' as const };
    const tools = [
      { name: 'both', inputSchema },
      { name: 'apps', inputSchema, _meta: { ui: { visibility: ['app'] } } },
      { name: 'nobody', inputSchema, _meta: { ui: { visibility: [] } } },
    ];
    const port = { name: 'shop', identity: 'i' };
    expect(toHiddenTools([{ port, tools } as unknown as Parameters<typeof toHiddenTools>[0][0]])).toEqual([
      { server: 'shop', name: 'apps', isForApps: true },
      { server: 'shop', name: 'nobody', isForApps: false },
    ]);
  });

  test('finds the clash behind a longer name', () => {
    const source = { kind: 'server', server: 'a', tool: 'buy' } as const;
    const clash = { tool: 'buy', offered: [{ source, name: 'a__buy' }] };
    expect(findClash('a__buy', [clash])).toBe(clash);
    expect(findClash('buy', [clash])).toBeUndefined();
  });
});
