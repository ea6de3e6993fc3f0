import { isRecord } from '@casement/protocol/start';
import type { Gist } from './message-gist.js';

const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 400) : '');

const reasons: ReadonlyMap<string, string> = new Map([
  ['first', 'wants to know who you are'],
  ['over', 'does not take the sign-in any more'],
  ['more-scopes', 'wants more than was agreed to'],
]);

const clients: ReadonlyMap<string, string> = new Map([
  ['given', 'with the client that you gave'],
  ['document', 'with the document that describes this client'],
  ['registered', 'as a client that registered itself'],
]);

const scopesOf = (value: unknown): string => {
  const names = Array.isArray(value) ? value.slice(0, 50).map(textOf).join(' ') : '';
  return names === '' ? '' : ` (${names})`;
};

const toAskedSentence = ({ method, address, status, failure }: Record<string, unknown>): Gist => {
  const asked = `For the sign-in: ${textOf(method)} ${textOf(address)}`;
  if (typeof status === 'number') return { text: `${asked} was answered with ${status}.` };
  return { text: `${asked} did not work.`, code: textOf(failure), isProblem: true };
};

/** One step of a sign-in to a server, in a sentence; undefined for what is none. */
export const toSignInSentence = ({ server, signIn }: Record<string, unknown>): Gist | undefined => {
  if (!isRecord(signIn)) return undefined;
  const name = textOf(server);
  const issuer = textOf(signIn.issuerHost);
  const scopes = scopesOf(signIn.scopes);
  switch (textOf(signIn.step)) {
    case 'asked':
      return toAskedSentence(signIn);
    case 'needed': {
      const why = reasons.get(textOf(signIn.reason)) ?? 'wants a sign-in';
      return { text: `The server ${name} ${why}; its issuer is ${issuer}${scopes}.` };
    }
    case 'begun':
      return {
        text: `A sign-in to ${name} at ${issuer} began${scopes}, ${clients.get(textOf(signIn.client)) ?? 'with a client'}.`,
      };
    case 'signed-in':
      return { text: `Signed in to ${name} at ${issuer}${scopes}.` };
    case 'renewed':
      return { text: `The sign-in to ${name} was renewed at ${issuer}.` };
    case 'not-renewed':
      return { text: `The sign-in to ${name} could not be renewed at ${issuer}: sign in again.` };
    case 'signed-out': {
      const told = signIn.isRevoked === true ? 'and its tokens were revoked' : 'its issuer was not told';
      return { text: `Signed out of ${name}, ${told}.` };
    }
    case 'expired':
      return { text: `The token for ${name} is taken for expired: the next request renews it.` };
    case 'account-changed':
      return { text: `Another account is used for ${name}.` };
    case 'declined':
      return { text: `You chose not to sign in to ${name}.` };
    default: {
      const code = textOf(signIn.code);
      const isLost = signIn.step === 'not-stored';
      return {
        text: `${isLost ? `The sign-in to ${name} lasts until casement ends` : `The sign-in to ${name} did not work`}: ${textOf(signIn.message)}`,
        ...(code !== '' && { code }),
        isProblem: true,
      };
    }
  }
};
