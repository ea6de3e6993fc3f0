import type { AppFamily } from '@casement/protocol';
import { loaderScript } from './generated/loader.js';
import { mcpUiLoaderScript } from './generated/mcp-ui-loader.js';
import { openaiLoaderScript } from './generated/openai-loader.js';

/** The loader of each family: every one speaks MCP Apps to the host, whatever its app speaks. */
export const loaderScripts: Readonly<Record<AppFamily, string>> = {
  'mcp-apps': loaderScript,
  openai: openaiLoaderScript,
  'mcp-ui': mcpUiLoaderScript,
};

/** The family a text names, the one of today when it names none. */
export const toFamily = (name: unknown): AppFamily =>
  name === 'openai' || name === 'mcp-ui' ? name : 'mcp-apps';
