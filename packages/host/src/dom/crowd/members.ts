import type { Session } from '../../core/session/session.js';
import type { AppLayout } from '../frame/app-layout.js';
import type { AppWords } from '../host-words.js';

/*
 * The apps of one page are a crowd: each lives in processes of its own, so only those near what the reader sees are
 * mounted, and never more than `limits.maxLiveApps` of them.
 */

/** One app of the page, as the others know it. */
export interface Member {
  readonly layout: AppLayout;
  readonly session: Session;
  readonly words: AppWords | undefined;
  /** The most apps that may live on the page when this one comes. */
  readonly maxLive: number;
  /** Whether it is mounted wherever it is, and stays. */
  readonly isKept: boolean;
  /** Whether somebody asked for it by name: by a mode, by a reload, by a press. */
  isWanted: boolean;
  frame(): HTMLIFrameElement | undefined;
  /** Whether the user did something in the app. */
  hasActed(): Promise<boolean>;
  /** Whether the app keeps something itself, by its own word. */
  keeps(): Promise<boolean>;
  /** Mounts it for the first time. */
  begin(): void;
}

/** What is known of all apps of the page; handed to what is loaded later, so that bundlers keep it where it is. */
export interface Crowd {
  readonly members: ReadonlySet<Member>;
  isLive(member: Member): boolean;
  countLive(): number;
}

/** All apps of the page. */
export const members = new Set<Member>();

/** Whether an app has frames, is about to have them, or is making room; those that are closed have a bound of their own. */
export const isLive = ({ session, frame }: Member): boolean => {
  const { status } = session.getSnapshot();
  return status === 'evicted' ? frame() !== undefined : !absent.has(status);
};

const absent: ReadonlySet<string> = new Set(['idle', 'failed', 'tearing-down', 'closed']);

/** How many apps of the page live. */
export const countLive = (): number => [...members].filter(isLive).length;
