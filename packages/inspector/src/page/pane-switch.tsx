import { panes, type PaneName } from '../address/view-settings.js';
import { useInspector, useValue } from '../use-inspector.js';

const names: Record<PaneName, string> = { tools: 'Tools', app: 'App', inspect: 'Inspect' };

/** Chooses the part of the page that a narrow window shows. */
export const PaneSwitch = ({ inert }: { inert: boolean }) => {
  const { settings } = useInspector();
  const { pane, view } = useValue(settings);
  return (
    <nav className="pane-switch" aria-label="Parts of the page" inert={inert}>
      {panes.map((name) => (
        <button
          key={name}
          type="button"
          aria-current={name === pane ? 'page' : undefined}
          onClick={() => settings.change({ pane: name })}
        >
          {name === 'app' && view === 'chat' ? 'Chat' : names[name]}
        </button>
      ))}
    </nav>
  );
};
