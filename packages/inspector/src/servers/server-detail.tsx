import type { ServerSummary } from '@casement/gateway';
import { useState } from 'react';
import { toPrintable } from '@casement/protocol/basics';
import { useInspector } from '../use-inspector.js';

const toIdentity = ({ name, label, kind, serverInfo }: ServerSummary): string =>
  [
    serverInfo && `${serverInfo.title ?? serverInfo.name} ${serverInfo.version}`,
    kind,
    // What links and the API call it, where that is not what the list shows.
    label !== undefined && label !== name && name,
  ]
    .filter(Boolean)
    .join(' · ');

/** What is known of one server: who it says it is, why it does not run, what it wrote last. */
export const ServerDetail = ({ summary }: { summary: ServerSummary }) => {
  const { workbench } = useInspector();
  const [restarting, setRestarting] = useState(false);
  const { name, status, error, findings = [], stderrTail = [] } = summary;
  const isDown = status === 'failed' || status === 'exited';
  const output = toPrintable(stderrTail.slice(-40).join('\n'), 8_000, { lines: 'keep' });
  const restart = (): void => {
    setRestarting(true);
    void workbench.restart(name).finally(() => setRestarting(false));
  };
  return (
    <div className="server-detail" data-down={isDown || undefined}>
      {isDown && (
        <p role="alert" className="wrap">
          {toPrintable(
            [error?.message ?? 'The server is not running.', error?.hint].filter(Boolean).join(' '),
            600,
          )}{' '}
          {error && <code>{error.code}</code>}
        </p>
      )}
      {status === 'connecting' && (
        <p role="status" className="wrap">
          Starting: it has not answered yet.
          {stderrTail.length > 0 && ' What it writes meanwhile is below.'}
        </p>
      )}
      {findings.length > 0 && (
        <ul className="findings" aria-label="Findings about the server">
          {findings.map(({ code, message, fix }) => (
            <li key={`${code} ${message}`}>
              {toPrintable(message, 700)} <span className="quiet">{toPrintable(fix, 300)}</span>
            </li>
          ))}
        </ul>
      )}
      <div className="line">
        <p className="quiet wrap">{toPrintable(toIdentity(summary), 160)}</p>
        <button
          type="button"
          className="small"
          aria-label="Restart server"
          onClick={restart}
          disabled={restarting || status === 'connecting'}
        >
          Restart
        </button>
      </div>
      {output !== '' && (
        <details className="fold" open={isDown || status === 'connecting'}>
          <summary>Error output</summary>
          <pre tabIndex={0} aria-label="Last error output of the server">
            {output}
          </pre>
        </details>
      )}
    </div>
  );
};
