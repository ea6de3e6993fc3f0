'use client';

import type { Conversation, ConversationState, McpAppItem, ShellState, ShellStore } from '@casement/chat';
import type { MountedApp, SandboxTarget } from '@casement/host';
import type { ServerPort } from '@casement/protocol/ports';
import type { ReactNode } from 'react';
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { McpAppOptions } from '../../app/live-options.js';
import type { ChatShellWords } from './chat-words.js';

/** What every app of a chat is mounted with; the rest is the chat's own to say. */
export type ChatAppOptions = Partial<
  Omit<
    McpAppOptions,
    | 'server'
    | 'tool'
    | 'resourceUri'
    | 'resources'
    | 'sandbox'
    | 'toolInput'
    | 'toolInputPartial'
    | 'toolInputText'
    | 'toolResult'
    | 'toolCancelled'
    | 'displayMode'
    | 'displayModes'
    | 'onDisplayMode'
    | 'onModeChosen'
    | 'title'
    | 'name'
  >
>;

/** What the parts of a chat share. */
export interface ChatHost {
  readonly conversation: Conversation;
  readonly shell: ShellStore;
  readonly sandbox: SandboxTarget;
  /** The port of a server by its name; the same object for the same name, undefined when there is none. */
  toServer(name: string): ServerPort | undefined;
  readonly appOptions?: ChatAppOptions;
  /** Draws what people and models wrote; unless given, a model's Markdown as elements and all else as it was written. */
  renderText?(text: string): ReactNode;
  /** The words of the chat, of its apps' heads, of its questions and of what goes wrong; English where none are given. */
  readonly words?: ChatShellWords;
  /** What the user might say first. */
  readonly prompts?: readonly string[];
  /** Starts a server again that is gone; without it nothing offers to. */
  onRestartServer?(server: string): Promise<unknown>;
  /** An app of the chat was mounted; what is given back is called when that mount is over. */
  onApp?(item: McpAppItem, app: MountedApp): (() => void) | undefined;
  /** Tells people who do not see the screen. */
  announce(text: string): void;
}

const ChatContext = createContext<ChatHost | undefined>(undefined);

/** Gives the chat's components below it their conversation, shell and servers. */
export const ChatProvider = ChatContext.Provider;

/** The chat given above. */
export const useChat = (): ChatHost => {
  const chat = useContext(ChatContext);
  if (!chat) throw new Error('This component belongs into <ChatShell> or <ChatProvider>.');
  return chat;
};

/** A part of the conversation's state; the component is drawn again when that part is another one. */
export const useConversation = <Part,>(read: (state: ConversationState) => Part): Part =>
  usePart(useChat().conversation, read);

/** A part of the shell's state. */
export const useShell = <Part,>(read: (state: ShellState) => Part): Part => usePart(useChat().shell, read);

/** The part must stay the same object, or an equal primitive, as long as nothing in it changed. */
const usePart = <State, Part>(
  store: { getSnapshot(): State; subscribe(listener: () => void): () => void },
  read: (state: State) => Part,
): Part => {
  const get = (): Part => read(store.getSnapshot());
  return useSyncExternalStore(store.subscribe, get, get);
};
