import type { CasementError } from '@casement/protocol';
import { isRecord } from '@casement/protocol';

/** A page the user has to visit before a call can succeed; both texts are the server's. */
export interface SignInPage {
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
