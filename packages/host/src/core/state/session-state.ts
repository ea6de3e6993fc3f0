import type { ErrorCode, SessionStep } from '@casement/protocol';

/*
 * The life of one app, from a tool with a UI resource to pixels and back.
 *
 *   idle → loading → sandbox → handshake → ready → tearing-down → closed      (failed from anywhere)
 *             └──────── evicted ────────────┘
 *
 * 1. loading: the resource is being read. The proxy frame may already be there (pre-warm), because what it needs,
 *    the policy, is known from an earlier read; the HTML is not handed over before this read ended.
 * 2. sandbox: the HTML is in hand and the proxy has not said it is ready.
 * 3. handshake: the HTML was handed over. The phase tells what is still missing, and so how a time-out is called:
 *    no document (html-never-ran), no ui/initialize (no-initialize), no initialized (initialized-missing).
 * 4. ready: the app said initialized. Only now may anything but an answer go to it (HOST-029).
 * 5. A proxy says ready once. A second time means that its page was replaced, so nothing it relays can be trusted
 *    any more: the session fails as proxy-restarted.
 * 6. An epoch is one initialisation of one document. A new document (a loader that is ready again) or a second
 *    ui/initialize in the same one opens the next epoch; "once" and "before" hold within an epoch (HOST-067), and
 *    what the app was told is told again. Nothing is granted in a later epoch that was not granted in the first.
 * 7. Losing the server ends a session that has no HTML yet. An app that runs goes on running: the loss is noted on
 *    the state and the pending tool is cancelled.
 * 8. An app whose thread does not answer is noted as silent, the same way, until it answers or its document goes.
 * 9. tearing-down still serves the app's calls, so that it can save, until the app has answered; failed and closed
 *    serve nothing. A failed session can be restarted or closed, a closed one is over.
 * 10. evicted: the app gave up its frame to others of the page and comes back when its place is near what is seen. One
 *    that was ready is first asked to stop, as in tearing-down, and is served until it has answered. Restored it is
 *    loading in the next epoch, and is told all it was told before.
 *
 * transition() is the only function that makes a state from a state. An event that does not fit gives back the very
 * same object, which is how callers see that nothing happened.
 */

/** Why a session ended, or what it lost while going on (server-lost). */
export interface SessionFailure {
  readonly step: SessionStep;
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string;
}

/** Where a session stands; the words of data-app-status. */
export type SessionStatus = SessionState['status'];

/** What a handshake still waits for. */
type HandshakePhase = 'document' | 'initialize' | 'initialized';

/** What is wrong with a session that goes on all the same: its server is lost, its app does not respond. */
interface Troubles {
  readonly loss?: SessionFailure;
  readonly silence?: SessionFailure;
}

/** Why an app had to give up its frame, and whether something of it cannot come back. */
export interface Eviction {
  readonly reason: string;
  /** The user acted in it and it keeps nothing itself: what is not on its page starts anew. */
  readonly loses: boolean;
}

/** The closed union of session states. */
export type SessionState =
  | { readonly status: 'idle'; readonly epoch: 0 }
  | {
      readonly status: 'loading';
      readonly epoch: number;
      readonly proxy: 'absent' | 'mounted' | 'ready';
      readonly document: boolean;
    }
  | { readonly status: 'sandbox'; readonly epoch: number; readonly loss?: SessionFailure }
  | ({ readonly status: 'handshake'; readonly epoch: number; readonly phase: HandshakePhase } & Troubles)
  | ({ readonly status: 'ready'; readonly epoch: number } & Troubles)
  | { readonly status: 'tearing-down'; readonly epoch: number; readonly initialized: boolean }
  | ({ readonly status: 'evicted'; readonly epoch: number; readonly initialized: boolean } & Eviction)
  | { readonly status: 'closed'; readonly epoch: number }
  | { readonly status: 'failed'; readonly epoch: number; readonly failure: SessionFailure };

/** Everything that can happen to a session. */
export type SessionEvent =
  | { readonly type: 'start' | 'restart' }
  | { readonly type: 'mounted' | 'unmounted' }
  | { readonly type: 'resource' }
  /**
   * `restarted` is the failure to use if the proxy reports ready a second time; the caller passes it, as its text is
   * not part of this file.
   */
  | { readonly type: 'proxy-ready'; readonly restarted: SessionFailure }
  | { readonly type: 'loader-ready' | 'frame-loaded' }
  | { readonly type: 'initialize' | 'initialized' }
  | { readonly type: 'server-lost' | 'app-silent' | 'fail'; readonly failure: SessionFailure }
  | { readonly type: 'app-alive' }
  | { readonly type: 'evicted'; readonly eviction: Eviction }
  | { readonly type: 'restored' }
  | { readonly type: 'close' | 'torn-down' | 'removed' };

/** The state every session begins with. */
export const initialState: SessionState = { status: 'idle', epoch: 0 };

/** The next state, or the same object when the event does not fit. */
export const transition = (state: SessionState, event: SessionEvent): SessionState => {
  const { epoch } = state;
  switch (event.type) {
    case 'start':
      return state.status === 'idle' ? toLoading(1) : state;
    case 'restart':
      return isEnding(state) || state.status === 'idle' ? state : toLoading(epoch + 1);
    case 'mounted':
      return state.status === 'loading' ? { ...state, proxy: 'mounted', document: false } : state;
    case 'unmounted':
      return state.status === 'loading' ? { ...state, proxy: 'absent', document: false } : state;
    case 'resource':
      if (state.status !== 'loading') return state;
      return state.proxy === 'ready' ? toHandshake(epoch, state.document) : { status: 'sandbox', epoch };
    case 'proxy-ready':
      return onProxyReady(state, event.restarted);
    case 'loader-ready':
      return onLoaderReady(state);
    case 'frame-loaded':
      return state.status === 'handshake' && state.phase === 'document'
        ? { ...state, phase: 'initialize' }
        : state;
    case 'initialize':
      return onInitialize(state);
    case 'initialized':
      return state.status === 'handshake' && state.phase === 'initialized'
        ? { status: 'ready', epoch, ...lossOf(state) }
        : state;
    case 'server-lost':
      if (state.status === 'loading') return { status: 'failed', epoch, failure: event.failure };
      return state.status === 'sandbox' || state.status === 'handshake' || state.status === 'ready'
        ? { ...state, loss: event.failure }
        : state;
    case 'app-silent':
      return isRunning(state) && !state.silence ? { ...state, silence: event.failure } : state;
    case 'app-alive':
      if (!isRunning(state) || !state.silence) return state;
      return state.status === 'ready'
        ? { status: 'ready', epoch, ...lossOf(state) }
        : { status: 'handshake', epoch, phase: state.phase, ...lossOf(state) };
    case 'fail':
      return isEnding(state) || state.status === 'failed'
        ? state
        : { status: 'failed', epoch, failure: event.failure };
    case 'close':
      return isEnding(state)
        ? state
        : { status: 'tearing-down', epoch, initialized: state.status === 'ready' };
    case 'torn-down':
      return isAskedToStop(state) ? { ...state, initialized: false } : state;
    case 'evicted':
      return state.status === 'loading' || state.status === 'sandbox' || isRunning(state)
        ? { status: 'evicted', epoch, initialized: state.status === 'ready', ...event.eviction }
        : state;
    case 'restored':
      return state.status === 'evicted' && !state.initialized ? toLoading(epoch + 1) : state;
    case 'removed':
      return state.status === 'closed' ? state : { status: 'closed', epoch };
  }
};

const isEnding = (state: SessionState): boolean =>
  state.status === 'closed' || state.status === 'tearing-down';

/** Whether an app was asked to stop and has not answered: it may still save. */
const isAskedToStop = (state: SessionState): state is SessionState & { status: 'tearing-down' | 'evicted' } =>
  (state.status === 'tearing-down' || state.status === 'evicted') && state.initialized;

const isRunning = (state: SessionState): state is SessionState & { status: 'handshake' | 'ready' } =>
  state.status === 'handshake' || state.status === 'ready';

const toLoading = (epoch: number): SessionState => ({
  status: 'loading',
  epoch,
  proxy: 'absent',
  document: false,
});

const toHandshake = (epoch: number, document: boolean): SessionState => ({
  status: 'handshake',
  epoch,
  phase: document ? 'initialize' : 'document',
});

const lossOf = (state: SessionState): { loss?: SessionFailure } =>
  'loss' in state && state.loss ? { loss: state.loss } : {};

const onProxyReady = (state: SessionState, restarted: SessionFailure): SessionState => {
  if (state.status === 'loading' && state.proxy === 'mounted') return { ...state, proxy: 'ready' };
  if (state.status === 'sandbox') return { ...toHandshake(state.epoch, false), ...lossOf(state) };
  if (!isRunning(state) && !(state.status === 'loading' && state.proxy === 'ready')) return state;
  return { status: 'failed', epoch: state.epoch, failure: restarted };
};

const onLoaderReady = (state: SessionState): SessionState => {
  if (state.status === 'loading' && state.proxy === 'ready') return { ...state, document: true };
  if (state.status === 'handshake' && state.phase === 'document') return { ...state, phase: 'initialize' };
  if (!isRunning(state)) return state;
  return { status: 'handshake', epoch: state.epoch + 1, phase: 'initialize', ...lossOf(state) };
};

const onInitialize = (state: SessionState): SessionState => {
  const again = state.status === 'ready' || (state.status === 'handshake' && state.phase === 'initialized');
  if (!again && state.status !== 'handshake') return state;
  return {
    status: 'handshake',
    epoch: again ? state.epoch + 1 : state.epoch,
    phase: 'initialized',
    ...lossOf(state),
  };
};
