import type { Conversation } from '@casement/chat';
import { useSyncExternalStore } from 'react';
import type { ChatRoom } from './chat-room.js';
import { toPrintable } from '@casement/protocol/basics';
import { themes, type ThemeName } from '../address/view-settings.js';
import { LabelledSelect } from '../parts/labelled-select.js';
import { useInspector, useValue } from '../use-inspector.js';

const scripted = { value: '', label: 'scripted, no key' };

/** Whether the model's calls are asked about; what it means stands beside the composer while it is on. */
const ToolSwitch = ({ conversation }: { conversation: Conversation }) => {
  const { subscribe, getSnapshot } = conversation;
  const isOn = useSyncExternalStore(subscribe, () => getSnapshot().toolCalls === 'run');
  return (
    <label
      className="tool-switch"
      title="Off: a tool that does not say readOnlyHint: true is asked about before the model calls it. On: such calls run without a question. Apps ask either way."
    >
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ target }) => conversation.setToolCalls(target.checked ? 'run' : 'ask')}
      />
      Run tools without asking
    </label>
  );
};

/** The controls over the conversation: who answers, how it looks, and a new beginning. */
export const ChatBar = ({ room }: { room: ChatRoom }) => {
  const { settings } = useInspector();
  const { theme } = useValue(settings);
  const { models, model, modelProblem, conversation } = useValue(room);
  const listed = models.map(({ id, label }) => ({ value: id, label: toPrintable(label, 80) }));
  const isListed = model === '' || models.some(({ id }) => id === model);
  const options = [scripted, ...listed, ...(isListed ? [] : [{ value: model }])];
  return (
    <>
      <div className="toolbar chat-bar" role="group" aria-label="Conversation">
        <LabelledSelect
          label="Model"
          value={model}
          options={options}
          onChange={(next) => room.chooseModel(next)}
        />
        <LabelledSelect<ThemeName>
          label="Theme"
          value={theme}
          options={themes.map((value) => ({ value }))}
          onChange={(next) => settings.change({ theme: next })}
        />
        <ToolSwitch conversation={conversation} />
        <button type="button" className="new-conversation" onClick={() => room.startAnew()}>
          New conversation
        </button>
      </div>
      {modelProblem !== '' && (
        <p className="fallback" role="status">
          {toPrintable(modelProblem, 300)}
        </p>
      )}
    </>
  );
};
