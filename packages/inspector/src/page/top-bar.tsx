import { views, type ViewName } from '../address/view-settings.js';
import { useInspector, usePart, useValue } from '../use-inspector.js';

const names: Record<ViewName, string> = { workbench: 'Workbench', chat: 'Chat' };

/** Chooses between an app alone on the stage and apps in a conversation; both go on while the other is shown. */
const ViewSwitch = () => {
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

/** The name of the page, the state of its connection, and what the user has to know first. */
export const TopBar = ({ inert }: { inert: boolean }) => {
  const { connection } = useInspector();
  const { link, text, notice } = useValue(connection);
  return (
    <div className="top" inert={inert}>
      <header>
        <h1>
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <path d="M3 2.5h14v15H3zM10 2.5v15M3 10h14" />
          </svg>
          Casement
        </h1>
        <ViewSwitch />
        <p className="connection" role="status" data-state={link}>
          {text}
        </p>
      </header>
      {notice !== '' && (
        <p className="notice" role="alert">
          {notice}
        </p>
      )}
    </div>
  );
};
