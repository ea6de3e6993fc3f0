import { AsyncLocalStorage } from 'node:async_hooks';

/** Carries the session a request belongs to down to the transport, which alone sees the message ids. */
export const callScope = new AsyncLocalStorage<{ session: string }>();
