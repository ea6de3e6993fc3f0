import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { createConversation, createScriptedModel } from '@casement/chat';
import { ChatShell } from '../index.js';

test('on a server a chat is its messages, tiles and empty places; no app is started', () => {
  const conversation = createConversation({ model: createScriptedModel() });
  const base = { response_type: 'mcp_app', resource_html: '<p>', title: 'Notes \u202eon' } as const;
  conversation.addItem({ ...base, mcp_app_id: 'a', display_mode: 'pip' });
  conversation.addItem({ ...base, mcp_app_id: 'b' });
  expect(typeof window).toBe('undefined');
  const html = renderToString(
    createElement(ChatShell, { conversation, servers: [], sandbox: { base: 'https://apps.example.net' } }),
  );
  conversation.close();
  expect(html).toContain('data-mcp-app-id="a" data-shown="tile"');
  expect(html).toContain('data-mcp-app-id="b" data-shown="inline"');
  expect(html).toContain('Open Notes');
  expect(html).not.toContain('data-app-status');
  // Characters that turn text around are shown, not obeyed.
  expect(html).toContain('<strong>Notes \\u{202e}on</strong>');
});
