import { useState } from 'react';
import { toPrintable } from '@casement/protocol/basics';
import { toEntryRequests } from './entry-requests.js';
import { Failure, Modal } from './modal.js';
import { useInspector } from '../use-inspector.js';

/** Asks before an entry and its secrets are deleted: nothing brings a stored secret back. */
export const RemoveDialog = ({ name }: { readonly name: string }) => {
  const inspector = useInspector();
  const { entries } = inspector;
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const close = (): void => entries.dialog.set(undefined);
  const remove = (): void => {
    setBusy(true);
    toEntryRequests(inspector)
      .remove(name)
      .then(close, (failure: unknown) => {
        setError(failure);
        setBusy(false);
      });
  };
  return (
    <Modal title={`Remove ${toPrintable(name, 80)}?`} onClose={close}>
      <p>Its process ends. Its entry and its stored secrets are deleted.</p>
      <Failure error={error} />
      <div className="actions end">
        <button type="button" data-first onClick={close}>
          Cancel
        </button>
        <button type="button" className="primary" disabled={isBusy} onClick={remove}>
          Remove
        </button>
      </div>
    </Modal>
  );
};
