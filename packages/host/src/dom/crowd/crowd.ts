import type { Crowd, Member } from './members.js';
import { createPlaceKeeper } from './place-keeper.js';

/*
 * Who of a page's apps lives.
 *
 * 1. An app comes when its place is near (within one screen of what is seen) for a moment, is seen, or is wanted by
 *    name. A place without a layout comes only where there is room.
 * 2. Never more than the limit live. For one that comes, the one that was seen longest ago goes; for one that is only
 *    near, none that is near itself, or two would take each other's place for ever.
 * 3. Never evicted: what has the keyboard, covers the page or floats, is kept by the embedder, or is asked something.
 *    What is seen, plays, or has a call under way gives way only to an app that the user asks for by its button: an app
 *    could claim those two for ever.
 * 4. Among those that may go, the apps that the user never acted in go first, then those that keep what was done in
 *    them, then those that keep nothing.
 * 5. The place of an app that is gone stays exactly as tall, and until it is back and has settled.
 */

/** What is known of the place of one app. */
interface Sight {
  isSeen: boolean;
  isNear: boolean;
  hasLayout: boolean;
  wasConnected: boolean;
  nearSince: number;
  lastSeen: number;
  /** It could not be evicted a moment ago. */
  staysUntil: number;
  /** Says in the app's place that there is no room for it, or takes that back. */
  showCrowded(isCrowded: boolean): void;
  stop(): void;
}

/** A reader who scrolls past starts nothing. */
const passingMs = 100;
/** How soon it is tried again when no app can go. */
const retryMs = 1000;
const staysMs = 5000;
/** How many apps may say goodbye at once. */
const maxLeaving = 4;

/** The margin of the window and of everything that scrolls in it; where it is missing, places in the latter are near when they are seen. */
const hasScrollMargin = 'scrollMargin' in IntersectionObserver.prototype;

let watch: (() => void) | undefined;

/** Starts to look after the apps of the page, once; gives back what looks at all of them again. */
export const watchCrowd = (crowd: Crowd): (() => void) => (watch ??= createWatch(crowd));

const createWatch = ({ members, isLive, countLive }: Crowd): (() => void) => {
  const sights = new Map<Member, Sight>();
  const byPlace = new Map<Element, Sight>();
  const leaving = new Set<Member>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isSearching = false;

  const lookSoon = (ms = passingMs): void => {
    timer ??= setTimeout(look, ms);
  };
  const observe = (margin: string, onEntry: (sight: Sight, entry: IntersectionObserverEntry) => void) =>
    new IntersectionObserver(
      (entries) => {
        for (const entry of entries) {
          const sight = byPlace.get(entry.target);
          if (sight) onEntry(sight, entry);
        }
        lookSoon();
      },
      hasScrollMargin ? { scrollMargin: margin } : { rootMargin: margin },
    );
  const seen = observe('0px', (sight, { isIntersecting }) => {
    if (sight.isSeen || isIntersecting) sight.lastSeen = performance.now();
    sight.isSeen = isIntersecting;
  });
  const near = observe('100%', (sight, { isIntersecting, boundingClientRect: { width, height } }) => {
    if (isIntersecting && !sight.isNear) sight.nearSince = performance.now();
    sight.isNear = isIntersecting;
    sight.hasLayout = width + height > 0;
  });
  // Nobody else watches over the place of an app that waits.
  const removals = new MutationObserver(() => lookSoon());

  const follow = (member: Member): Sight => {
    const { wrapper } = member.layout;
    const keeper = createPlaceKeeper(member, () => lookSoon(0));
    const now = performance.now();
    const sight: Sight = {
      isSeen: false,
      isNear: false,
      hasLayout: true,
      wasConnected: false,
      nearSince: now,
      lastSeen: now,
      staysUntil: 0,
      showCrowded: (isCrowded) => keeper.showCrowded(isCrowded),
      stop() {
        keeper.stop();
        byPlace.delete(wrapper);
        for (const observer of [seen, near]) observer.unobserve(wrapper);
      },
    };
    if (sights.size === 0) removals.observe(wrapper.ownerDocument, { childList: true, subtree: true });
    sights.set(member, sight);
    byPlace.set(wrapper, sight);
    for (const observer of [seen, near]) observer.observe(wrapper);
    return sight;
  };
  const toSight = (member: Member): Sight => sights.get(member) ?? follow(member);
  /** Who came is followed, who left is not. */
  const count = (): void => {
    for (const member of members) toSight(member);
    for (const [member, sight] of sights) {
      if (members.has(member)) continue;
      sight.stop();
      sights.delete(member);
    }
    if (sights.size === 0) for (const observer of [seen, near, removals]) observer.disconnect();
  };
  const sweep = (): void => {
    for (const [member, sight] of sights) {
      const isThere = member.layout.wrapper.isConnected;
      const isLost = sight.wasConnected && !isThere && member.session.getSnapshot().status === 'idle';
      sight.wasConnected ||= isThere;
      if (isLost) member.session.skipTeardown('removed-by-others');
    }
  };

  const isAbsent = (member: Member): boolean => {
    const { status } = member.session.getSnapshot();
    return status === 'idle' || (status === 'evicted' && !isLive(member));
  };
  /** How much an app is needed: by name, by a reader who sees its place, by one who is near it, or not. */
  const toNeed = (member: Member): number => {
    const { isSeen, isNear, nearSince, hasLayout } = toSight(member);
    if (member.isWanted || member.session.getSnapshot().displayMode !== 'inline') return needs.byName;
    if (isSeen) return needs.seen;
    if (isNear && performance.now() - nearSince >= passingMs) return needs.near;
    return hasLayout ? 0 : needs.hidden;
  };

  const mayLeave = (member: Member, need: number): boolean => {
    const { session, layout } = member;
    const { status, displayMode } = session.getSnapshot();
    if (member.isKept || !isLive(member) || leaving.has(member) || status === 'evicted') return false;
    if (hasFocus(layout.wrapper) || displayMode !== 'inline') return false;
    if (need === needs.byName) return true;
    const { isSeen, isNear, staysUntil } = toSight(member);
    if (isSeen || session.isBusy() || staysUntil > performance.now()) return false;
    return need === needs.seen || !isNear;
  };
  const rank = async (member: Member) => {
    const { status, appTools, widgetState } = member.session.getSnapshot();
    if (status !== 'ready') return { member, hasActed: false, rank: 0 };
    const hasActed = await member.hasActed();
    if (!hasActed) return { member, hasActed, rank: appTools.length === 0 ? 1 : 2 };
    const keeps = widgetState !== undefined || (await member.keeps());
    return { member, hasActed, rank: keeps ? 3 : 4 };
  };
  const findLeaver = async (need: number) => {
    // What an app shows in a dialog ends with the app.
    if (need === needs.hidden || document.querySelector('dialog:modal')) return undefined;
    const may = [...members].filter((member) => mayLeave(member, need));
    const ranked = await Promise.all(may.map(rank));
    return ranked
      .filter(({ member }) => mayLeave(member, need))
      .sort((a, b) => a.rank - b.rank || toSight(a.member).lastSeen - toSight(b.member).lastSeen)[0];
  };
  const evict = async (member: Member, reason: string, hasActed: boolean): Promise<void> => {
    leaving.add(member);
    const isGone = await member.session.evict(reason, hasActed).catch(() => false);
    leaving.delete(member);
    if (!isGone) toSight(member).staysUntil = performance.now() + staysMs;
    lookSoon(0);
  };
  const makeRoom = async (asking: Member): Promise<void> => {
    isSearching = true;
    const found = await findLeaver(toNeed(asking)).catch(() => undefined);
    isSearching = false;
    if (found) void evict(found.member, `More than ${asking.maxLive} apps would live.`, found.hasActed);
    const isAlone = !found && leaving.size === 0;
    for (const [member, sight] of sights) sight.showCrowded(isAlone && sight.isSeen && isAbsent(member));
    lookSoon(found ? 0 : retryMs);
  };

  const bring = (member: Member): void => {
    member.isWanted = false;
    toSight(member).showCrowded(false);
    if (member.session.getSnapshot().status === 'idle') member.begin();
    else member.session.restore();
  };
  const look = (): void => {
    clearTimeout(timer);
    timer = undefined;
    count();
    sweep();
    const absent = [...members].filter(isAbsent);
    const asking = absent
      .filter((member) => toNeed(member) > 0)
      .sort((one, other) => toNeed(other) - toNeed(one));
    for (const member of asking) if (countLive() < member.maxLive) bring(member);
    const waiting = asking.filter(isAbsent);
    const [next] = waiting;
    if (next && !isSearching && leaving.size < Math.min(waiting.length, maxLeaving)) void makeRoom(next);
    if (absent.some((member) => toSight(member).isNear && !asking.includes(member))) lookSoon();
  };
  return look;
};

/** Not `:focus-within`, which does not count a frame of another process whose document has the focus. */
const hasFocus = (wrapper: HTMLElement): boolean => {
  const root = wrapper.getRootNode();
  const isTree = root instanceof Document || root instanceof ShadowRoot;
  return isTree && wrapper.contains(root.activeElement);
};

/** Each may take the place of fewer apps than the one after it. */
const needs = { hidden: 1, near: 2, seen: 3, byName: 4 };
