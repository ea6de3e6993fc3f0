import { AsyncLocalStorage } from 'node:async_hooks';

/** How far a call is, as its server says. */
export interface CallProgress {
  progress: number;
  total?: number;
  message?: string;
}

/** What belongs to one request but is not part of it. */
export interface CallScope {
  /** The session this request belongs to in the recording. */
  session?: string;
  /** The answer may come behind a stand-in: if it is big, or always. */
  takesHeld?: boolean | 'always';
  onProgress?(progress: CallProgress): void;
}

/** Carries a request's scope down to the transport, which alone sees the message ids. */
export const callScope = new AsyncLocalStorage<CallScope>();
