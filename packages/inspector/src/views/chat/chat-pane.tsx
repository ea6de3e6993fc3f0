import '@casement/react/chat.css';
import { ChatShell, type ChatAppOptions, type ChatShellProps } from '@casement/react/chat';
import { useCallback, useMemo } from 'react';
import type { ChatRoom } from '../../chat/chat-room.js';
import { hostInfo } from '../../host-info.js';
import { useInspector, useValue } from '../use-inspector.js';
import { ChatBar } from './chat-bar.js';
import { useChatRoom } from './use-chat-room.js';

const useAppOptions = (): ChatAppOptions => {
  const { consents, recording, hostContext } = useInspector();
  const context = useValue(hostContext);
  return useMemo(
    () => ({ ...consents, recording: recording.page, hostInfo, hostContext: context }),
    [consents, recording, context],
  );
};

const Chat = ({ room }: { room: ChatRoom }) => {
  const { conversation, number } = useValue(room);
  const servers = useValue(room.ports);
  const appOptions = useAppOptions();
  const onApp = useCallback<NonNullable<ChatShellProps['onApp']>>(
    (item, app) => room.apps.add(item, app),
    [room],
  );
  return (
    <>
      <ChatBar room={room} />
      <div className="chat-place">
        <ChatShell
          key={number}
          conversation={conversation}
          servers={servers}
          sandbox={room.sandbox}
          appOptions={appOptions}
          onApp={onApp}
          onDraft={room.setDraft}
        />
      </div>
    </>
  );
};

/** The conversation over the page's servers. */
export const ChatPane = () => {
  const room = useChatRoom();
  return room ? (
    <Chat room={room} />
  ) : (
    <p className="quiet late">The chat begins when the page is connected.</p>
  );
};
