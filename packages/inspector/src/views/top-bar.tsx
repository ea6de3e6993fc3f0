import { ViewSwitch } from './view-switch.js';
import { useInspector, useValue } from './use-inspector.js';

/** The name of the page, how it stands with its gateway, and what the user has to know first. */
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
