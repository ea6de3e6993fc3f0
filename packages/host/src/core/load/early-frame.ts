import type { Transport } from '@casement/protocol';
import type { FramePlan } from '../frame/frame-plan.js';
import type { SessionOptions } from '../session-options.js';
import type { Surface } from '../surface.js';
import { findDocument, toFamilyOf } from './find-document.js';
import { getMountQueue } from './mount-queue.js';
import { planFrames } from './plan-frames.js';
import type { AppResource } from './read-resource.js';

/*
 * Loaded on demand, before the code that talks to an app: two documents take longer to come than that code, so they are
 * asked for as soon as the policy is known. No byte of the app is in them; whoever hands it over is not here yet.
 */

/** A frame that was made before there was anybody to talk to it. */
export interface EarlyFrame {
  readonly plan: FramePlan;
  /** Whether it was made by what an earlier read had told. */
  readonly isWarm: boolean;
  /** The way to it, with all it has said, once; undefined if the frame is gone. */
  take(): { readonly transport: Transport; endTurn(): void } | undefined;
}

/** Proxy and loader say three words before there is an app, four in some browsers; who says more is not one of them. */
const maxWords = 8;

/** Frames a document whose read has begun; undefined when that is not to be done before it was looked at. */
export const frameEarly = async (
  read: { readonly uri: string; readonly known: AppResource | undefined; reading: Promise<AppResource> },
  options: SessionOptions,
  surface: Surface,
  signal: AbortSignal,
): Promise<EarlyFrame | undefined> => {
  const { uri, linked } = await findDocument(options);
  const isWarm = read.known !== undefined;
  const isReviewed = options.review !== undefined || (options.blockedHashes ?? []).length > 0;
  if (uri !== read.uri || (isReviewed && !isWarm)) return undefined;
  const resource = toFamilyOf(read.known ?? (await read.reading), linked, options.family);
  // The user is asked about a page elsewhere.
  if (resource.url !== undefined) return undefined;
  const plan = await planFrames(resource, options, surface);
  const endTurn = await getMountQueue(surface.page).takeTurn(signal);
  if (signal.aborted) {
    endTurn();
    return undefined;
  }
  let isThere = true;
  const drop = (): void => {
    if (!isThere) return;
    isThere = false;
    transport.close();
    surface.unmount();
    endTurn();
  };
  const transport = surface.mount(plan.frame);
  const held = holdWords(transport, drop);
  signal.addEventListener('abort', drop);
  return {
    plan,
    isWarm,
    take() {
      if (!isThere) return undefined;
      isThere = false;
      signal.removeEventListener('abort', drop);
      return { transport: held, endTurn };
    },
  };
};

/** Keeps what comes before anybody listens for the first who does. */
const holdWords = (transport: Transport, onFlood: () => void): Transport => {
  const said: unknown[] = [];
  let listener: ((data: unknown) => void) | undefined;
  const stop = transport.subscribe((data) => {
    if (said.push(data) > maxWords) onFlood();
  });
  return {
    send: transport.send,
    close: transport.close,
    subscribe(given) {
      stop();
      listener = given;
      // Not within this call: whoever mounts the frame says so first.
      queueMicrotask(() => {
        for (const data of said.splice(0)) listener?.(data);
      });
      return transport.subscribe(given);
    },
  };
};
