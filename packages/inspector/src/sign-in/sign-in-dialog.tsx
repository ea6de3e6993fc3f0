import './sign-in.css';
import type { ServerSummary } from '@casement/gateway';
import { toPrintable } from '@casement/protocol/basics';
import { isRecord } from '@casement/protocol/start';
import { useEffect, useId, useLayoutEffect, useRef, useState, type FormEvent } from 'react';
import { useArming } from '../parts/use-arming.js';
import { createSignInRequests } from './sign-in-requests.js';
import { useInspector, useValue } from '../use-inspector.js';

const reasons = {
  first: 'It wants to know who you are.',
  over: 'Your sign-in is over.',
  'more-scopes': 'It wants more than you agreed to so far.',
} as const;

/** The gateway checked it; the page opens nothing but http addresses. */
const isWebAddress = (address: string): boolean => /^https?:$/.test(new URL(address).protocol);

/** A failure of a request, or the problem of an attempt, with what to do. */
const toWords = (failure: unknown): string => {
  const { message = 'It did not work.', hint } =
    failure instanceof Error || isRecord(failure) ? (failure as { message?: unknown; hint?: unknown }) : {};
  return toPrintable([message, hint].filter((text) => typeof text === 'string').join(' '), 600);
};

/** The question before a sign-in: it names the server, the issuer's host and the scopes, and opens nothing by itself. */
export const SignInDialog = ({
  summary,
  isNewAccount,
  onClose,
}: {
  readonly summary: ServerSummary;
  readonly isNewAccount: boolean;
  onClose(): void;
}) => {
  const { name, label = name, signIn } = summary;
  const title = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  const link = useRef<HTMLAnchorElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const client = useValue(useInspector().gateway)?.client;
  const requests = client && createSignInRequests(client, name);
  const [address, setAddress] = useState<string>();
  const [problem, setProblem] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const { armed, isMeant } = useArming(dialog);
  const question = signIn?.question;
  const attempt = signIn?.attempt;
  const current = signIn?.accounts.find(({ isCurrent }) => isCurrent);
  const issuerHost = question?.issuerHost ?? current?.issuerHost;
  const scopes = question?.scopes ?? current?.scopes ?? [];
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    cancel.current?.focus();
    return () => shown?.close();
  }, []);
  const accounts = signIn?.accounts.map(({ id, isCurrent }) => `${id} ${isCurrent}`).join();
  const before = useRef(accounts);
  useEffect(() => {
    // Another account is in use: what was asked about is done.
    if (accounts !== before.current) onClose();
  }, [accounts, onClose]);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (attempt?.isOpen === true) wasOpen.current = true;
    // It ended well; the same person may have signed in again, which changes no account.
    else if (attempt === undefined && wasOpen.current) onClose();
  }, [attempt, onClose]);
  const ended = question?.problem ?? attempt?.problem;
  const isOver = ended !== undefined;
  useEffect(() => {
    // Its address works once: the next attempt gets another.
    if (isOver) setAddress(undefined);
  }, [isOver]);
  const hasLink = address !== undefined;
  useEffect(() => {
    // The button that had the focus is gone.
    if (hasLink) link.current?.focus();
    else if (document.activeElement === document.body) cancel.current?.focus();
  }, [hasLink]);
  const say = (asked: Promise<unknown> | undefined): void => {
    setBusy(true);
    setProblem(undefined);
    void asked?.catch(setProblem).finally(() => setBusy(false));
  };
  const decline = (): void => {
    if ((question?.waiting ?? 0) > 0) void requests?.decline().catch(() => undefined);
    onClose();
  };
  const begin = (click: MouseEvent): void => {
    if (!isMeant(click, true) || issuerHost === undefined) return;
    // The form's own fields.
    const fields = new FormData(form.current ?? undefined);
    const id = String(fields.get('client') ?? '').trim();
    const secret = String(fields.get('secret') ?? '');
    const own = id === '' ? {} : { client: { id, ...(secret !== '' && { secret }) } };
    say(
      requests?.begin({ issuerHost, isNewAccount, ...own }).then((begun) => {
        if (isWebAddress(begun.address)) setAddress(begun.address);
      }),
    );
  };
  const paste = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const pasted = String(new FormData(event.currentTarget).get('address') ?? '');
    say(requests?.paste(pasted));
  };
  return (
    <dialog
      ref={dialog}
      className="sign-in-dialog"
      aria-labelledby={title}
      onCancel={(event) => {
        event.preventDefault();
        decline();
      }}
    >
      <h2 id={title}>Sign in to {toPrintable(label, 80)}?</h2>
      <p>
        {isNewAccount
          ? 'Another account is added.'
          : question
            ? reasons[question.reason]
            : 'You sign in again.'}{' '}
        {(question?.waiting ?? 0) > 0 && `${question?.waiting} of its calls wait for your answer.`}
      </p>
      <dl className="facts">
        <div>
          <dt>Issuer</dt>
          <dd>
            <code>{toPrintable(issuerHost ?? 'not known yet', 300)}</code>
          </dd>
        </div>
        <div>
          <dt>Scopes</dt>
          <dd className="scopes">
            {scopes.length === 0
              ? 'none named'
              : scopes.map((scope) => <code key={scope}>{toPrintable(scope, 200)}</code>)}
          </dd>
        </div>
      </dl>
      {(problem ?? ended) !== undefined && (
        <p role="alert" className="error-text">
          {toWords(problem ?? ended)}
        </p>
      )}
      {address === undefined ? (
        <form ref={form} onSubmit={(event) => event.preventDefault()}>
          <details className="fold">
            <summary>A client of your own</summary>
            <div className="fields">
              <label>
                Client ID <input name="client" autoComplete="off" />
              </label>
              <label>
                Client secret <input name="secret" type="password" autoComplete="off" />
              </label>
            </div>
          </details>
        </form>
      ) : (
        <form onSubmit={paste}>
          <p className="quiet">
            Its page opens in a tab of its own; this question ends when you are signed in.
          </p>
          <details className="fold">
            <summary>The browser is on another machine</summary>
            <div className="fields">
              <label>
                The address it ends at <input name="address" autoComplete="off" required />
              </label>
              <div className="actions">
                <button type="submit" className="small" disabled={isBusy}>
                  Use it
                </button>
              </div>
            </div>
          </details>
        </form>
      )}
      <div className="actions">
        <button
          ref={cancel}
          type="button"
          aria-disabled={!armed.takesNo}
          onClick={({ nativeEvent }) => isMeant(nativeEvent, false) && decline()}
        >
          Cancel
        </button>
        {address === undefined ? (
          <button
            type="button"
            className="primary"
            aria-disabled={!armed.takesYes || isBusy || issuerHost === undefined}
            onClick={(event) => begin(event.nativeEvent)}
          >
            Sign in
          </button>
        ) : (
          <a ref={link} className="primary" href={address} target="_blank" rel="noopener noreferrer">
            Open {toPrintable(new URL(address).host, 300)}
          </a>
        )}
      </div>
    </dialog>
  );
};
