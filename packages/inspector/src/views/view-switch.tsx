import { views, type ViewName } from '../view-settings.js';
import { useInspector, usePart } from './use-inspector.js';

const names: Record<ViewName, string> = { workbench: 'Workbench', chat: 'Chat' };

/** Chooses between an app alone on the stage and apps in a conversation; both go on while the other is shown. */
export const ViewSwitch = () => {
  const { settings } = useInspector();
  const view = usePart(settings, (state) => state.view);
  return (
    <nav className="view-switch" aria-label="Views">
      {views.map((name) => (
        <button
          key={name}
          type="button"
          aria-current={name === view ? 'page' : undefined}
          onClick={() => settings.change({ view: name, pane: 'app' })}
        >
          {names[name]}
        </button>
      ))}
    </nav>
  );
};
