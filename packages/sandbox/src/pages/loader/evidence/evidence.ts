// Reports what the page of an app does, for whoever looks for a mistake in it. The host hands this script over with the
// app, and the loader runs it before the app's first byte. It runs in the guest, which can silence it or forge what it says.
import type { EvidenceQueue } from '../evidence-queue.js';
import { watchPaint } from './watch-paint.js';

/** What the loader puts on this script's element. */
export interface Given extends EvidenceQueue {
  /** Takes what adds listeners, to be called whenever a rewrite took them away. */
  onListen(listen: () => void): void;
}

const given = document.currentScript as (HTMLScriptElement & Given) | null;
if (given) {
  const { add } = given;
  watchPaint(add);
}
