import type { AppFamily } from '@casement/protocol';
import { isRecord } from '@casement/protocol';
import type { AppOptions } from './session-options.js';

/** What the loaders of the two older families are told in the context besides; an MCP App is told nothing of it. */
export const toFamilyContext = (
  family: AppFamily | undefined,
  { view, widgetState, embedded }: Pick<AppOptions, 'view' | 'widgetState' | 'embedded'>,
  kept: unknown,
): Readonly<Record<string, unknown>> => {
  if (family === 'openai') {
    const state = kept === undefined ? widgetState : kept;
    return {
      ...(state === undefined ? {} : { 'casement/widgetState': state }),
      ...(view ? { 'casement/view': view } : {}),
    };
  }
  const data = family === 'mcp-ui' ? readRenderData(embedded) : undefined;
  return data ? { 'casement/renderData': data } : {};
};

const readRenderData = (embedded: unknown): Record<string, unknown> | undefined => {
  const resource = isRecord(embedded) ? embedded.resource : undefined;
  const meta = isRecord(resource) ? resource._meta : undefined;
  const data = isRecord(meta) ? meta['mcpui.dev/ui-initial-render-data'] : undefined;
  return isRecord(data) ? data : undefined;
};
