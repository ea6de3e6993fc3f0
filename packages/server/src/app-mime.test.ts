import { MCP_APP_MIME } from '@casement/protocol/start';
import { readToolUi } from '@casement/protocol/resource';
import { expect } from 'vitest';
import { verifies } from '../../../test/verifies.js';
import { RESOURCE_MIME_TYPE, RESOURCE_URI_META_KEY } from './index.js';

verifies('S4-02', 'RESOURCE_URI_META_KEY is the key under which a link is found', () => {
  expect(readToolUi({ _meta: { [RESOURCE_URI_META_KEY]: 'ui://a/b' } }).resourceUri).toBe('ui://a/b');
});

verifies('S4-05', 'RESOURCE_MIME_TYPE is the media type of an app', () => {
  expect(RESOURCE_MIME_TYPE).toBe('text/html;profile=mcp-app');
  expect(RESOURCE_MIME_TYPE).toBe(MCP_APP_MIME);
});
