import { isRecord, readOwn } from '../is-record.js';
import type { Dialect } from './aliases.js';

type Fields = Record<string, unknown>;
type Shown = ReadonlySet<Dialect>;

const speaks = (shown: Shown, ...dialects: readonly Dialect[]): boolean =>
  dialects.some((dialect) => shown.has(dialect));

/** Older apps know their room as `viewport` with both sides; official apps let unknown context keys pass. */
const toOldContext = (context: Fields, shown: Shown): Fields => {
  const room = readOwn(context, 'containerDimensions');
  const zone = readOwn(context, 'timeZone');
  const width = readOwn(room, 'width') ?? readOwn(room, 'maxWidth');
  const height = readOwn(room, 'height') ?? readOwn(room, 'maxHeight');
  const viewport = {
    ...(isRecord(room) ? room : {}),
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
  };
  return {
    ...context,
    ...(isRecord(room) && speaks(shown, 'first-draft', 'goose', 'frontmcp') ? { viewport } : {}),
    ...(zone !== undefined && speaks(shown, 'frontmcp') ? { timezone: zone } : {}),
  };
};

/** FrontMCP asks its host for booleans before it calls anything, the architecture page for tools and resources; official apps drop such keys. */
const toOldCapabilities = (capabilities: Fields, context: Fields, shown: Shown): Fields => {
  const has = (key: string): boolean => readOwn(capabilities, key) !== undefined;
  return {
    ...capabilities,
    ...(speaks(shown, 'frontmcp')
      ? {
          serverToolProxy: has('serverTools'),
          openLink: has('openLinks'),
          modelContextUpdate: has('updateModelContext'),
          widgetTools: true,
          displayModes: readOwn(context, 'availableDisplayModes') ?? ['inline'],
        }
      : {}),
    ...(speaks(shown, 'architecture-page') && has('serverTools') ? { tools: {} } : {}),
    ...(speaks(shown, 'architecture-page') && has('serverResources') ? { resources: {} } : {}),
  };
};

/** The answer to ui/initialize with the fields older apps look for beside today's. */
export const toOldInitializeResult = (result: Fields, shown: Shown): Fields => {
  const { hostCapabilities, hostContext } = result;
  if (!isRecord(hostContext) || !isRecord(hostCapabilities)) return result;
  return {
    ...result,
    hostCapabilities: toOldCapabilities(hostCapabilities, hostContext, shown),
    hostContext: toOldContext(hostContext, shown),
  };
};

/** Parameters of a notification with the fields older apps look for beside today's. */
export const toOldParams = (
  method: string,
  params: Fields,
  shown: Shown,
  toolName: string | undefined,
): Fields => {
  const named = toolName === undefined ? {} : { toolName };
  switch (method) {
    case 'ui/notifications/host-context-changed':
      return toOldContext(params, shown);
    case 'ui/notifications/tool-input':
    case 'ui/notifications/tool-input-partial':
      return speaks(shown, 'goose') ? { ...params, ...named } : params;
    case 'ui/notifications/tool-result':
      return speaks(shown, 'goose') ? { ...params, ...named, result: params } : params;
    default:
      return params;
  }
};
