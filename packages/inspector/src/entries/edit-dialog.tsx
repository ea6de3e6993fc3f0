import { useState } from 'react';
import { toPrintable } from '@casement/protocol/basics';
import { EntryFields } from './entry-fields.js';
import { toEntryRequests } from './entry-requests.js';
import type { EntryForm, FormProblems } from './entry-form.js';
import { readForm, toForm } from './entry-form.js';
import { Failure, Modal } from './modal.js';
import { useEntry } from './use-entry.js';
import { useInspector } from '../use-inspector.js';

/** Changes an entry that Casement keeps. What then would run is asked about again. */
export const EditDialog = ({ name }: { readonly name: string }) => {
  const inspector = useInspector();
  const { entries } = inspector;
  const { entry, failure } = useEntry(name);
  const [typed, setTyped] = useState<EntryForm>();
  const [problems, setProblems] = useState<FormProblems>({});
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const close = (): void => entries.dialog.set(undefined);
  const form = typed ?? (entry && toForm(entry));
  const submit = async (): Promise<void> => {
    if (!form || isBusy) return;
    const read = readForm(form);
    setProblems(read.ok ? {} : read.problems);
    if (!read.ok) return;
    setBusy(true);
    try {
      // What has no field here stays as it is.
      const draft = {
        ...read.draft,
        ...(entry?.isNameDerived && { isNameDerived: true }),
        ...(entry?.account !== undefined && { account: entry.account }),
      };
      const { entry: changed } = await toEntryRequests(inspector).change(name, draft);
      const isAsked = !changed.confirmed && changed.enabled;
      entries.dialog.set(isAsked ? { kind: 'confirm', names: [changed.name] } : undefined);
    } catch (caught) {
      setError(caught);
      setBusy(false);
    }
  };
  return (
    <Modal title={`Edit ${toPrintable(name, 80)}`} onClose={close}>
      <form
        className="entry-body"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <div className="entry-scroll">
          {form && (
            <EntryFields
              form={form}
              problems={problems}
              isNamed
              onChange={setTyped}
              onSubmit={() => void submit()}
            />
          )}
          <Failure error={error ?? failure} />
        </div>
        <div className="actions end">
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" className="primary" disabled={!form || isBusy}>
            Save
          </button>
        </div>
      </form>
    </Modal>
  );
};
