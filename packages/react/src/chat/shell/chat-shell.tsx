'use client';

import type { Conversation, ShellStore } from '@casement/chat';
import { createShellStore } from '@casement/chat';
import type { SandboxTarget } from '@casement/host';
import type { ServerPort } from '@casement/protocol/ports';
import { useMemo, useRef, useState } from 'react';
import { AppPanel } from '../apps/app-panel.js';
import { AppWorkspace } from '../apps/app-workspace.js';
import { useAnnouncer } from './use-announcer.js';
import { useRoom } from './use-room.js';
import { useShellNews } from './use-shell-news.js';
import type { ChatHost } from '../host/chat-host.js';
import { ChatProvider } from '../host/chat-host.js';
import { ChatComposer } from '../composer/chat-composer.js';
import { ChatThread } from '../thread/chat-thread.js';
import { toChatWords } from '../host/use-words.js';

/** The props of `<ChatShell>`. */
export interface ChatShellProps extends Pick<
  ChatHost,
  'appOptions' | 'renderText' | 'words' | 'prompts' | 'onApp' | 'onRestartServer'
> {
  readonly conversation: Conversation;
  readonly servers: readonly ServerPort[];
  readonly sandbox: SandboxTarget;
  /** Where apps are; made here unless given. */
  readonly shell?: ShellStore;
  /** Where an app in picture-in-picture is: beside the thread, or as a card over the page that can be moved. */
  readonly workspace?: 'docked' | 'floating';
  /** Hears what the user has written but not sent yet. */
  onDraft?(draft: string): void;
  /** Another object than before puts its text into the composer, ready to be changed and sent. */
  readonly suggestion?: { readonly text: string };
}

/**
 * A whole chat: thread, composer, panel and workspace. Between the chat's root and an app nothing may have a transform, a
 * filter or containment: an app in the panel is laid over the chat from within its message. Around the chat anything may.
 */
export const ChatShell = (props: ChatShellProps) => {
  const { conversation, servers, sandbox, workspace = 'docked', onDraft, suggestion } = props;
  const { appOptions, renderText, words, prompts, onApp, onRestartServer } = props;
  const [own] = useState(() => createShellStore());
  const shell = props.shell ?? own;
  const root = useRef<HTMLDivElement>(null);
  const { announcements, announce } = useAnnouncer();
  const isNarrow = useRoom(root, shell);
  const allWords = toChatWords(words);
  useShellNews(shell, allWords, announce);
  const host = useMemo<ChatHost>(
    () => ({
      conversation,
      shell,
      sandbox,
      toServer: (name) => servers.find((server) => server.name === name),
      ...(appOptions ? { appOptions } : {}),
      ...(renderText ? { renderText } : {}),
      ...(words ? { words } : {}),
      ...(prompts ? { prompts } : {}),
      ...(onApp ? { onApp } : {}),
      ...(onRestartServer ? { onRestartServer } : {}),
      announce,
    }),
    [
      conversation,
      shell,
      sandbox,
      servers,
      appOptions,
      renderText,
      words,
      prompts,
      onApp,
      onRestartServer,
      announce,
    ],
  );
  return (
    <ChatProvider value={host}>
      <div ref={root} className="casement-chat" data-narrow={isNarrow || undefined}>
        {/* The places come first, so that they are measured before an app is laid over one. */}
        {workspace === 'docked' && <AppWorkspace />}
        <div className="casement-main">
          <AppPanel />
          <div className="casement-scroll" role="region" aria-label={allWords.thread} tabIndex={0}>
            <ChatThread />
          </div>
          <ChatComposer {...(onDraft ? { onDraft } : {})} {...(suggestion ? { suggestion } : {})} />
        </div>
        <div role="status" aria-atomic="false" className="casement-unseen">
          {announcements.map(({ id, text }) => (
            <p key={id}>{text}</p>
          ))}
        </div>
      </div>
    </ChatProvider>
  );
};
