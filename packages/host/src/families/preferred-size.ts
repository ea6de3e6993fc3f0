import { isRecord } from '@casement/protocol';
import type { AppSize } from '../core/app-size.js';

/** The size an MCP-UI resource would like to begin with: CSS lengths or numbers; what is not in pixels is no wish. */
export const readPreferredSize = (item: unknown): AppSize | undefined => {
  const meta = isRecord(item) ? item._meta : undefined;
  const wish = isRecord(meta) ? meta['mcpui.dev/ui-preferred-frame-size'] : undefined;
  const [width, height] = (Array.isArray(wish) ? wish : isRecord(wish) ? [wish.width, wish.height] : []).map(
    toPixels,
  );
  if (width === undefined && height === undefined) return undefined;
  return { ...(width === undefined ? {} : { width }), ...(height === undefined ? {} : { height }) };
};

const toPixels = (length: unknown): number | undefined => {
  const text = typeof length === 'number' || typeof length === 'string' ? String(length).trim() : '';
  return /^\d{1,6}(?:\.\d+)?(?:px)?$/i.test(text) && Number.parseFloat(text) > 0
    ? Number.parseFloat(text)
    : undefined;
};
