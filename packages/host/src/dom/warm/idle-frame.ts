import type { Transport } from '@casement/protocol';
import { isRecord } from '@casement/protocol/start';
import type { FrameSpec } from '../../core/surface.js';
import type { createFocusGuard } from '../focus/focus-guard.js';
import type { AppLayout } from '../frame/app-layout.js';
import type { createFrameElement } from '../frame/frame-element.js';
import type { ClaimedFrame, createFrameTransport, frameEnds } from '../frame/frame-surface.js';
import type { askFrameUse } from '../frame/frame-use.js';
import type { Handover, HeadStart, HeadStartFault } from './head-start.js';
import { createHeadStart } from './head-start.js';

/*
 * Proxy and loader of an app that nobody has asked for yet. Both pages are ours; no HTML of a server is in them. They
 * are out of sight, take no room, and are hidden from assistive technology and from the keyboard.
 *
 * An app that runs beside them with the same policy has the same origin as this loader, and so can reach into it. It
 * could do that to any second app of its own; what it must not gain here is a place that nobody watches, or one that
 * outlives it. So a focus in the frame, a word in it that neither proxy nor loader says before there is an app, and the
 * end of such an app are its end too.
 */

/** Why a frame cannot be used any more. */
export type FrameFault =
  'proxy-silent' | 'spoke-early' | 'focus-taken' | 'app-ended' | 'policy-changed' | HeadStartFault;

/** A frame that waits for its app. */
export interface IdleFrame {
  readonly element: HTMLIFrameElement;
  /**
   * Shows it as the place of an app; from then on it belongs to the session that claims it.
   */
  reveal(): void;
  /**
   * Starts an app in it that is not confirmed yet, as soon as its proxy is there: the frame stays out of sight and out
   * of reach until the session hands over the same app.
   */
  start(handover: Handover, onBegun: () => void): void;
  /** Gives the frame to the session that wants exactly this one, once. */
  claim(spec: FrameSpec): ClaimedFrame | undefined;
  /** Another guard watches over it now, so what it said is passed on. */
  guarded(): void;
  remove(): void;
}

/** What any frame is made and watched with. */
export interface FrameParts {
  readonly askFrameUse: typeof askFrameUse;
  readonly createFocusGuard: typeof createFocusGuard;
  readonly createFrameElement: typeof createFrameElement;
  readonly createFrameTransport: typeof createFrameTransport;
  readonly frameEnds: typeof frameEnds;
}

/** Both pages come from the same handler as any other's; one that takes longer would not be quicker than new frames. */
const upMs = 5_000;
/** How long a frame that was asked for before its pages were there is waited for. */
const silentMs = 2_000;

const prefix = 'ui/notifications/sandbox-';
const usualWords: ReadonlySet<string> = new Set(['proxy-ready', 'loader-ready', 'frame-loaded']);
/** The loader's own load is one; browsers that tell of the empty page before it have one more. */
const maxLoads = 2;

const readWord = (data: unknown): string | undefined => {
  const method = isRecord(data) ? data.method : undefined;
  if (typeof method !== 'string' || !method.startsWith(prefix)) return undefined;
  const word = method.slice(prefix.length);
  return usualWords.has(word) ? word : undefined;
};

const isSameFrame = (a: FrameSpec, b: FrameSpec): boolean =>
  a.url === b.url &&
  a.origin === b.origin &&
  a.sandbox === b.sandbox &&
  a.allow === b.allow &&
  a.credentialless === b.credentialless;

/** Neither keys nor pointers nor assistive technology get there; that nothing is seen of it is up to its style. */
const shut = (element: HTMLIFrameElement): void => {
  element.inert = true;
  element.tabIndex = -1;
  element.ariaHidden = 'true';
};
const unshut = (element: HTMLIFrameElement): void => {
  element.inert = false;
  element.removeAttribute('tabindex');
  element.ariaHidden = null;
};

const hide = ({ wrapper, place }: AppLayout, element: HTMLIFrameElement, height: number): void => {
  wrapper.inert = true;
  shut(element);
  // The frame has the width it will have, so that the app is not laid out twice.
  wrapper.style.cssText = `position:fixed;inset:0 auto auto 0;width:${place.clientWidth}px;height:0;overflow:hidden;visibility:hidden;pointer-events:none`;
  element.style.cssText += `;display:block;border:0;width:100%;height:${height}px`;
};

/** Puts the frame of a spec into the page, hidden. */
export const createIdleFrame = (given: {
  readonly layout: AppLayout;
  readonly spec: FrameSpec;
  /** The height that an app begins with. */
  readonly height: number;
  readonly parts: FrameParts;
  onFault(fault: FrameFault): void;
}): IdleFrame => {
  const { layout, spec, onFault } = given;
  const { askFrameUse, createFocusGuard, createFrameElement, createFrameTransport, frameEnds } = given.parts;
  const { wrapper } = layout;
  const element = createFrameElement(wrapper.ownerDocument, spec, '');
  const said: unknown[] = [];
  const words: string[] = [];
  const bornAt = performance.now();
  let open: (() => void) | undefined;
  let isGuarded = false;
  let isClaimed = false;
  let early: HeadStart | undefined;
  let replace: (() => void) | undefined;

  const isUp = (): boolean => words.includes('proxy-ready') && words.includes('loader-ready');
  const own = createFrameTransport(
    spec,
    () => element,
    () => onFault('spoke-early'),
  );
  own.subscribe((data) => {
    if (early?.hear(data)) return;
    const word = readWord(data);
    const isTooMuch = words.filter((one) => one === word).length >= (word === 'frame-loaded' ? maxLoads : 1);
    if (word === undefined || isTooMuch) return onFault('spoke-early');
    words.push(word);
    said.push(data);
    if (isUp()) clearTimeout(upTimer);
    if (word === 'proxy-ready') early?.begin();
  });
  const upTimer = setTimeout(() => onFault('proxy-silent'), upMs);
  const stopGuard = createFocusGuard({
    wrapper,
    frame: () => element,
    askUse: askFrameUse,
    // Nobody can have gone there.
    isParked: () => true,
    onStrike: () => (early ? early.drop('focus-taken') : onFault('focus-taken')),
    onStop: () => undefined,
  });
  const onEnd = (url: string): void => {
    if (url === element.src) onFault('app-ended');
  };
  frameEnds.add(onEnd);
  hide(layout, element, given.height);
  layout.head.after(element);

  const stop = (): void => {
    clearTimeout(upTimer);
    frameEnds.delete(onEnd);
    own.close();
  };
  const remove = (): void => {
    isClaimed = true;
    stop();
    early?.end();
    stopGuard();
    element.remove();
  };
  /** From now on the frame is like any other's. */
  const settle = (): void => {
    early = undefined;
    stopGuard();
    unshut(element);
  };
  /** Holds everything back until the app has its guards, so that no HTML is handed over before. */
  const follow = (transport: Transport, renew: () => void): Transport => {
    const listeners = new Set<(data: unknown) => void>();
    let waiting: unknown[] | undefined = [...said];
    stop();
    const silence = setTimeout(() => {
      early?.end();
      onFault('proxy-silent');
      renew();
    }, silentMs);
    const hear = (data: unknown): void => {
      clearTimeout(silence);
      if (waiting) waiting.push(data);
      else for (const listener of [...listeners]) listener(data);
    };
    if (said.length > 0) clearTimeout(silence);
    transport.subscribe(hear);
    open = () => {
      const before = waiting ?? [];
      waiting = undefined;
      before.forEach(hear);
    };
    // The session is not ready to listen before this call is over.
    if (isGuarded) queueMicrotask(open);
    const way: Transport = {
      send: transport.send,
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      close() {
        clearTimeout(silence);
        listeners.clear();
        transport.close();
      },
    };
    replace = renew;
    return early?.follow(way, said.length) ?? way;
  };

  return {
    element,
    remove,
    reveal() {
      wrapper.inert = false;
      if (!early) unshut(element);
      wrapper.removeAttribute('style');
      layout.setDisplayMode('inline');
    },
    start(handover, onBegun) {
      early = createHeadStart({
        handover,
        send: own.send,
        onBegun,
        onSettled: settle,
        onFault(fault) {
          onFault(fault);
          if (replace) replace();
          else remove();
        },
      });
      if (words.includes('proxy-ready')) early.begin();
    },
    claim(wanted) {
      // What a session mounts later, for a reload or another policy, is new.
      if (isClaimed) return undefined;
      isClaimed = true;
      const isLate = !isUp() && performance.now() - bornAt > silentMs;
      if (isSameFrame(spec, wanted) && !isLate) return { element, follow };
      onFault(isLate ? 'proxy-silent' : 'policy-changed');
      remove();
      return undefined;
    },
    guarded() {
      isGuarded = true;
      if (!early) stopGuard();
      if (open) queueMicrotask(open);
    },
  };
};
