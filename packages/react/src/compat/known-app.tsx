import type { AppSnapshot, AskContext, MessageRequest } from '@casement/host';
import type { createFunctionPort } from '@casement/protocol/functions';
import type { ServerPort } from '@casement/protocol/ports';
import type { CallToolResult, DisplayMode, Tool } from '@casement/protocol';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { McpAppProps } from '../app/mcp-app.js';
import type { McpHost } from './mcp-host.js';

// What the owner decides about picture-in-picture is in its next render.
const ownerMs = 100;

/** How far a tool call is, in the words of the AI SDK; a call that nobody allowed is `output-denied`. */
type ToolState =
  | 'input-streaming'
  | 'input-available'
  | 'approval-requested'
  | 'approval-responded'
  | 'output-available'
  | 'output-error'
  | 'output-denied';

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
  /** The text an app wants said, after the person agreed in a dialog of the host; still the app's words, not theirs. */
  onSendFollowUp?(text: string): void;
  /** Runs the tools the app calls, in place of the server's port; what an app may call is still the server's list. */
  onCallTool?(toolName: string, params: Record<string, unknown>): Promise<unknown>;
  /** A widget of the OpenAI family wants its state kept; give it back as `widgetState` when the call is shown again. */
  onWidgetStateChange?(toolCallId: string, state: unknown): void;
  readonly widgetState?: unknown;
  /** The call whose app owns picture-in-picture. */
  readonly pipWidgetId?: string | null;
  onRequestPip?(toolCallId: string): void;
  onExitPip?(toolCallId: string): void;
}

/** Parts that are loaded before this code. They are passed as props so that the two bundles share no module. */
export interface KnownAppProps extends MCPAppsRendererProps {
  readonly host: McpHost;
  readonly Renderer: NonNullable<McpHost['Renderer']>;
  readonly toPort: typeof createFunctionPort;
}

/** What `MCPAppsRenderer` is once its code has come. */
export function KnownApp(props: KnownAppProps) {
  const { serverId, toolCallId, toolName, resourceUri, toolMetadata, pipWidgetId, host, toPort, Renderer } =
    props;
  const latest = useRef(props);
  useLayoutEffect(() => {
    latest.current = props;
  });
  const runsTools = props.onCallTool !== undefined;
  const server = useMemo(() => {
    const port = host.toServer(serverId);
    return runsTools ? withCalls(port, toPort, (...call) => latest.current.onCallTool?.(...call)) : port;
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
      widgetState={props.widgetState}
      onWidgetState={(state) => latest.current.onWidgetStateChange?.(toolCallId, state)}
      {...(host.words ? { words: host.words } : {})}
      {...(props.onSendFollowUp ? { onMessage: toFollowUp(props.onSendFollowUp, host.words) } : {})}
      {...toCall(props)}
    />
  );
}

/** Asks the person about exactly the text that is handed over; anything else in the message is not. */
const toFollowUp =
  (send: (text: string) => void, words: McpHost['words']) =>
  async (request: MessageRequest, options: AskContext) => {
    const content = request.content.filter((block) => block.type === 'text');
    if (content.length === 0) return false;
    const { createConsentDialogs } = await import('@casement/host/dialogs');
    const { onMessage } = createConsentDialogs(words ? { words } : {});
    const answer = await onMessage({ ...request, content }, options);
    if (answer === false || options.signal.aborted) return false;
    send(content.map(({ text }) => text).join('\n'));
    return answer;
  };

const toCall = ({ toolState, toolInput, toolOutput }: MCPAppsRendererProps): Partial<McpAppProps> => {
  if (toolState === 'input-streaming') return { toolInputPartial: toolInput };
  // There will be no result: the person, or whoever decides for them, said no.
  if (toolState === 'output-denied') return { toolInput, toolCancelled: 'The call was denied.' };
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
  toPort: typeof createFunctionPort,
  run: (name: string, params: Record<string, unknown>) => unknown,
): ServerPort => {
  const { callTool } = toPort(port, { callTool: ({ name, arguments: args = {} }) => run(name, args) });
  return new Proxy(port, {
    get(target, key) {
      const value: unknown = key === 'callTool' ? callTool : Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
