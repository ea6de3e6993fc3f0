import type * as Protocol from '@casement/protocol';
import { LATEST_PROTOCOL_VERSION as hostVersion } from '@casement/protocol/basics';
import { expect, expectTypeOf, test } from 'vitest';
import { LATEST_PROTOCOL_VERSION } from '../index.js';
import type * as App from './types.js';
import { createElement, type ReactNode } from 'react';
import { toError } from './errors.js';
import type { useApp, useCallTool } from '../react/index.js';

type UseAppState = ReturnType<typeof useApp>;
type CallToolState = ReturnType<typeof useCallTool>;

/** Each fits where the other is wanted. */
type Alike<A, B> = [A] extends [B] ? ([B] extends [A] ? true : 'ours does not fit') : 'theirs does not fit';

test('what the hooks call an error is one, and fits into JSX', () => {
  expectTypeOf<UseAppState['error']>().toEqualTypeOf<Error | undefined>();
  expectTypeOf<CallToolState['error']>().toEqualTypeOf<Error | undefined>();
  const draw = ({ error }: Pick<UseAppState, 'error'>): ReactNode =>
    error && createElement('p', {}, error.message);
  expect(draw({ error: undefined })).toBeUndefined();
  expect(toError('thrown')).toEqual(new Error('thrown'));
  expect(toError({ toString: () => 'odd' }).message).toBe('odd');
});

test('the types an app sees are those our host speaks, though written down twice', () => {
  expectTypeOf<Alike<Protocol.Implementation, App.Implementation>>().toEqualTypeOf<true>();
  expectTypeOf<Alike<Protocol.HostCapabilities, App.HostCapabilities>>().toEqualTypeOf<true>();
  expectTypeOf<Alike<Protocol.AppCapabilities, App.AppCapabilities>>().toEqualTypeOf<true>();
  expectTypeOf<Alike<Protocol.ContentBlock, App.ContentBlock>>().toEqualTypeOf<true>();
  expectTypeOf<Alike<Protocol.CallToolResult, App.CallToolResult>>().toEqualTypeOf<true>();
  expectTypeOf<Alike<Protocol.Tool, App.Tool>>().toEqualTypeOf<true>();
  expectTypeOf<Alike<Protocol.ResourceContents, App.ResourceContents>>().toEqualTypeOf<true>();
  expectTypeOf<Alike<Protocol.ResourceListing, App.ResourceListing>>().toEqualTypeOf<true>();
  expectTypeOf<
    Alike<Protocol.ResultOf<'sampling/createMessage'>, App.CreateMessageResult>
  >().toEqualTypeOf<true>();
  expectTypeOf<
    Alike<Protocol.ParamsOf<'notifications/message'>['level'], App.LogLevel>
  >().toEqualTypeOf<true>();
  expectTypeOf<Alike<Protocol.DisplayMode, App.DisplayMode>>().toEqualTypeOf<true>();
  // Without the names of the style variables, which an app takes as they come.
  type Plain<C extends { styles?: unknown }> = Omit<C, 'styles'>;
  expectTypeOf<Alike<Plain<Protocol.HostContext>, Plain<App.HostContext>>>().toEqualTypeOf<true>();
  expectTypeOf<Protocol.HostContext>().toExtend<App.HostContext>();
  expectTypeOf<Protocol.ParamsOf<'sampling/createMessage'>>().toExtend<
    Omit<App.CreateMessageParams, 'tools'>
  >();
  expect(LATEST_PROTOCOL_VERSION).toBe(hostVersion);
});
