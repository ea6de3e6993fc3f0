import type { ChatApp } from '../chat/chat-apps.js';
import type { ChatRoom } from '../chat/chat-room.js';
import { toggleTerm } from './timeline/timeline-query.js';
import { toPrintable } from '@casement/protocol/basics';
import { LabelledSelect } from '../parts/labelled-select.js';
import { useInspector, usePart, useValue } from '../use-inspector.js';

const toLabel = ({ title, server, id }: ChatApp, apps: readonly ChatApp[]): string => {
  const name = toPrintable(server === undefined ? title : `${title} of ${server}`, 80);
  const isAlone = apps.filter((app) => app.title === title && app.server === server).length === 1;
  return isAlone ? name : `${name} (${toPrintable(id, 20)})`;
};

/** Chooses the app of the conversation that the tabs below are about. */
export const AppChoice = ({ room }: { room: ChatRoom }) => {
  const { settings } = useInspector();
  const { apps, current, chosen } = useValue(room.apps);
  const filter = usePart(settings, (view) => view.filter);
  if (!current) return null;
  const { session } = current.snapshot;
  const isChosen = apps.some(({ id }) => id === chosen);
  return (
    <div className="app-choice">
      <LabelledSelect
        label="App"
        value={isChosen ? (chosen ?? '') : ''}
        options={[
          { value: '', label: `newest: ${toLabel(apps.at(-1) ?? current, apps)}` },
          ...apps.map((app) => ({ value: app.id, label: toLabel(app, apps) })),
        ]}
        onChange={(id) => room.apps.choose(id === '' ? undefined : id)}
      />
      <button
        type="button"
        className="small"
        aria-pressed={filter.includes(session)}
        title="Shows in the timeline what this app and its host said alone"
        onClick={() => settings.change({ filter: toggleTerm(filter, session), tab: 'timeline' })}
      >
        Only its entries
      </button>
    </div>
  );
};
