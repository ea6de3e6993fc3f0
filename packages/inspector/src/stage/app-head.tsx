import type { AppSnapshot } from '@casement/host';
import { toPrintable } from '@casement/protocol/basics';
import { familyNames } from '../servers/tool-order.js';
import { useInspector } from '../use-inspector.js';

const maxNamed = 3;

/** The places outside that the app may reach, by what its policy lets through. */
const toOrigins = ({ policy }: AppSnapshot): readonly string[] => {
  if (!policy) return [];
  const { connect, assets, frame } = policy.effective;
  return [...new Set([...connect, ...assets, ...frame])];
};

/** The upper edge of the app's border, drawn by us: whose app it is (HOST-038) and which places it may reach (HOST-009). */
export const AppHead = ({ server, snapshot }: { server: string; snapshot: AppSnapshot }) => {
  const { settings } = useInspector();
  const origins = toOrigins(snapshot);
  const family = snapshot.resource?.family ?? 'mcp-apps';
  return (
    <div className="app-head" data-app-head>
      <p className="app-of">
        App of <strong>{toPrintable(server, 60)}</strong>
        {family !== 'mcp-apps' && <span className="badge">{familyNames[family]}</span>}
      </p>
      {origins.length > 0 && (
        <p className="app-reach">
          Can reach{' '}
          {origins
            .slice(0, maxNamed)
            .map((one) => toPrintable(one, 80))
            .join(', ')}
          {origins.length > maxNamed && ` and ${origins.length - maxNamed} more`}{' '}
          <button
            type="button"
            className="link"
            onClick={() => settings.change({ tab: 'security', pane: 'inspect' })}
          >
            Show policy
          </button>
        </p>
      )}
    </div>
  );
};
