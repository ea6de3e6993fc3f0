import type { SandboxTarget, ServerPort } from '@casement/host';
import type { ReactNode } from 'react';
import { useMemo, useState } from 'react';
import type { ChatAppOptions, ChatHost } from './chat-host.js';
import { ChatProvider } from './chat-host.js';
import type { Conversation } from './core/conversation-types.js';
import type { ShellStore } from './core/shell.js';
import { createShellStore } from './core/shell.js';
import { ChatComposer } from './thread/chat-composer.js';
import { ChatThread } from './thread/chat-thread.js';

/** The props of `<ChatShell>`. */
export interface ChatShellProps {
  readonly conversation: Conversation;
  readonly servers: readonly ServerPort[];
  readonly sandbox: SandboxTarget;
  /** Where apps are; made here unless given. */
  readonly shell?: ShellStore;
  readonly appOptions?: ChatAppOptions;
  renderText?(text: string): ReactNode;
}

/** A whole chat: thread, composer, panel and workspace. */
export const ChatShell = ({
  conversation,
  servers,
  sandbox,
  shell: given,
  appOptions,
  renderText,
}: ChatShellProps) => {
  const [own] = useState(() => createShellStore());
  const [announcement, announce] = useState('');
  const shell = given ?? own;
  const host = useMemo<ChatHost>(
    () => ({
      conversation,
      shell,
      sandbox,
      toServer: (name) => servers.find((server) => server.name === name),
      ...(appOptions ? { appOptions } : {}),
      ...(renderText ? { renderText } : {}),
      announce,
    }),
    [conversation, shell, sandbox, servers, appOptions, renderText],
  );
  return (
    <ChatProvider value={host}>
      <div className="casement-chat">
        <div className="casement-scroll">
          <ChatThread />
        </div>
        <ChatComposer />
        <div role="status" className="casement-unseen">
          {announcement}
        </div>
      </div>
    </ChatProvider>
  );
};
