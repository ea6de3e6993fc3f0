import { useEffect } from 'react';
import { createChatRoom, type ChatRoom } from '../../chat/chat-room.js';
import { createListedPorts } from '../../chat/listed-ports.js';
import { useInspector, useValue } from '../use-inspector.js';

/** The page's one chat, made when it is wanted first and the gateway is there. */
export const useChatRoom = (): ChatRoom | undefined => {
  const { chat, gateway, workbench, settings, choices, recording } = useInspector();
  const connected = useValue(gateway);
  const room = useValue(chat);
  useEffect(() => {
    if (!connected || chat.get()) return;
    const { client, sandbox } = connected;
    const ports = createListedPorts(workbench);
    const own = { approvals: choices, recording: recording.page };
    chat.set(createChatRoom({ client, sandbox, ports, settings, ...own }));
  }, [connected, chat, workbench, settings, choices, recording]);
  return room;
};
