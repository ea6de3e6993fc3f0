import type { ContentBlock } from '@casement/protocol';
import type { FinishReason } from '../message/message.js';

/** One message of a conversation as a model is told it. */
export type ModelMessage =
  | { readonly role: 'system'; readonly text: string }
  | { readonly role: 'user'; readonly content: readonly ContentBlock[] }
  | { readonly role: 'assistant'; readonly content: readonly AssistantBlock[] }
  | { readonly role: 'tool'; readonly results: readonly ModelToolResult[] };

/** What a model said: text, or a tool call it asks for. */
export type AssistantBlock =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'tool-call';
      readonly id: string;
      readonly name: string;
      readonly arguments: Readonly<Record<string, unknown>>;
    };

/** The outcome of a call, as far as it is for the model: content, never structuredContent or _meta (HOST-076). */
export interface ModelToolResult {
  readonly id: string;
  readonly name: string;
  readonly content: readonly ContentBlock[];
  readonly isError?: boolean;
}

/** A tool as a model is offered it. */
export interface ModelTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** One step of a model: everything it knows, and what it may use. */
export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  readonly maxTokens?: number;
}

/** What a model says while it works on one step; `finish` is last, unless the stream throws. */
export type ModelEvent =
  | { readonly type: 'text'; readonly delta: string }
  | { readonly type: 'tool-input-start'; readonly id: string; readonly name: string }
  | { readonly type: 'tool-input-delta'; readonly id: string; readonly delta: string }
  /** The arguments are complete: their JSON text as the model wrote it, valid or not. */
  | { readonly type: 'tool-call'; readonly id: string; readonly name: string; readonly text: string }
  | { readonly type: 'finish'; readonly reason: FinishReason };

/** A model, wherever it runs. Failures are thrown as CasementError; an abort ends the stream without one. */
export interface ChatModel {
  readonly name: string;
  stream(request: ModelRequest, options: { readonly signal: AbortSignal }): AsyncIterable<ModelEvent>;
}
