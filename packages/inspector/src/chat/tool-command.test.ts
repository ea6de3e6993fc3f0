import type { OfferedTool } from '@casement/chat';
import { expect, test } from 'vitest';
import { findOffered, toFirstPrompts, toToolCommand } from './tool-command.js';

const offer = (name: string, server: string, schema: object, hasApp = true): OfferedTool => ({
  name,
  tool: {
    name: name.replace(/^.*__/, ''),
    inputSchema: { type: 'object', ...schema },
    ...(hasApp ? { _meta: { ui: { resourceUri: `ui://${server}/${name}` } } } : {}),
  },
  source: { kind: 'server', server, tool: name.replace(/^.*__/, '') },
});

test('a command carries its arguments, if there are any', () => {
  expect(toToolCommand('show', {})).toBe('/show');
  expect(toToolCommand('show', { city: 'Ulm' })).toBe('/show {"city":"Ulm"}');
});

test('a tool is found by its server under the name the model has for it', () => {
  const offered = [offer('a__show', 'a', {}), offer('b__show', 'b', {})];
  expect(findOffered(offered, 'b', 'show')?.name).toBe('b__show');
  expect(findOffered(offered, 'c', 'show')).toBeUndefined();
});

test('the first messages are of tools with an app that need no arguments', () => {
  const offered = [
    offer('plain', 'a', {}, false),
    offer('needs', 'a', { required: ['city'] }),
    offer('one', 'a', {}),
    offer('two', 'a', { required: [] }),
    offer('three', 'a', {}),
    offer('four', 'a', {}),
  ];
  expect(toFirstPrompts(offered)).toEqual(['/one', '/two', '/three']);
});
