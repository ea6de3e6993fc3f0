import { isRecord } from '@casement/protocol/start';
import { textOf, type Gist } from './message-gist.js';

/** One step of a sign-in to a server, in words; undefined for what is none. */
export const toSignInSentence = ({ server, signIn }: Record<string, unknown>): Gist | undefined => {
  if (!isRecord(signIn)) return undefined;
  const { step, method, address, status, issuerHost, scopes, message } = signIn;
  const code = textOf(signIn.failure ?? signIn.code);
  const said = [
    `Sign-in to ${textOf(server)}: ${textOf(step).replaceAll('-', ' ')}`,
    ...[method, address, status, issuerHost].map(textOf),
    // The gateway bounds them.
    Array.isArray(scopes) && `(${scopes.map(textOf).join(' ')})`,
    textOf(message),
  ];
  const text = said.filter(Boolean).join(' ');
  return code === '' ? { text } : { text, code, isProblem: true };
};
