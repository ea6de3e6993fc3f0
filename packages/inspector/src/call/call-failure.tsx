import type { CasementError } from '@casement/protocol/start';
import { toPrintable } from '@casement/protocol/basics';
import { isRecord } from '@casement/protocol/start';

/** A page the user has to visit before a call can succeed; both texts are the server's. */
interface SignInPage {
  readonly url: string;
  readonly host: string;
  readonly message: string;
}

const urlElicitationRequired = -32042;
const maxPages = 5;

const toPage = (value: unknown): SignInPage[] => {
  if (!isRecord(value) || typeof value.url !== 'string' || !URL.canParse(value.url)) return [];
  const { href, host, protocol, username, password } = new URL(value.url);
  // Any other scheme could run something; it is not made into a link.
  if (protocol !== 'https:' && protocol !== 'http:') return [];
  // accounts.example@evil.example reads like the first and leads to the second; ui/open-link refuses it, too.
  if (username !== '' || password !== '') return [];
  return [{ url: href, host, message: typeof value.message === 'string' ? value.message : '' }];
};

/** The pages a server names with the error "URL elicitation required"; none for any other failure. */
export const readSignInPages = ({ wire }: CasementError): readonly SignInPage[] => {
  const { data } = wire ?? {};
  if (wire?.code !== urlElicitationRequired || !isRecord(data) || !Array.isArray(data.elicitations))
    return [];
  return data.elicitations.slice(0, maxPages).flatMap(toPage);
};

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
