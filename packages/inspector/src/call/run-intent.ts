import { whenDrawn } from '../parts/when-drawn.js';
import type { Workbench, WorkbenchState } from './workbench.js';

/** Whoever goes through the tools with the arrow keys means the one where they stop. */
const settledMs = 100;
/** Whoever clicks sooner than this after the pointer came is quicker than frames are. */
const hintMs = 50;
/** When the frames that were made for it are there. */
const lastingMs = 700;
/** A page that is busy has better things to do first, but not for ever. */
const idleMs = 1_000;

/** Not in every browser. */
const whenIdle = (callback: () => void): (() => void) => {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(callback, settledMs);
    return () => clearTimeout(timer);
  }
  const request = requestIdleCallback(callback, { timeout: idleMs });
  return () => cancelIdleCallback(request);
};

const isSameChoice = (a: WorkbenchState, b: WorkbenchState): boolean =>
  a.serverName === b.serverName &&
  a.toolName === b.toolName &&
  (a.tool === undefined) === (b.tool === undefined);

const hasSameStatus = (a: WorkbenchState, b: WorkbenchState): boolean =>
  a.server?.summary.status === b.server?.summary.status;

/** What the user seems about to do. */
export interface RunIntent {
  /** The pointer or the focus is on what runs the tool. */
  hint(): void;
  /** The tool is run: an intent whose moment has not come is none any more. */
  forget(): void;
}

/**
 * Follows what is done on the workbench. `onChoice` is called when another tool is chosen, or the chosen one comes or
 * goes; `onIntent` a moment later, and whenever arguments are written: the tool will probably be run. `onWait` when it is
 * not run for a while after that.
 */
export const createRunIntent = (
  workbench: Pick<Workbench, 'getSnapshot' | 'subscribe'>,
  { onChoice, onIntent, onWait }: Record<'onChoice' | 'onIntent' | 'onWait', () => void>,
): RunIntent => {
  let last = workbench.getSnapshot();
  let forget = (): void => undefined;
  const after = (ms: number, act: () => void): void => {
    forget();
    const timer = setTimeout(act, ms);
    forget = () => clearTimeout(timer);
  };
  const intend = (): void => {
    onIntent();
    after(lastingMs, onWait);
  };
  workbench.subscribe(() => {
    const before = last;
    last = workbench.getSnapshot();
    const isSame = isSameChoice(before, last);
    if (!isSame) onChoice();
    // A server that is started anew means no other tool; frames that fit are used, and those of a lost one are gone.
    if (isSame && before.text === last.text && hasSameStatus(before, last)) return;
    // Nobody goes through tools that have just come.
    if (before.tool === undefined && last.tool !== undefined) {
      forget();
      forget = whenDrawn(intend);
      return;
    }
    after(settledMs, () => {
      forget = whenIdle(intend);
    });
  });
  return {
    hint: () => after(hintMs, intend),
    forget: () => forget(),
  };
};
