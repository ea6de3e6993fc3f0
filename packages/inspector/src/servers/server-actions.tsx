import type { ServerSummary } from '@casement/gateway';
import { useState } from 'react';
import { isHeld } from './server-list.js';
import { useInspector, useValue } from '../use-inspector.js';

/** What can be done with any server: start it anew, and move it in the list. */
export const ServerActions = ({ summary }: { summary: ServerSummary }) => {
  const { workbench } = useInspector();
  const { servers } = useValue(workbench);
  const [restarting, setRestarting] = useState(false);
  const { name, status } = summary;
  const at = servers.findIndex((server) => server.summary.name === name);
  const restart = (): void => {
    setRestarting(true);
    void workbench.restart(name).finally(() => setRestarting(false));
  };
  return (
    <div className="actions server-actions">
      {servers.length > 1 &&
        ([-1, 1] as const).map((by) => (
          <button
            key={by}
            type="button"
            className="small"
            aria-label={by < 0 ? 'Move server up' : 'Move server down'}
            title={by < 0 ? 'Move up: Alt+↑ in the list' : 'Move down: Alt+↓ in the list'}
            // Not `disabled`, which would throw out the focus at the end of the list.
            aria-disabled={!servers[at + by]}
            onClick={() => void workbench.moveServer(name, by)}
          >
            {by < 0 ? '↑' : '↓'}
          </button>
        ))}
      {!isHeld(summary) && (
        <button
          type="button"
          className="small"
          aria-label="Restart server"
          onClick={restart}
          disabled={restarting || status === 'connecting'}
        >
          Restart
        </button>
      )}
    </div>
  );
};
