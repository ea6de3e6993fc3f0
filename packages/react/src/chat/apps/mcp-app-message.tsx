import { McpApp } from '../../mcp-app.js';
import { useChat } from '../chat-host.js';
import type { McpAppItem, ToolPart } from '../core/parts.js';

/** The props of `<McpAppMessage>`. */
export interface McpAppMessageProps {
  readonly item: McpAppItem;
  /** The call the app is shown for; it is told the call's arguments and result (S5-48). */
  readonly call?: ToolPart;
}

/** An app as a part of a message, wherever it is shown now (S5-28). */
export const McpAppMessage = ({ item, call }: McpAppMessageProps) => {
  const { toServer, sandbox, appOptions } = useChat();
  const server = item.server === undefined ? undefined : toServer(item.server);
  if (!server) return <p role="alert">{item.fallback_text ?? item.title}</p>;
  return (
    <McpApp
      {...appOptions}
      server={server}
      sandbox={sandbox}
      name={item.title}
      {...(call?.tool ? { tool: call.tool } : {})}
      {...(item.resource_uri === undefined ? {} : { resourceUri: item.resource_uri })}
      {...(call?.input ? { toolInput: call.input } : {})}
      {...(call?.output ? { toolResult: call.output } : {})}
    />
  );
};
