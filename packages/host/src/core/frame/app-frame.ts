import type { Peer, Transport } from '@casement/protocol';
import { CasementError } from '@casement/protocol/start';
import type { FramePlan } from './frame-plan.js';
import type { SessionOptions } from '../session-options.js';
import type { AppStorage } from '../state/app-snapshot.js';
import type { SessionRecorder } from '../state/session-recorder.js';
import type { SessionStore } from '../state/session-store.js';
import type { Surface } from '../surface.js';
import { addExplained } from '../state/explain.js';

/** The conversation with one document of the app: a peer of its own on the frame's transport. */
export interface AppLeg extends Pick<Peer, 'request' | 'notify' | 'close'> {
  /** When the app last sent anything itself. */
  readonly lastHeard: number;
  /** How often it did. */
  readonly heard: number;
}

/** Opens the conversation with one document. */
export type OpenLeg = (transport: Transport) => AppLeg;

/** The frame of a session as long as there is one, with the conversation in it. */
export interface AppFrame {
  readonly leg: AppLeg | undefined;
  readonly plan: FramePlan | undefined;
  /** Frames the plan, opens the conversation and tells the store; `isWarm` when the resource is still being read. */
  mount(plan: FramePlan, how: { readonly isWarm: boolean; readonly openLeg: OpenLeg }): void;
  /** A new document talks now: what was owed to the old one is forgotten. */
  renewLeg(): void;
  unmount(): void;
  /** Asks the app to stop and waits; false without an answer. An error, -32601 too, is consent (HOST-072, HOST-073). */
  askTeardown(reason: string | undefined, wait: TeardownWait): Promise<boolean>;
}

/** How long an app may take to stop. */
interface TeardownWait {
  readonly ms: number;
  /** Somebody waits for the end: an app that says nothing at all for so long is not waited for. */
  readonly quietMs?: number;
}

/** Makes the holder of a session's frame; there is none before `mount`. */
export const createAppFrame = (parts: {
  readonly options: SessionOptions;
  readonly surface: Surface;
  readonly recorder: SessionRecorder;
  readonly store: SessionStore;
}): AppFrame => {
  const { options, surface, recorder, store } = parts;
  let transport: Transport | undefined;
  let leg: AppLeg | undefined;
  let plan: FramePlan | undefined;
  let openLeg: OpenLeg | undefined;

  const closeLeg = (): void => {
    leg?.close(new CasementError('session-closed', 'The document of the app is gone.'));
    leg = undefined;
  };
  const renewLeg = (): void => {
    closeLeg();
    if (transport) leg = openLeg?.(transport);
  };

  return {
    get leg() {
      return leg;
    },
    get plan() {
      return plan;
    },
    mount(next, { isWarm, openLeg: open }) {
      const { policy, declared, dropped, csp, fallback, findings, site, appOrigin } = next;
      const { resource } = policy;
      const storage = toStorage(next, options, surface);
      // HOST-006: what is enforced, for which resource of which server, can be looked up later.
      recorder.lifecycle('policy', { server: options.server.name, resource, csp, policy, storage, isWarm });
      for (const entry of dropped) recorder.note('finding', { code: 'domain-dropped', ...entry });
      for (const finding of findings) {
        if (finding.code !== 'domain-dropped') recorder.note('finding', finding);
      }
      plan = next;
      openLeg = open;
      transport = surface.mount(next.frame);
      renewLeg();
      store.update({
        policy: { ...(declared ? { declared } : {}), effective: policy, dropped, csp },
        address: { proxyOrigin: next.frame.origin, appOrigin, ...(site ? { site } : {}) },
        prewarmed: isWarm,
        storage,
        ...(fallback ? { fallback } : {}),
      });
      if (storage.inForce === 'persistent' && storage.wanted === 'page')
        addExplained(store, ({ toStorageLasts }) => toStorageLasts(site));
      store.dispatch({ type: 'mounted' });
    },
    renewLeg,
    unmount() {
      closeLeg();
      if (!transport) return;
      transport.close();
      transport = undefined;
      surface.unmount();
    },
    async askTeardown(reason, { ms, quietMs }) {
      const params = reason === undefined ? {} : { reason };
      const asked = leg;
      const heardBefore = asked?.heard;
      const quiet = new AbortController();
      const onQuiet = (): void => {
        if (asked?.heard === heardBefore) quiet.abort();
      };
      const timer = quietMs === undefined ? undefined : setTimeout(onQuiet, quietMs);
      const settings = { timeoutMs: ms, signal: quiet.signal };
      const outcome = await asked?.request('ui/resource-teardown', params, settings).then(
        () => 'answered',
        (error: unknown) =>
          error instanceof CasementError && error.code === 'peer-error'
            ? 'answered with an error'
            : 'unanswered',
      );
      clearTimeout(timer);
      recorder.lifecycle('teardown', { outcome });
      return outcome !== undefined && outcome !== 'unanswered';
    },
  };
};

const toStorage = (
  { frame: { credentialless }, fallback }: FramePlan,
  { storage = 'page' }: SessionOptions,
  { hasCredentialless }: Surface,
): AppStorage => {
  const lasting = credentialless && hasCredentialless ? 'page' : 'persistent';
  return { wanted: storage, inForce: fallback ? 'none' : lasting };
};
