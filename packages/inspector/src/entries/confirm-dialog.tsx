import type { EntryView } from '@casement/gateway';
import { toPrintable } from '@casement/protocol/basics';
import { CasementError } from '@casement/protocol/start';
import { useRef, useState } from 'react';
import { toDifferences } from './entry-differences.js';
import { toEntryRequests } from './entry-requests.js';
import { ExactEntry, toOrigin } from './exact-view.js';
import { InputFields, toInputValue } from './input-fields.js';
import { Failure, Modal } from './modal.js';
import { useEntry } from './use-entry.js';
import { useAllSeen } from './use-all-seen.js';
import { useArming } from '../parts/use-arming.js';
import { useInspector } from '../use-inspector.js';

const toTitle = (entry: EntryView | undefined): string => {
  if (!entry) return 'Start this server?';
  return entry.kind === 'stdio' ? 'Run this command?' : 'Connect to this address?';
};

/**
 * Asks for the user's yes to what a server would run or send, all of it in sight. The yes is to exactly what was shown:
 * an entry that changed meanwhile is shown again, with what is another (E09, E10).
 */
export const ConfirmDialog = ({ names }: { readonly names: readonly string[] }) => {
  const [name = '', ...others] = names;
  const inspector = useInspector();
  const { entries, workbench } = inspector;
  const { entry, failure } = useEntry(name);
  // What the user looks at; a change while he does is said.
  const [shown, setShown] = useState<EntryView>();
  const [differences, setDifferences] = useState<readonly string[]>([]);
  const [inputs, setInputs] = useState<ReadonlyMap<string, string>>(new Map());
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  // While the yes is on its way the entry may become another by it: its inputs have their values then.
  if (entry && !isBusy && entry.hash !== shown?.hash) {
    setShown(entry);
    if (shown) setDifferences(toDifferences(shown, entry));
  }
  const isSeen = useAllSeen(body, shown?.hash);
  const { armed, isMeant } = useArming(dialog, shown?.hash);

  const next = (): void =>
    entries.dialog.set(others.length > 0 ? { kind: 'confirm', names: others } : undefined);
  const confirm = async (agreed: EntryView): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      const given = agreed.inputs.map((input) => [input.id, toInputValue(input, inputs)]);
      await toEntryRequests(inspector).confirm(name, agreed.hash, Object.fromEntries(given));
      workbench.selectServer(name);
      next();
    } catch (caught) {
      if (!(caught instanceof CasementError && caught.code === 'entry-changed')) setError(caught);
      else await entries.refresh().catch(setError);
      setBusy(false);
    }
  };
  const isMissing = shown?.inputs.some((input) => toInputValue(input, inputs) === '') ?? true;
  const takesYes = shown !== undefined && armed.takesYes && isSeen && !isMissing && !isBusy;
  return (
    <Modal ref={dialog} title={toTitle(shown)} onClose={() => entries.dialog.set(undefined)}>
      <p className="asker">
        For the server <strong>{toPrintable(name, 200)}</strong>
        {shown && `, from ${toPrintable(toOrigin(shown), 400)}`}
        {others.length > 0 && `. ${others.length} more ${others.length === 1 ? 'waits' : 'wait'} after it`}.
      </p>
      {(differences.length > 0 || shown?.changed) && (
        <p role="alert" className="changed">
          {differences.length > 0
            ? `It changed while you looked: ${toPrintable(differences.join(', '), 600)}.`
            : 'It has changed since you agreed to it.'}
        </p>
      )}
      <div
        ref={body}
        className="entry-scroll"
        tabIndex={0}
        role="group"
        aria-label="What would run or be sent"
      >
        <div>
          {shown && <ExactEntry key={shown.hash} entry={shown} />}
          {shown && <InputFields inputs={shown.inputs} values={inputs} onChange={setInputs} />}
        </div>
      </div>
      <Failure error={error ?? failure} />
      <p className="quiet" role="status">
        {toAdvice({ isSeen: shown === undefined || isSeen, isMissing: shown !== undefined && isMissing })}
      </p>
      <div className="actions end">
        <button
          ref={cancel}
          type="button"
          data-first
          aria-disabled={!armed.takesNo}
          onClick={({ nativeEvent }) => isMeant(nativeEvent, false) && next()}
        >
          {others.length > 0 ? 'Skip' : 'Cancel'}
        </button>
        <button
          type="button"
          className="primary"
          // Not `disabled`, which would throw out the focus.
          aria-disabled={!takesYes}
          onClick={({ nativeEvent }) => {
            if (shown && takesYes && isMeant(nativeEvent, true)) void confirm(shown);
          }}
        >
          {shown?.kind === 'http' ? 'Connect' : 'Run it'}
        </button>
      </div>
    </Modal>
  );
};

/** What is still to do before the yes, or what the yes means. */
const toAdvice = ({ isSeen, isMissing }: { isSeen: boolean; isMissing: boolean }): string => {
  if (!isSeen) return 'There is more to see: scroll to the end, and open what is cut.';
  return isMissing ? 'Fill in what it needs first.' : 'Your yes holds until any of this changes.';
};
