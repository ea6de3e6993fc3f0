import type { ErrorCode } from '@casement/protocol';

/** Why a sign-in is needed: nobody signed in yet, the sign-in is over, or the server wants more scopes. */
export type SignInReason = 'first' | 'over' | 'more-scopes';

/** An account as the page sees it: never a token. */
interface AccountSummary {
  id: string;
  /** What the issuer calls it, or a number. */
  label: string;
  issuerHost: string;
  scopes: string[];
  /** The one that is used. */
  isCurrent: boolean;
  /** When the server will want it renewed, in milliseconds of the system's clock. */
  expiresAt?: number;
}

/** Why a sign-in did not work. */
export interface SignInProblem {
  code: ErrorCode;
  message: string;
  hint?: string;
}

/** The question that the page asks before anything is opened. */
export interface SignInQuestion {
  reason: SignInReason;
  /** Missing while the server's document is read, or when it cannot be used. */
  issuerHost?: string;
  scopes: string[];
  /** Whose sign-in is over. */
  account?: string;
  /** True while the user is at the issuer's page. */
  isOpen: boolean;
  /** How many calls wait for the answer. */
  waiting: number;
  /** Why the last attempt did not work. */
  problem?: SignInProblem;
}

/** What the page knows of the sign-in to one server. */
export interface SignInSummary {
  /** Whether a question is to be asked. */
  needed: boolean;
  question?: SignInQuestion;
  /** An attempt that the server did not ask for, such as that of another account; gone when it ended well. */
  attempt?: { isOpen: boolean; problem?: SignInProblem };
  accounts: AccountSummary[];
  /** Where the key of the stored sign-ins is: a file does not protect from programs of the same user. */
  keyPlace?: 'system' | 'file';
}

/** One step of a sign-in, as it is recorded: hosts and words, never a secret. */
export interface SignInStep {
  step: string;
  [detail: string]: unknown;
}
