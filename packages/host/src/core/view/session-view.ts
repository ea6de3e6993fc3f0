import type { DisplayMode, HostContext } from '@casement/protocol';
import type { AppFrame } from '../frame/app-frame.js';
import type { AppSize } from './app-size.js';
import { createSizeGuard, toAppSize } from './app-size.js';
import { sizeLoop } from '../state/diagnosis.js';
import { diffHostContext } from './host-context.js';
import type { SessionContext } from './session-context.js';
import type { SessionStore } from '../state/session-store.js';
import type { Surface } from '../surface.js';

/** How the app is shown and what it is told about that. */
export interface SessionView {
  /** The context to answer ui/initialize with; from then on only differences to it are told. */
  introduce(): HostContext;
  /** Tells an initialized app what changed since it was last told. */
  tellContext(): void;
  setDisplayMode(mode: DisplayMode): void;
  resize(report: AppSize): void;
  /** The size to begin with; what the app reports later counts more. */
  prefer(size: AppSize): void;
  /** The document is new, or gone: what the old one reported has no more to do with it. */
  renew(): void;
}

// Longer than any loop takes to answer.
const retryMs = 500;

/** Makes the view of one session over its context, frame and surface. */
export const createSessionView = (parts: {
  readonly context: SessionContext;
  readonly frame: AppFrame;
  readonly surface: Surface;
  readonly maxHeight: number;
  readonly store: SessionStore;
}): SessionView => {
  const { context, frame, surface, maxHeight, store } = parts;
  let told = context.current();
  let guard = createSizeGuard();
  let retrying: ReturnType<typeof setTimeout> | undefined;

  const apply = (size: AppSize): void => {
    surface.setSize(size);
    store.update({ size });
  };
  const retryLater = (size: AppSize): void => {
    retrying ??= setTimeout(() => {
      retrying = undefined;
      const height = isShown() && context.displayMode === 'inline' ? guard.retry() : undefined;
      if (height !== undefined) apply({ ...size, height });
    }, retryMs);
  };
  const toAllowed = (size: AppSize): AppSize | undefined =>
    toAppSize(size, {
      dimensions: context.current().containerDimensions,
      displayMode: context.displayMode,
      maxHeight,
    });
  const isShown = (): boolean => {
    const { status } = store.state;
    return status === 'ready' || status === 'handshake';
  };

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
    resize(report) {
      if (!isShown()) return;
      const size = toAllowed(report);
      if (!size) return;
      const verdict = size.height === undefined ? 'follow' : guard.judge(size.height);
      if (verdict === 'follow') apply(size);
      if (verdict === 'wait') retryLater(size);
      if (verdict === 'loop') store.addFinding(sizeLoop);
    },
    prefer(wish) {
      const size = toAllowed(wish);
      if (size) apply(size);
    },
    renew() {
      clearTimeout(retrying);
      retrying = undefined;
      guard = createSizeGuard();
    },
  };
  return view;
};
