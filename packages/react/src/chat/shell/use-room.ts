import type { ShellStore } from '@casement/chat';
import type { RefObject } from 'react';
import { useLayoutEffect, useState } from 'react';

// The least that a thread and a workspace need beside each other.
const workspaceRoom = 720;

/** Tells the shell whether a workspace fits beside the thread (S5-27), and gives whether the chat is narrow. */
export const useRoom = (element: RefObject<HTMLElement | null>, shell: ShellStore): boolean => {
  const [isNarrow, setNarrow] = useState(false);
  useLayoutEffect(() => {
    const root = element.current;
    if (!root) return;
    const isTooNarrow = (): boolean => root.clientWidth < workspaceRoom;
    // A store may ask the page itself whether there is space, but where there is none it is never so.
    const correct = (): void => {
      if (isTooNarrow() && shell.getSnapshot().workspaceFits) {
        shell.dispatch({ type: 'SET_WORKSPACE_FITS', fits: false });
      }
    };
    const look = (): void => {
      // Out of sight it has no size, which is no news about its room.
      if (root.clientWidth === 0) return;
      setNarrow(isTooNarrow());
      if (isTooNarrow()) correct();
      else shell.refit();
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(root);
    const unsubscribe = shell.subscribe(correct);
    return () => {
      observer.disconnect();
      unsubscribe();
    };
  }, [element, shell]);
  return isNarrow;
};
