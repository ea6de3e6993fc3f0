import type { AppSnapshot, MessageRequest, ServerPort } from '@casement/host';
import type { CallToolResult, DisplayMode, Tool } from '@casement/protocol';
import { isRecord } from '@casement/protocol/basics';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { askHandler } from './handler-port.js';
import type { McpAppProps } from './mcp-app.js';
import { McpApp } from './mcp-app.js';
import { useMcpHost } from './mcp-host.js';

/** How far a tool call is. */
export type ToolState = 'input-streaming' | 'input-available' | 'output-available' | 'output-error';

/** The props of `MCPAppsRenderer`. */
export interface MCPAppsRendererProps {
  readonly serverId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly toolState?: ToolState;
  readonly toolInput?: Record<string, unknown>;
  readonly toolOutput?: unknown;
  readonly resourceUri: string;
  /** The tool's `_meta`. */
  readonly toolMetadata?: Record<string, unknown>;
  /** The text an app wants said; it is the app's, so put it before the person rather than straight to a model. */
  onSendFollowUp?(text: string): void;
  /** Runs the tools the app calls, in place of the server's port; what an app may call is still the server's list. */
  onCallTool?(toolName: string, params: Record<string, unknown>): Promise<unknown>;
  /** The call whose app owns picture-in-picture. */
  readonly pipWidgetId?: string | null;
  onRequestPip?(toolCallId: string): void;
  onExitPip?(toolCallId: string): void;
}

// What the owner decides about picture-in-picture is in its next render.
const ownerMs = 100;

/** An app known by its server's id and its address; an `McpHostProvider` above has the sandbox and the servers. */
export function MCPAppsRenderer(props: MCPAppsRendererProps) {
  const { serverId, toolCallId, toolName, resourceUri, toolMetadata, pipWidgetId } = props;
  const host = useMcpHost();
  if (!host) throw new Error('MCPAppsRenderer needs an McpHostProvider above it.');
  const latest = useRef(props);
  useLayoutEffect(() => {
    latest.current = props;
  });
  const runsTools = props.onCallTool !== undefined;
  const server = useMemo(() => {
    const port = host.toServer(serverId);
    return runsTools ? withCalls(port, (name, params) => latest.current.onCallTool?.(name, params)) : port;
  }, [host, serverId, runsTools]);
  const [mode, setMode] = useState<DisplayMode>('inline');
  const isOwner = pipWidgetId === toolCallId;

  const onSnapshot = ({ displayMode }: AppSnapshot): void => {
    if (displayMode !== mode && mode === 'pip' && isOwner) props.onExitPip?.(toolCallId);
    setMode(displayMode);
  };
  const onDisplayMode: McpAppProps['onDisplayMode'] = async ({ mode: wanted, current }) => {
    if (wanted !== 'pip') return wanted;
    latest.current.onRequestPip?.(toolCallId);
    await new Promise((resolve) => setTimeout(resolve, ownerMs));
    return latest.current.pipWidgetId === toolCallId ? 'pip' : current;
  };
  const { Renderer = McpApp } = host;
  return (
    <Renderer
      sandbox={host.sandbox}
      server={server}
      // Name and metadata are all that is known; without an inputSchema the app is told of no tool.
      tool={{ name: toolName, _meta: toolMetadata } as Tool}
      resourceUri={resourceUri}
      title={`MCP App: ${toolName}`}
      inlineHeight={{ initial: 400, min: 320, max: 600 }}
      displayModes={props.onRequestPip ? ['inline', 'fullscreen', 'pip'] : ['inline', 'fullscreen']}
      displayMode={isOwner ? 'pip' : mode === 'pip' ? 'inline' : mode}
      onDisplayMode={onDisplayMode}
      onSnapshot={onSnapshot}
      {...(props.onSendFollowUp ? { onMessage: toFollowUp(props.onSendFollowUp) } : {})}
      {...toCall(props)}
    />
  );
}

const toFollowUp =
  (send: (text: string) => void) =>
  async ({ content }: MessageRequest) => {
    send(content.map((block) => (block.type === 'text' ? block.text : '')).join('\n'));
    return true;
  };

const toCall = ({ toolState, toolInput, toolOutput }: MCPAppsRendererProps): Partial<McpAppProps> => {
  if (toolState === 'input-streaming') return { toolInputPartial: toolInput };
  if (toolState === 'output-error')
    return { toolInput, toolResult: { ...toResult(toolOutput ?? 'The tool failed.'), isError: true } };
  const hasOutput = toolOutput !== undefined && (toolState ?? 'output-available') === 'output-available';
  return hasOutput ? { toolInput, toolResult: toResult(toolOutput) } : { toolInput };
};

/** A result as it is; anything else as text, and as data where it is some. */
const toResult = (output: unknown): CallToolResult => {
  // Checked again by the session before an app sees it.
  if (isRecord(output) && Array.isArray(output.content)) return output as CallToolResult;
  const text = typeof output === 'string' ? output : JSON.stringify(output);
  return { content: [{ type: 'text', text }], ...(isRecord(output) ? { structuredContent: output } : {}) };
};

/** The port with another way to run tools; everything else stays the server's. */
const withCalls = (
  port: ServerPort,
  run: (name: string, params: Record<string, unknown>) => unknown,
): ServerPort => {
  const callTool: ServerPort['callTool'] = ({ name, arguments: args = {} }) =>
    askHandler('content', () => run(name, args));
  return new Proxy(port, {
    get(target, key) {
      const value: unknown = key === 'callTool' ? callTool : Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
};
