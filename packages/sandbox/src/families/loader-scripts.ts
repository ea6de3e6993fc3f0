import type { AppFamily } from '@casement/protocol';
import { mcpAppsLoaderScript } from '../generated/mcp-apps-loader.js';
import { mcpUiLoaderScript } from '../generated/mcp-ui-loader.js';
import { openaiLoaderScript } from '../generated/openai-loader.js';

/** The script of each family's loader. */
export const loaderScripts: Readonly<Record<AppFamily, string>> = {
  'mcp-apps': mcpAppsLoaderScript,
  openai: openaiLoaderScript,
  'mcp-ui': mcpUiLoaderScript,
};
