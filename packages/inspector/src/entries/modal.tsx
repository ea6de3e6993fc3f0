import type { ReactNode, Ref } from 'react';
import { useId, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import { CasementError } from '@casement/protocol/start';
import { toPrintable } from '@casement/protocol/basics';

interface ModalProps {
  readonly title: string;
  readonly ref?: Ref<HTMLDialogElement>;
  onClose(): void;
  readonly children: ReactNode;
}

/** What gets the keyboard when nothing else has it after a dialog: the way in to all of this. */
const home = '.servers button';

/** A modal dialog; `[data-first]` in it has the focus first, and what had it before gets it back. */
export const Modal = ({ title, ref, onClose, children }: ModalProps) => {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useImperativeHandle<HTMLDialogElement | null, HTMLDialogElement | null>(ref, () => dialog.current, []);
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    shown?.querySelector<HTMLElement>('[data-first]')?.focus();
    return () => {
      shown?.close();
      // What opened it may be gone by now, as what it asked about.
      if (document.activeElement === document.body) document.querySelector<HTMLElement>(home)?.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className="entry-dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
};

/** Why something did not work, in the gateway's words. */
export const Failure = ({ error }: { readonly error: unknown }) => {
  if (error === undefined) return null;
  const known = error instanceof CasementError ? error : undefined;
  const words = error instanceof Error ? error.message : String(error);
  return (
    <p role="alert" className="error-text">
      {toPrintable([words, known?.hint].filter(Boolean).join(' '), 2_000)}{' '}
      {known && <code>{known.code}</code>}
    </p>
  );
};
