import '@casement/react/chat.css';
import { type Conversation } from '@casement/chat';
import type { AppSnapshot, SandboxTarget, SessionFailure } from '@casement/host';
import { ChatShell, type ChatAppOptions, type ChatShellProps } from '@casement/react/chat';
import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import { createListedPorts } from '../servers/listed-ports.js';
import { createChatRoom, type ChatRoom } from './chat-room.js';
import { toFirstPrompts } from './tool-command.js';
import { toNamedExaminedApp } from '../doctor/examined-app.js';
import { toProblemText } from '../doctor/problem-text.js';
import { fullEvidence } from '../stage/full-evidence.js';
import { developersWords } from '../stage/developers-words.js';
import { hostInfo } from '../stage/host-context.js';
import { useInspector, useValue } from '../use-inspector.js';
import { ChatBar } from './chat-bar.js';

/** An app that cannot be shown is spoken of as on the stage: by the report of the doctor. */
const useDoctorsWords = (room: ChatRoom): NonNullable<ChatShellProps['words']> => {
  const { doctor, reports, workbench } = useInspector();
  useEffect(doctor.prepare, [doctor]);
  return useMemo(() => {
    const examine = (snapshot: AppSnapshot) => {
      const { servers } = workbench.getSnapshot();
      const app = { ...room.apps.find(snapshot.session), snapshot };
      return toNamedExaminedApp(app, { servers, reports: reports.getSnapshot() });
    };
    return {
      chrome: developersWords,
      appProblem: (failure: SessionFailure, snapshot?: AppSnapshot) =>
        toProblemText(failure, snapshot && doctor.examine(examine(snapshot))),
    };
  }, [doctor, reports, workbench, room]);
};

/** Where apps are framed, and what else each of them is mounted with. */
const useAppOptions = ({
  findAppPlace,
}: ChatRoom): { sandbox: SandboxTarget; appOptions: ChatAppOptions } => {
  const { consents, recording, hostContext, settings } = useInspector();
  const context = useValue(hostContext);
  const { storage } = useValue(settings);
  return useMemo(() => {
    const { sandbox, ...stored } = findAppPlace(storage);
    return {
      sandbox,
      appOptions: {
        ...consents,
        ...stored,
        recording: recording.page,
        ...fullEvidence,
        hostInfo,
        hostContext: context,
      },
    };
  }, [consents, recording, context, storage, findAppPlace]);
};

/** Commands are the scripted model's; a real one is asked in one's own words. */
const usePrompts = (conversation: Conversation, isScripted: boolean): readonly string[] => {
  const tools = useSyncExternalStore(conversation.subscribe, () => conversation.getSnapshot().tools);
  return useMemo(() => (isScripted ? toFirstPrompts(tools) : []), [isScripted, tools]);
};

/** The tabs follow the app that the user clicks into. All the page hears of that is that it lost the focus. */
const useFocusedApp = (room: ChatRoom): void =>
  useEffect(() => {
    const onBlur = (): void => {
      const place = document.activeElement?.closest<HTMLElement>('[data-mcp-app-id]');
      if (place?.dataset.mcpAppId !== undefined) room.apps.choose(place.dataset.mcpAppId);
    };
    addEventListener('blur', onBlur);
    return () => removeEventListener('blur', onBlur);
  }, [room]);

/** What the doctor says of each app of the conversation is in the recording, as that of the app on the stage is. */
const useRecordedVerdicts = (room: ChatRoom): void => {
  const { doctor, reports, workbench } = useInspector();
  useEffect(() => {
    const seen = new Map<string, AppSnapshot>();
    return room.apps.subscribe(() => {
      const { servers } = workbench.getSnapshot();
      for (const app of room.apps.getSnapshot().apps) {
        if (seen.get(app.id) === app.snapshot) continue;
        seen.set(app.id, app.snapshot);
        doctor.record(toNamedExaminedApp(app, { servers, reports: reports.getSnapshot() }));
      }
    });
  }, [doctor, reports, workbench, room]);
};

const Chat = ({ room }: { room: ChatRoom }) => {
  const { conversation, number, model, suggestion } = useValue(room);
  const { workbench } = useInspector();
  const servers = useValue(room.ports);
  const { sandbox, appOptions } = useAppOptions(room);
  const words = useDoctorsWords(room);
  const prompts = usePrompts(conversation, model === '');
  const onApp = useCallback<NonNullable<ChatShellProps['onApp']>>(
    (item, app) => room.apps.add(item, app),
    [room],
  );
  useFocusedApp(room);
  useRecordedVerdicts(room);
  // The chat knows servers by the names people see.
  const restart = (shown: string): Promise<void> => {
    const known = workbench.getSnapshot().servers.find(({ port }) => port.name === shown);
    return workbench.restart(known?.summary.name ?? shown);
  };
  return (
    <>
      <ChatBar room={room} />
      <div className="chat-place">
        <ChatShell
          key={number}
          conversation={conversation}
          servers={servers}
          sandbox={sandbox}
          appOptions={appOptions}
          prompts={prompts}
          onApp={onApp}
          onRestartServer={restart}
          words={words}
          onDraft={room.setDraft}
          {...(suggestion ? { suggestion } : {})}
        />
      </div>
    </>
  );
};

/** The page's one chat, made when it is wanted first and the gateway is there. */
const useChatRoom = (): ChatRoom | undefined => {
  const { chat, gateway, workbench, settings, choices, recording } = useInspector();
  const connected = useValue(gateway);
  const room = useValue(chat);
  useEffect(() => {
    if (!connected || chat.getSnapshot()) return;
    const { client, findAppPlace } = connected;
    const ports = createListedPorts(workbench);
    const own = { approvals: choices, recording: recording.page };
    chat.set(createChatRoom({ client, findAppPlace, ports, settings, ...own }));
  }, [connected, chat, workbench, settings, choices, recording]);
  return room;
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
