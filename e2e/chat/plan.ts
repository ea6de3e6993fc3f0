import type { CallToolResult, Tool } from '@casement/protocol';
import type { ConversationMessage, McpAppItem } from '@casement/chat';
import type { ConversationLimits } from '../../packages/chat/src/conversation-limits.js';
import type { ModelScript } from '../../packages/chat/src/scripted/scripted-script.js';

/** A tool of a server in the page. */
export interface PlannedTool extends Partial<Tool> {
  readonly name: string;
  /** The document of its app; `_meta.ui` then names `ui://<server>/<tool>`. */
  readonly html?: string;
  /** The document of its widget of the OpenAI family, at the same address. */
  readonly widget?: string;
  /** `_meta.ui` of its document. */
  readonly documentUi?: Readonly<Record<string, unknown>>;
  /** What a call gives; the arguments as text unless given. */
  readonly result?: CallToolResult;
  /** A call fails with this message. */
  readonly fails?: string;
  /** A call waits until the test says `window.chat.release(tool)`. */
  readonly waits?: boolean;
}

/** A server in the page. */
export interface PlannedServer {
  readonly name: string;
  readonly tools?: readonly PlannedTool[];
  /** Documents of apps by their address, besides those of the tools; absent ones cannot be read. */
  readonly resources?: Readonly<Record<string, string>>;
}

/** What a test says about its chat; everything survives the way into the page. */
export interface ChatPlan {
  readonly servers?: readonly PlannedServer[];
  /** The steps of the model; after them, and without any, it does what it is told (`/tool {json}`). */
  readonly script?: ModelScript;
  readonly pace?: number;
  readonly chunk?: number;
  /** Apps the page itself adds, before the messages of the test. */
  readonly items?: readonly McpAppItem[];
  readonly messages?: readonly ConversationMessage[];
  /** Every tool runs without a question, unless it is `ask`: then the conversation's own rule holds. */
  readonly approve?: 'all' | 'ask';
  readonly maxSteps?: number;
  readonly limits?: Partial<ConversationLimits>;
  /** Props of `<ChatShell>` that can travel. */
  readonly props?: Readonly<Record<string, unknown>>;
  /** Options of every app that can travel. */
  readonly appOptions?: Readonly<Record<string, unknown>>;
  /** What the page answers to questions of apps instead of the dialogs. */
  readonly answers?: {
    readonly link?: boolean;
    readonly message?: boolean;
    readonly download?: boolean;
    readonly sampling?: boolean;
  };
  /** Whether the page has other words for everything, each between marks. */
  readonly otherLanguage?: boolean;
  /** React's StrictMode; true unless said. */
  readonly strict?: boolean;
}
