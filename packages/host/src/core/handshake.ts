import type { DisplayMode } from '@casement/protocol';
import { CasementError, LATEST_PROTOCOL_VERSION } from '@casement/protocol';
import type { AppFrame } from './app-frame.js';
import type { HandlerContext } from './handlers/handler-context.js';
import type { SessionContext } from './session-context.js';
import type { AppOptions } from './session-options.js';
import type { SessionStore } from './session-store.js';
import { toFamilyContext } from './family-context.js';
import type { SessionView } from './session-view.js';

/** Introduces host and app to each other. */
export interface Handshake {
  readonly initialize: HandlerContext['initialize'];
  /** The protocol version the app asked for last. */
  readonly askedVersion: string | undefined;
  /** The display modes the app declared, if it did. */
  declaredModes(): readonly DisplayMode[] | undefined;
}

/** The handshake of one session, for all its documents. */
export const createHandshake = (parts: {
  readonly options: AppOptions;
  readonly context: SessionContext;
  readonly frame: AppFrame;
  readonly view: SessionView;
  readonly store: SessionStore;
}): Handshake => {
  const { options, context, frame, view, store } = parts;
  let askedVersion: string | undefined;

  return {
    get askedVersion() {
      return askedVersion;
    },
    declaredModes: () => store.getSnapshot().appCapabilities?.availableDisplayModes,
    initialize(params, toCapabilities) {
      const { appInfo, appCapabilities } = params;
      if (!store.dispatch({ type: 'initialize' })) {
        throw new CasementError('session-closed', 'This app is not being started.');
      }
      askedVersion = params.protocolVersion;
      const hostCapabilities = toCapabilities(frame.plan?.policy);
      options.onInitialize?.(params);
      // HOST-048: an app that declares its modes is never in another one, from the first moment.
      const declared = appCapabilities.availableDisplayModes;
      const shared = context.offered.filter((mode) => !declared || declared.includes(mode));
      const [fitting] = shared;
      if (fitting && !shared.includes(context.displayMode)) view.setDisplayMode(fitting);
      const displayModes = fitting ? shared : [context.displayMode];
      context.setFamily(toFamilyContext(frame.plan?.policy.family, options, store.getSnapshot().widgetState));
      store.update({ appInfo, appCapabilities, hostCapabilities, displayModes });
      return {
        protocolVersion: LATEST_PROTOCOL_VERSION,
        hostInfo: options.hostInfo ?? { name: 'casement', version: '0.1.0' },
        hostCapabilities,
        hostContext: view.introduce(),
      };
    },
  };
};
