import type { AppFamily } from '@casement/protocol';
import { isRecord } from '@casement/protocol/start';
import type { SessionOptions } from '../session-options.js';

/** What the loaders of the two older families are told in the context besides; an MCP App is told nothing of it. */
export const toFamilyContext = (
  family: AppFamily | undefined,
  { widgetView, widgetState, embedded }: Pick<SessionOptions, 'widgetView' | 'widgetState' | 'embedded'>,
  kept: unknown,
): Readonly<Record<string, unknown>> => {
  if (family === 'openai') {
    const state = kept === undefined ? widgetState : kept;
    return {
      ...(state === undefined ? {} : toStateContext(state)),
      ...(widgetView ? { 'casement/view': widgetView } : {}),
    };
  }
  const data = family === 'mcp-ui' && isRecord(embedded) ? readRenderData(embedded.resource) : undefined;
  return data ? { 'casement/renderData': data } : {};
};

/** The state of a widget, under the name its loader knows. */
export const toStateContext = (state: unknown): Readonly<Record<string, unknown>> => ({
  'casement/widgetState': state,
});

/** The data an MCP-UI resource brings along for its app to begin with. */
export const readRenderData = (resource: unknown): Record<string, unknown> | undefined => {
  const meta = isRecord(resource) ? resource._meta : undefined;
  const data = isRecord(meta) ? meta['mcpui.dev/ui-initial-render-data'] : undefined;
  return isRecord(data) ? data : undefined;
};
