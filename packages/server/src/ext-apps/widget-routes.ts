import type { HostContext, Implementation } from '@casement/protocol';
import { LATEST_PROTOCOL_VERSION } from '@casement/protocol/basics';
import { displayModes } from '@casement/protocol/start';
import { ExtAppsNotSupportedError } from './ext-apps-errors.js';
import type { ExtAppsCall, ExtAppsHandlerContext } from './ext-apps-types.js';
import { assertGates, toAdvertised, type HostGates } from './host-gates.js';
import {
  checkSpecParams,
  readFields,
  readFlag,
  readLink,
  readLogMethod,
  readMode,
  readOptionalText,
  readPresent,
  readText,
} from './read-params.js';
import { checkToolResult, toCallToolResult, toToolError } from './tool-outcome.js';

type Fields = Record<string, unknown>;

/** One thing a widget may send: gates first, then its parameters, only then the callback. */
export interface WidgetRoute {
  readonly kind: 'request' | 'notification';
  run(params: Fields, call: ExtAppsCall): unknown;
}

/** The host's name and the context that `ui/initialize` answers with. */
export interface WidgetSurroundings {
  readonly hostInfo: Implementation;
  readonly hostContext: HostContext;
}

/** Creates the routes of all messages by name; a Map, because a guest may ask for `constructor`. */
export const createWidgetRoutes = (
  context: ExtAppsHandlerContext,
  gates: HostGates,
  { hostInfo, hostContext }: WidgetSurroundings,
): ReadonlyMap<string, WidgetRoute> => {
  const initialize = (params: Fields): unknown => {
    checkSpecParams('ui/initialize', params);
    return {
      protocolVersion: LATEST_PROTOCOL_VERSION,
      hostInfo,
      hostCapabilities: toAdvertised(gates),
      hostContext: { ...(gates.modes && { availableDisplayModes: gates.modes }), ...hostContext },
    };
  };

  const callTool = async (params: Fields, call: ExtAppsCall): Promise<unknown> => {
    assertGates(gates.tools, context.callTool, 'tool calls');
    const name = readText(params, 'name');
    const args = readFields(params, 'arguments', true);
    try {
      return checkToolResult(await context.callTool(name, args, call), name);
    } catch (error) {
      throw toToolError(error, name);
    }
  };

  const tellModel = async (value: unknown, merge: boolean, call: ExtAppsCall): Promise<unknown> => {
    await context.updateModelContext?.(value, merge, call);
    return {};
  };
  const assertContextGates = (): void =>
    assertGates(gates.modelContext, context.updateModelContext, 'model context');

  const openLink = async (params: Fields, call: ExtAppsCall): Promise<unknown> => {
    assertGates(gates.links, context.openLink, 'opening links');
    await context.openLink?.(readLink(params), call);
    return {};
  };

  const setDisplayMode = async (params: Fields, call: ExtAppsCall): Promise<unknown> => {
    assertGates(true, context.setDisplayMode, 'display modes');
    const mode = readMode(params);
    if (gates.modes && !gates.modes.includes(mode)) {
      throw new ExtAppsNotSupportedError(`This host does not offer the display mode ${mode}.`);
    }
    const chosen: unknown = await context.setDisplayMode?.(mode, call);
    return { mode: displayModes.find((known) => known === chosen) ?? mode };
  };

  const close = async (params: Fields, call: ExtAppsCall): Promise<unknown> => {
    assertGates(true, context.close, 'closing');
    await context.close?.(readOptionalText(params, 'reason'), call);
    return {};
  };

  const log = (params: Fields, message: string, more: Fields): unknown => {
    const { sessionId } = context;
    context.logger[readLogMethod(params)](message, { sessionId, ...more });
    return {};
  };
  const assertLogGate = (): void => assertGates(gates.logging, context.logger, 'logging');

  const registerTool = async (params: Fields, call: ExtAppsCall): Promise<unknown> => {
    assertGates(gates.widgetTools, context.registerTool, 'tools of widgets');
    const name = readText(params, 'name');
    const description = readText(params, 'description');
    await context.registerTool?.(name, description, readFields(params, 'inputSchema'), call);
    return {};
  };

  const unregisterTool = async (params: Fields, call: ExtAppsCall): Promise<unknown> => {
    assertGates(gates.widgetTools, context.unregisterTool, 'tools of widgets');
    await context.unregisterTool?.(readText(params, 'name'), call);
    return {};
  };

  const request = (name: string, run: WidgetRoute['run']): [string, WidgetRoute] => [
    name,
    { kind: 'request', run },
  ];
  const notification = (name: string, run: WidgetRoute['run'] = () => ({})): [string, WidgetRoute] => [
    name,
    { kind: 'notification', run },
  ];

  return new Map([
    request('ui/initialize', initialize),
    request('ping', () => ({})),

    request('tools/call', async (params, call) => toCallToolResult(await callTool(params, call))),
    request('ui/callServerTool', callTool),

    request('ui/update-model-context', (params, call) => {
      assertContextGates();
      checkSpecParams('ui/update-model-context', params);
      return tellModel(params, false, call);
    }),
    request('ui/updateModelContext', (params, call) => {
      assertContextGates();
      const merge = readFlag(params, 'merge', true);
      return tellModel(readPresent(params, 'context'), merge, call);
    }),

    request('ui/open-link', openLink),
    request('ui/openLink', openLink),

    request('ui/request-display-mode', setDisplayMode),
    request('ui/setDisplayMode', setDisplayMode),

    notification('ui/notifications/request-teardown', close),
    request('ui/close', close),

    notification('notifications/message', (params) => {
      assertLogGate();
      checkSpecParams('notifications/message', params);
      const { data, logger } = params;
      return log(params, typeof data === 'string' ? data : 'widget', { data, logger });
    }),
    request('ui/log', (params) => {
      assertLogGate();
      return log(params, readText(params, 'message'), { data: params['data'] });
    }),

    request('ui/registerTool', registerTool),
    request('ui/unregisterTool', unregisterTool),

    notification('ui/notifications/initialized'),
    notification('ui/notifications/size-changed'),
    notification('notifications/tools/list_changed'),
    notification('notifications/progress'),
  ]);
};
