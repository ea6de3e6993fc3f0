import type { DisplayMode, HostContext } from '@casement/protocol';
import type { AppFrame } from '../frame/app-frame.js';
import { diffHostContext } from './host-context.js';
import type { SessionContext } from './host-context.js';
import type { SessionStore } from '../state/session-store.js';

/** What the app is told about its place, and the mode it is shown in. */
export interface SessionView {
  /** The context to answer ui/initialize with; from then on only differences to it are told. */
  introduce(): HostContext;
  /** Tells an initialized app what changed since it was last told. */
  tellContext(): void;
  setDisplayMode(mode: DisplayMode): void;
}

/** Makes the view of one session over its context and frame. */
export const createSessionView = (parts: {
  readonly context: SessionContext;
  readonly frame: AppFrame;
  readonly store: SessionStore;
}): SessionView => {
  const { context, frame, store } = parts;
  let told = context.current();

  const view: SessionView = {
    introduce() {
      told = context.current();
      store.update({ hostContext: told });
      return told;
    },
    tellContext() {
      const current = context.current();
      store.update({ hostContext: current });
      // Before initialized nothing is told (HOST-029); the difference is sent then.
      if (store.state.status !== 'ready') return;
      const changes = diffHostContext(told, current);
      told = current;
      if (changes) frame.leg?.notify('ui/notifications/host-context-changed', changes);
    },
    setDisplayMode(mode) {
      context.setDisplayMode(mode);
      store.update({ displayMode: mode });
      view.tellContext();
    },
  };
  return view;
};
