import type { ShellStore } from '@casement/chat';
import { useEffect } from 'react';
import type { ChatWords } from '../host/chat-words.js';

/** Tells people who do not see the screen that an app opened in the panel or workspace, and that it is back. */
export const useShellNews = (
  shell: ShellStore,
  words: Pick<ChatWords, 'appOpened' | 'appBack'>,
  announce: (text: string) => void,
): void => {
  const { appOpened, appBack } = words;
  useEffect(() => {
    const stops = [
      shell.on('did-open', ({ place, messageItem }) => announce(appOpened(messageItem.title, place))),
      shell.on('did-close', ({ messageItem, replacedBy }) => {
        if (!replacedBy) announce(appBack(messageItem.title));
      }),
    ];
    return () => stops.forEach((stop) => stop());
  }, [shell, appOpened, appBack, announce]);
};
