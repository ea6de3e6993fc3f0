import './entry-controls.css';
import type { ServerSummary } from '@casement/gateway';
import { useEffect, useState } from 'react';
import { toEntryRequests } from './entry-requests.js';
import { Failure } from './modal.js';
import { useInspector, useValue } from '../use-inspector.js';

/** Why a server does not run although nothing is wrong with it, and how it would. */
const HeldNote = ({ summary: { name, kind, status } }: { readonly summary: ServerSummary }) => {
  const { entries } = useInspector();
  const isChanged = useValue(entries).entries.some((entry) => entry.name === name && entry.changed);
  useEffect(() => {
    // Whether it is another than before stands in its entry.
    if (status === 'unconfirmed') entries.refresh().catch(() => undefined);
  }, [entries, status]);
  if (status === 'disabled') return <p className="wrap">It is turned off.</p>;
  if (status !== 'unconfirmed') return null;
  const would = kind === 'stdio' ? 'run' : 'send';
  return (
    <div className="held">
      <p className="wrap" role="status">
        {isChanged
          ? `It has changed since you agreed to it, so it was not started. Look at what it would ${would} now.`
          : `Nothing was started: look at what it would ${would} first.`}
      </p>
      <button
        type="button"
        className="small primary"
        onClick={() => entries.dialog.set({ kind: 'confirm', names: [name] })}
      >
        Look and decide
      </button>
    </div>
  );
};

/** What can be done with a configured server; what stands in a file is changed there. */
export const EntryControls = ({ summary }: { readonly summary: ServerSummary }) => {
  const inspector = useInspector();
  const { entries } = inspector;
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const { name, status, source } = summary;
  const isOff = status === 'disabled';
  const turn = (): void => {
    setBusy(true);
    setError(undefined);
    toEntryRequests(inspector)
      .enable(name, isOff)
      .catch(setError)
      .finally(() => setBusy(false));
  };
  return (
    <>
      <HeldNote summary={summary} />
      <div className="actions server-actions" role="group" aria-label="Entry of the server">
        <button
          type="button"
          className="small"
          aria-label={isOff ? 'Turn on server' : 'Turn off server'}
          disabled={isBusy}
          onClick={turn}
        >
          {isOff ? 'Turn on' : 'Turn off'}
        </button>
        {source === 'kept' && (
          <>
            <button
              type="button"
              className="small"
              aria-label="Edit server"
              onClick={() => entries.dialog.set({ kind: 'edit', name })}
            >
              Edit
            </button>
            <button
              type="button"
              className="small"
              aria-label="Remove server"
              onClick={() => entries.dialog.set({ kind: 'remove', name })}
            >
              Remove
            </button>
          </>
        )}
      </div>
      <Failure error={error} />
    </>
  );
};
