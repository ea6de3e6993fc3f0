import type {
  CallToolResult,
  DisplayMode,
  EvidenceMode,
  HostContext,
  Implementation,
  ReadResourceResult,
  Recording,
  Tool,
  ToolCallPolicy,
} from '@casement/protocol';
import type { SessionLimits } from '../core/limits.js';
import type { ServerPort } from '@casement/protocol/ports';
import type { SandboxTarget } from '../core/session-options.js';
import type { MountAppOptions } from '../dom/mount-app-options.js';

/** How an app is drawn. */
type McpAppView = Pick<
  MountAppOptions,
  'chrome' | 'defaultStyles' | 'fonts' | 'inlineHeight' | 'presence' | 'words'
>;

/** What a page decides about its apps: consent, grants and bounds. What is left out is asked by event, then denied. */
export type McpAppPolicy = Omit<
  MountAppOptions,
  keyof McpAppSettings | keyof McpAppView | 'title' | 'showFailures' | 'onInitialize'
> &
  ToolCallPolicy;

/** Where the sandbox is; with a static file a reason is optional. */
type ElementSandbox = SandboxTarget | { readonly staticUrl: string; readonly reason?: string };

/** The properties of `<mcp-app>`. Those marked "at mount" are read once: another app is another element. */
export interface McpAppSettings {
  /** At mount: the app's MCP server; or the handlers below. */
  server: ServerPort | undefined;
  /** Reads a resource, the app's own HTML first; takes precedence over `server`. */
  on_resources_read:
    | ((
        params: { uri: string },
        options: { signal?: AbortSignal },
      ) => ReadResourceResult | Promise<ReadResourceResult>)
    | undefined;
  /** Runs a tool the app may call; takes precedence over `server`. */
  on_tools_call:
    | ((
        params: { name: string; arguments?: Record<string, unknown> },
        options: { signal?: AbortSignal },
      ) => CallToolResult | Promise<CallToolResult>)
    | undefined;
  /** The tools of the server; `_meta.ui.visibility` says which of them the app may call. */
  tools: readonly Tool[] | undefined;
  /** At mount: the tool whose UI is shown; or `resourceUri`. */
  tool: Tool | undefined;
  /** At mount, attribute resource-uri: the ui:// address; wins over the tool's. */
  resourceUri: string | undefined;
  /** At mount: HTML that was fetched before, so that resources/read is skipped. */
  resourceHtml: string | undefined;
  /** At mount: `_meta` of that HTML (its CSP and permissions). */
  resourceMeta: Record<string, unknown> | undefined;
  /** At mount, attribute tool-call-id: told to the app as toolInfo.id. */
  toolCallId: string | undefined;
  /** The complete arguments of the call. */
  toolInput: Record<string, unknown> | undefined;
  /** What the call returned. */
  toolResult: CallToolResult | undefined;
  /** Wins over what the element finds in its page; may change at any time. */
  hostContext: HostContext | undefined;
  /** Name and version the app is told. */
  hostInfo: Implementation | undefined;
  /** At mount, attribute display-modes: the modes this page can show; inline alone unless said otherwise. */
  displayModes: readonly DisplayMode[] | undefined;
  /** At mount, attributes sandbox-base and static-proxy. */
  sandbox: ElementSandbox | undefined;
  /** At mount: time and size limits; handshakeMs is how long an app may take to say initialized. */
  limits: Partial<SessionLimits> | undefined;
  /** Consent and grants; callbacks may change at any time, the rest is read at mount. */
  policy: McpAppPolicy | undefined;
  /** At mount: the frame head, heights and style variables. */
  view: McpAppView | undefined;
  /** At mount: where every message and decision is written. */
  recording: Recording | undefined;
  /** At mount, attribute evidence: what the loader collects in the app's page for whoever looks for a mistake. */
  evidence: EvidenceMode | undefined;
  /** Attribute fallback-text: what is shown when the app cannot be. */
  fallbackText: string | undefined;
}

/** The names of all properties that are stored as they were given. */
export const settingNames = [
  'server',
  'on_resources_read',
  'on_tools_call',
  'tools',
  'tool',
  'resourceUri',
  'resourceHtml',
  'resourceMeta',
  'toolCallId',
  'toolInput',
  'toolResult',
  'hostContext',
  'hostInfo',
  'displayModes',
  'sandbox',
  'limits',
  'policy',
  'view',
  'recording',
  'evidence',
  'fallbackText',
] as const satisfies readonly (keyof McpAppSettings)[];
