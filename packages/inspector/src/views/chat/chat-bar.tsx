import type { ChatRoom } from '../../chat/chat-room.js';
import { toPrintable } from '@casement/protocol';
import { themes, type ThemeName } from '../../view-settings.js';
import { LabelledSelect } from '../labelled-select.js';
import { useInspector, useValue } from '../use-inspector.js';

const scripted = { value: '', label: 'scripted, no key' };

/** The controls over the conversation: who answers, how it looks, and a new beginning. */
export const ChatBar = ({ room }: { room: ChatRoom }) => {
  const { settings } = useInspector();
  const { theme } = useValue(settings);
  const { models, model, modelProblem } = useValue(room);
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
          onChange={(next) => settings.change({ model: next })}
        />
        <LabelledSelect<ThemeName>
          label="Theme"
          value={theme}
          options={themes.map((value) => ({ value }))}
          onChange={(next) => settings.change({ theme: next })}
        />
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
