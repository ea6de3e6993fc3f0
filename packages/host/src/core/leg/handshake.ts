import type { HostCapabilities, ParamsOf, RequestMethod, ResultOf } from '@casement/protocol';
import { LATEST_PROTOCOL_VERSION } from '@casement/protocol/basics';
import { CasementError } from '@casement/protocol/start';
import type { SandboxPolicy } from '@casement/sandbox';
import type { AppFrame } from '../frame/app-frame.js';
import { toGranted } from '../frame/frame-plan.js';
import type { HandlerContext } from '../handlers/handler-context.js';
import { createRateLimit, refuseRate } from '../policy/rate-limit.js';
import type { SessionStore } from '../state/session-store.js';
import { toFamilyContext } from '../view/family-context.js';
import type { SessionContext } from '../view/host-context.js';
import type { SessionView } from '../view/session-view.js';

/** Introduces host and app to each other. */
export interface Handshake {
  /** Answers ui/initialize, each time: development builds of apps send it twice, and the latest counts (B07). */
  initialize(
    params: ParamsOf<'ui/initialize'>,
    answered: ReadonlySet<RequestMethod>,
  ): ResultOf<'ui/initialize'>;
  /** The protocol version the app asked for last. */
  readonly askedVersion: string | undefined;
}

/** Makes the handshake of one session, for all its documents. */
export const createHandshake = (
  handling: HandlerContext,
  parts: {
    readonly context: SessionContext;
    readonly frame: AppFrame;
    readonly view: SessionView;
    readonly store: SessionStore;
  },
): Handshake => {
  const { options, recorder } = handling;
  const { context, frame, view, store } = parts;
  const limit = createRateLimit(20, 10_000);
  let askedVersion: string | undefined;

  return {
    get askedVersion() {
      return askedVersion;
    },
    initialize(params, answered) {
      if (!limit.take()) handling.enforce('ui/initialize', refuseRate('ui/initialize'));
      const { appInfo, appCapabilities, protocolVersion } = params;
      if (protocolVersion !== LATEST_PROTOCOL_VERSION) {
        recorder.note('finding', {
          code: 'unsupported-version',
          message: `The app asked for protocol version ${protocolVersion.slice(0, 40)}; it was answered ${LATEST_PROTOCOL_VERSION}.`,
          fix: `Send protocolVersion "${LATEST_PROTOCOL_VERSION}" in ui/initialize.`,
        });
      }
      if (!store.dispatch({ type: 'initialize' })) {
        throw new CasementError('session-closed', 'This app is not being started.');
      }
      askedVersion = protocolVersion;
      const policy = frame.plan?.policy;
      const hostCapabilities = toHostCapabilities(answered, policy);
      options.onInitialize?.(params);
      // HOST-048: an app that declares its modes is never in another one, from the first moment.
      const declared = appCapabilities.availableDisplayModes;
      const shared = context.offered.filter((mode) => !declared || declared.includes(mode));
      const [fitting] = shared;
      if (fitting && !shared.includes(context.displayMode)) view.setDisplayMode(fitting);
      const displayModes = fitting ? shared : [context.displayMode];
      context.setFamily(toFamilyContext(policy?.family, options, store.getSnapshot().widgetState));
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

const blockKinds = { text: {}, image: {}, audio: {}, resource: {}, resourceLink: {} };

const byMethod: readonly (readonly [RequestMethod, HostCapabilities])[] = [
  ['tools/call', { serverTools: { listChanged: true } }],
  ['resources/read', { serverResources: { listChanged: true } }],
  ['ui/open-link', { openLinks: {} }],
  ['ui/message', { message: blockKinds }],
  ['ui/update-model-context', { updateModelContext: { ...blockKinds, structuredContent: {} } }],
  ['ui/download-file', { downloadFile: {} }],
  // Without `tools`: what an app asks the model brings no tools with it (HOST-083).
  ['sampling/createMessage', { sampling: {} }],
];

/** What an app is told it can use: exactly what has a handler (HOST-045), and what its sandbox was granted. */
const toHostCapabilities = (
  answered: ReadonlySet<RequestMethod>,
  policy: SandboxPolicy | undefined,
): HostCapabilities => ({
  // Log notifications are always taken: they go to the recording (HOST-046).
  logging: {},
  ...byMethod.reduce<HostCapabilities>(
    (all, [method, capability]) => (answered.has(method) ? { ...all, ...capability } : all),
    {},
  ),
  ...(policy?.family === 'openai' ? { experimental: toWidgetExtensions(answered) } : {}),
  ...(policy ? { sandbox: toGranted(policy) } : {}),
});

/** Ours, and for the loader of that family alone. */
const toWidgetExtensions = (answered: ReadonlySet<RequestMethod>): Record<string, Record<string, never>> =>
  Object.fromEntries(
    (['casement/widget-state', 'casement/modal'] as const)
      .filter((method) => answered.has(method))
      .map((method) => [method, {}]),
  );
