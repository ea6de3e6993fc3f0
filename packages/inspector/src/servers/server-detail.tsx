import type { ServerSummary } from '@casement/gateway';
import type { Tool } from '@casement/protocol';
import { lazy, useState } from 'react';
import { toPrintable } from '@casement/protocol/basics';
import { AfterDraw } from '../parts/after-draw.js';
import { LatePart } from '../parts/late-part.js';
import { ServerActions } from './server-actions.js';

const EntryControls = lazy(async () => ({
  default: (await import('../entries/entry-controls.js')).EntryControls,
}));

const ConnectionSteps = lazy(async () => ({
  default: (await import('./connection/connection-steps.js')).ConnectionSteps,
}));

const toIdentity = ({ name, label, kind, serverInfo }: ServerSummary): string =>
  [
    serverInfo && `${serverInfo.title ?? serverInfo.name} ${serverInfo.version}`,
    kind,
    // What links and the API call it, where that is not what the list shows.
    label !== undefined && label !== name && name,
  ]
    .filter(Boolean)
    .join(' · ');

const ServerLint = lazy(async () => ({ default: (await import('./declared-findings.js')).ServerLint }));

/** The steps to a server: shown while it starts and when it is down, on demand while it runs. */
const Connection = ({ summary }: { summary: ServerSummary }) => {
  const [isOpen, setOpen] = useState(summary.status !== 'ready');
  if (summary.start === undefined) return null;
  return (
    <details className="fold" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Connection</summary>
      {isOpen && (
        <LatePart name="the steps to the server" quiet>
          <ConnectionSteps summary={summary} start={summary.start} />
        </LatePart>
      )}
    </details>
  );
};

/** What is known of one server: who it says it is, why it does not run, what it wrote last. */
export const ServerDetail = ({ summary, tools }: { summary: ServerSummary; tools: readonly Tool[] }) => {
  const { status, error, findings = [], stderrTail = [] } = summary;
  const isDown = status === 'failed' || status === 'exited';
  const output = toPrintable(stderrTail.slice(-40).join('\n'), 8_000, { lines: 'keep' });
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
      <Connection key={status === 'ready' ? 'ready' : 'not ready'} summary={summary} />
      {findings.length > 0 && (
        <ul className="findings" aria-label="Findings about the server">
          {findings.map(({ code, message, fix }) => (
            <li key={`${code} ${message}`}>
              {toPrintable(message, 700)} <span className="quiet">{toPrintable(fix, 300)}</span>
            </li>
          ))}
        </ul>
      )}
      {tools.length > 0 && (
        <AfterDraw>
          <LatePart name="what it declares" quiet>
            <ServerLint tools={tools} />
          </LatePart>
        </AfterDraw>
      )}
      <div className="line">
        <p className="quiet wrap">{toPrintable(toIdentity(summary), 160)}</p>
        <ServerActions summary={summary} />
      </div>
      {summary.source !== 'typed' && (
        <LatePart name="what can be done with it" quiet>
          <EntryControls summary={summary} />
        </LatePart>
      )}
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
