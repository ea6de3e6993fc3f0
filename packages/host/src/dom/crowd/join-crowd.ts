import type { Member } from './members.js';
import { countLive, isLive, members } from './members.js';

/*
 * The part of the crowd that every page loads: it starts an app at once where that is right. Whoever has to wait, or is
 * not alone, is looked after by crowd.ts.
 */

let look: (() => void) | undefined;

/** Adds an app: it begins now if it is near and there is room, else when both are so. Gives back how it leaves. */
export const joinCrowd = (member: Member): (() => void) => {
  const hasRoom = countLive() < member.maxLive;
  members.add(member);
  const isNow = member.isKept || (hasRoom && (member.isWanted || isNear(member.layout.wrapper)));
  if (isNow) member.begin();
  if (!isNow || members.size > 1)
    // On demand: a page with one app in view has no use for it.
    import('../page-extras.js').then(
      ({ watchCrowd }) => {
        look = watchCrowd({ members, isLive, countLive });
        look();
      },
      (error: unknown) => {
        member.session.note('finding', { code: 'internal', message: String(error) });
        // Too many apps are better than none.
        if (member.session.getSnapshot().status === 'idle') member.begin();
      },
    );
  return () => {
    members.delete(member);
    look?.();
  };
};

/** Somebody asked for an app by name: it comes next, wherever it is. */
export const wantMember = (member: Member): void => {
  member.isWanted = true;
  look?.();
};

/**
 * Whether a place is in view or at most one screen away, in the window and in everything around it that scrolls. One
 * without a layout, hidden or outside the document, is neither near nor far: pages show such an app when it is ready.
 */
const isNear = (place: HTMLElement): boolean => {
  const box = place.getBoundingClientRect();
  if (place.getClientRects().length === 0) return true;
  const isWithin = (top: number, bottom: number, left: number, right: number): boolean => {
    const [height, width] = [bottom - top, right - left];
    const isHigh = box.bottom >= top - height && box.top <= bottom + height;
    return isHigh && box.right >= left - width && box.left <= right + width;
  };
  if (!isWithin(0, innerHeight, 0, innerWidth)) return false;
  for (let around = toParent(place); around; around = toParent(around)) {
    const isLonger = around.scrollHeight > around.clientHeight || around.scrollWidth > around.clientWidth;
    if (!isLonger || around === document.scrollingElement) continue;
    if (getComputedStyle(around).overflow.includes('visible')) continue;
    const { top, bottom, left, right } = around.getBoundingClientRect();
    if (!isWithin(top, bottom, left, right)) return false;
  }
  return true;
};

const toParent = (element: Element): Element | null => {
  const root = element.getRootNode();
  const host = root instanceof ShadowRoot ? root.host : null;
  return element.assignedSlot ?? element.parentElement ?? host;
};
