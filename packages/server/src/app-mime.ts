import { LEGACY_MCP_APP_MIME, UI_EXTENSION_ID } from '@casement/protocol';
import { MCP_APP_MIME } from '@casement/protocol/start';
import { classifyAppMime } from '@casement/protocol/resource';

/** The media type of an app's HTML. */
export const RESOURCE_MIME_TYPE = MCP_APP_MIME;

/** The media type of a document for `window.openai`, which hosts of that family alone may insist on. */
export const OPENAI_MIME_TYPE = 'text/html+skybridge';

/** The flat key that links a tool to its app for hosts older than `_meta.ui.resourceUri`. */
export const RESOURCE_URI_META_KEY = 'ui/resourceUri';

/** The id under which a client says that it can show apps. */
export const EXTENSION_ID = UI_EXTENSION_ID;

/** The media type of an app: today's (`profile`), or the one of the first drafts (`standard`). */
export const getExtAppsMimeType = (variant: 'standard' | 'profile' = 'profile'): string =>
  variant === 'standard' ? LEGACY_MCP_APP_MIME : MCP_APP_MIME;

/** Whether a media type is one of an app, whatever its case, spaces or quotes. */
export const isExtAppsMimeType = (value: unknown): boolean =>
  ['mcp-apps', 'mcp-apps-legacy'].includes(classifyAppMime(value));

/** Whether a media type is that of a document for `window.openai`. */
export const isOpenAiMimeType = (value: unknown): boolean => classifyAppMime(value) === 'openai';
