import { useEffect, useRef } from 'react';
import { toPrintable } from '@casement/protocol';
import { useInspector, useValue } from './use-inspector.js';

/** Asks the user in a modal dialog of ours; its first half second takes no answer. */
export const ConsentDialog = () => {
  const { consent } = useInspector();
  const open = useValue(consent);
  const dialog = useRef<HTMLDialogElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  const question = open?.question;
  useEffect(() => {
    if (!question) return dialog.current?.close();
    if (!dialog.current?.open) dialog.current?.showModal();
    cancel.current?.focus();
  }, [question]);
  // Not `disabled`: the focus has to stay on Cancel.
  const waits = !open?.armed;
  return (
    <dialog
      ref={dialog}
      aria-labelledby="consent-title"
      onCancel={(event) => {
        event.preventDefault();
        consent.dismiss();
      }}
    >
      {question && (
        <>
          <h2 id="consent-title">{question.title}</h2>
          <p className="consent-subject">{toPrintable(question.subject, 300)}</p>
          <p>{toPrintable(question.asker, 300)}</p>
          {question.warnings?.map((warning) => (
            <p key={warning} className="consent-warning">
              {warning}
            </p>
          ))}
          <pre tabIndex={0}>{toPrintable(question.detail, 4_000, { lines: 'keep' })}</pre>
          <div className="actions end">
            <button ref={cancel} type="button" aria-disabled={waits} onClick={() => consent.answer(false)}>
              Cancel
            </button>
            {question.always !== undefined && (
              <button
                type="button"
                aria-disabled={waits}
                aria-describedby="consent-always"
                onClick={() => consent.answer('always')}
              >
                Always
              </button>
            )}
            <button
              type="button"
              className="primary"
              aria-disabled={waits}
              onClick={() => consent.answer(true)}
            >
              {question.allow}
            </button>
          </div>
          {question.always !== undefined && (
            <p id="consent-always" className="quiet">
              Always: {toPrintable(question.always, 200)} You can take it back in the Security tab.
            </p>
          )}
        </>
      )}
    </dialog>
  );
};
