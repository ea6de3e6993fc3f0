import './sign-in.css';
import type { ServerSummary } from '@casement/gateway';
import { toPrintable } from '@casement/protocol/basics';
import { useState } from 'react';
import { createSignInRequests } from './sign-in-requests.js';
import { useInspector, useValue } from '../use-inspector.js';

/** The accounts of one server, and the way to sign in to it. */
export const SignInPanel = ({ summary: { name, signIn } }: { readonly summary: ServerSummary }) => {
  const { asksSignIn, gateway } = useInspector();
  const client = useValue(gateway)?.client;
  const [problem, setProblem] = useState<string>();
  if (signIn === undefined || client === undefined) return null;
  const requests = createSignInRequests(client, name);
  const { accounts, attempt, keyPlace, question } = signIn;
  const act = (asked: Promise<unknown>): void => {
    setProblem(undefined);
    asked.catch((error: unknown) => setProblem(error instanceof Error ? error.message : 'It did not work.'));
  };
  const failed = problem ?? (question ?? attempt)?.problem?.message;
  const canSignIn = question?.issuerHost !== undefined || accounts.length > 0;
  return (
    <section className="accounts" aria-label="Sign-in">
      {question !== undefined && failed === undefined && (
        <p className="wrap">{question.reason === 'over' ? 'Your sign-in is over.' : 'It wants a sign-in.'}</p>
      )}
      {failed !== undefined && (
        <p role="alert" className="wrap error-text">
          {toPrintable(failed, 600)}
        </p>
      )}
      {accounts.length > 0 && (
        <ul aria-label="Accounts">
          {accounts.map(({ id, label, issuerHost, isCurrent }) => (
            <li key={id}>
              <span className="name">
                <strong>{toPrintable(label, 100)}</strong>{' '}
                <span className="quiet">
                  {toPrintable(issuerHost, 100)}
                  {isCurrent && ' · in use'}
                </span>
              </span>
              <span className="line">
                {!isCurrent && (
                  <button type="button" className="small" onClick={() => act(requests.use(id))}>
                    Use
                  </button>
                )}
                <button type="button" className="small" onClick={() => act(requests.expire(id))}>
                  Expire now
                </button>
                <button type="button" className="small" onClick={() => act(requests.signOut(id))}>
                  Sign out
                </button>
              </span>
            </li>
          ))}
        </ul>
      )}
      {accounts.length > 0 && keyPlace === 'file' && (
        <p className="quiet wrap">
          Sign-ins are stored encrypted, their key in a file: this does not protect from programs that run as
          you.
        </p>
      )}
      {canSignIn && (
        <button
          type="button"
          className={question === undefined ? 'small' : 'small primary'}
          onClick={() => asksSignIn.set({ server: name, isNewAccount: question === undefined })}
        >
          {question === undefined ? 'Add an account' : 'Sign in'}
        </button>
      )}
    </section>
  );
};
