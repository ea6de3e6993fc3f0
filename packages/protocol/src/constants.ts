/** The protocol version of the stable MCP Apps text; the only one official apps and hosts accept. */
export const LATEST_PROTOCOL_VERSION = '2026-01-26';

/** The extension id under which a client advertises MCP Apps to a server. */
export const UI_EXTENSION_ID = 'io.modelcontextprotocol/ui';

/** The media type of an MCP App. */
export const MCP_APP_MIME = 'text/html;profile=mcp-app';

/** The media type the first drafts used for the same thing. */
export const LEGACY_MCP_APP_MIME = 'text/html+mcp';
