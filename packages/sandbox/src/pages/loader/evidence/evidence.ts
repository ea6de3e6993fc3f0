// Reports what the page of an app does, for whoever looks for a mistake in it. The host hands this script over with the
// app, and the loader runs it before the app's first byte. It runs in the guest, which can silence it or forge what it says.
import type { EvidenceQueue } from '../evidence-queue.js';
import { hideWrapping } from './natives.js';
import { watchApis } from './watch-apis.js';
import { watchConsole } from './watch-console.js';
import { watchLayout } from './watch-layout.js';
import { watchPaint } from './watch-paint.js';

/** What the loader puts on this script's element. */
interface Given extends EvidenceQueue {
  /** Takes what adds listeners, to be called whenever a rewrite took them away. */
  onListen(listen: () => void): void;
}

const given = document.currentScript as (HTMLScriptElement & Given) | null;
if (given) {
  const { add } = given;
  const listeners: (() => void)[] = [];
  const onListen = (listen: () => void): void => void listeners.push(listen);
  hideWrapping();
  watchConsole(given);
  watchApis(add, onListen);
  watchPaint(add, watchLayout(add, onListen));
  given.onListen(() => {
    for (let index = 0; index < listeners.length; index += 1) listeners[index]?.();
  });
}
