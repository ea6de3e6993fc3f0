import type { McpAppItem } from '@casement/chat';
import { createFunctionPort } from '@casement/protocol/functions';
import type { ServerPort } from '@casement/protocol/ports';

/** The address of an item's document: its own, or one made of its id when the page brought the HTML alone. */
export const toItemUri = ({ resource_uri, resource_html, mcp_app_id }: McpAppItem): string | undefined =>
  resource_uri ??
  (resource_html === undefined ? undefined : `ui://casement-chat/${encodeURIComponent(mcp_app_id)}`);

/**
 * The port of an item's app. It is the port of its server, but HTML that is in the item is returned without a request
 * (S5-07). An item with HTML and no server gets a port that knows only this HTML. Undefined if the item has neither.
 */
export const toItemPort = (
  item: McpAppItem,
  server: ServerPort | undefined,
  pageName: string,
): ServerPort | undefined => {
  const { resource_html: html } = item;
  if (html === undefined) return server;
  const uri = toItemUri(item);
  const port = server ?? createFunctionPort({ name: pageName, identity: 'casement-chat-page' }, {});
  const readResource: ServerPort['readResource'] = (params, options) =>
    params.uri === uri
      ? Promise.resolve({ contents: [{ uri, mimeType: 'text/html;profile=mcp-app', text: html }] })
      : port.readResource(params, options);
  // A port may be any object, with a prototype or without; what it leaves out, an app is not offered.
  return new Proxy(port, {
    get(target, key) {
      const value: unknown = key === 'readResource' ? readResource : Reflect.get(target, key);
      return typeof value === 'function' && key !== 'readResource' ? value.bind(target) : value;
    },
  });
};
