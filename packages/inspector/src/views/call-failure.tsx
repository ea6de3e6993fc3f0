import type { CasementError } from '@casement/protocol';
import { toPrintable } from '@casement/protocol';
import { readSignInPages, type SignInPage } from '../sign-in-pages.js';

const SignInPages = ({ pages }: { pages: readonly SignInPage[] }) => (
  <ul className="sign-in">
    {pages.map(({ url, host, message }) => (
      <li key={url}>
        {message !== '' && <p>{toPrintable(message, 400)}</p>}
        <p>
          <a href={url} target="_blank" rel="noopener noreferrer">
            Open {toPrintable(host, 120)}
          </a>
          , finish there, then run the tool again.
        </p>
      </li>
    ))}
  </ul>
);

/** Why a call failed and what to do next; a server that wants the user elsewhere first says where. */
export const CallFailure = ({ error }: { error: CasementError }) => {
  const pages = readSignInPages(error);
  return (
    <div className="error-text" role="alert">
      <p>
        {toPrintable([error.message, error.hint].filter(Boolean).join(' '), 1_000)} <code>{error.code}</code>
      </p>
      {pages.length > 0 && <SignInPages pages={pages} />}
    </div>
  );
};
