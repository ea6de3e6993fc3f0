import type { Conversation } from '@casement/chat';
import { useDeferredValue, useEffect, useId, useMemo, useState, useSyncExternalStore } from 'react';
import type { ChatRoom } from '../../chat/chat-room.js';
import { createListedPorts } from '../../servers/listed-ports.js';
import { createStagedConversation } from './staged-conversation.js';
import { toHiddenTools } from './model-facts.js';
import { ModelPanel } from './model-panel.js';
import { toPrintable } from '@casement/protocol/basics';
import { useInspector, usePart, useValue } from '../../use-inspector.js';

/** What a conversation would send now, followed without holding up what is typed or streamed. */
const useRequest = (conversation: Conversation, draft: string) => {
  const state = useDeferredValue(useSyncExternalStore(conversation.subscribe, conversation.getSnapshot));
  const wanted = useDeferredValue(draft);
  const hasDraft = wanted.trim() !== '';
  const request = useMemo(
    () => conversation.toModelRequest(hasDraft ? wanted : undefined),
    [conversation, state, wanted, hasDraft],
  );
  return { state, request, hasDraft };
};

const useHiddenTools = () => {
  const { workbench } = useInspector();
  const { servers } = useValue(workbench);
  return useMemo(() => toHiddenTools(servers), [servers]);
};

const ChatModelView = ({ room }: { room: ChatRoom }) => {
  const { conversation, models, model, draft } = useValue(room);
  const hidden = useHiddenTools();
  const name = models.find(({ id }) => id === model)?.label ?? (model || 'scripted');
  return (
    <ModelPanel
      {...useRequest(conversation, draft)}
      hidden={hidden}
      model={toPrintable(name, 80)}
      note="What the model reads in its next step. What stands in the composer counts as sent."
    />
  );
};

const Draft = ({ draft, onDraft }: { draft: string; onDraft(draft: string): void }) => {
  const id = useId();
  return (
    <div className="model-draft">
      <label htmlFor={id}>As if the user now wrote</label>
      <textarea id={id} rows={2} value={draft} onChange={(event) => onDraft(event.target.value)} />
    </div>
  );
};

const StageRequest = ({ conversation }: { conversation: Conversation }) => {
  const [draft, setDraft] = useState('');
  const hidden = useHiddenTools();
  return (
    <ModelPanel
      {...useRequest(conversation, draft)}
      hidden={hidden}
      model="any"
      note="What a model would read if it had made the call on the stage. What apps give it to know goes with the user’s next message."
    >
      <Draft draft={draft} onDraft={setDraft} />
    </ModelPanel>
  );
};

const StageModelView = () => {
  const { workbench, stage, shown } = useInspector();
  const [ports] = useState(() => createListedPorts(workbench));
  const servers = useValue(ports);
  const { staged, call } = useValue(shown);
  const session = usePart(shown, ({ snapshot }) => snapshot?.session);
  const [conversation, setConversation] = useState<Conversation>();
  // Another call, outcome or app is another conversation; progress of the same is not.
  useEffect(() => {
    const made = createStagedConversation(stage, servers);
    setConversation(made);
    return () => made.close();
  }, [stage, servers, staged, call.status, session]);
  return conversation ? <StageRequest conversation={conversation} /> : null;
};

/** The Model tab: of the chat's conversation, or of the call on the stage. */
export const ModelView = () => {
  const { settings, chat } = useInspector();
  const view = usePart(settings, (state) => state.view);
  const room = useValue(chat);
  if (view !== 'chat') return <StageModelView />;
  return room ? <ChatModelView room={room} /> : <p className="panel-empty">The chat has not begun yet.</p>;
};
