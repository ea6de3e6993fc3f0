export { MCP_APP_MIME as RESOURCE_MIME_TYPE } from '@casement/protocol';
