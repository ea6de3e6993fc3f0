import { toPrintable } from '@casement/protocol/basics';
import { useLayoutEffect, useRef, useState } from 'react';
import { useChat, useConversation } from '../host/chat-host.js';
import { focusComposer } from './composer-focus.js';
import { useWords } from '../host/use-words.js';

/** What a server that has to be started again is known by. */
const goneCodes: readonly string[] = [
  'server-lost',
  'server-exited',
  'server-flooding',
  'server-not-ready',
  'server-unreachable',
];

/** Whether a server of the conversation is gone now. */
export const useIsGone = (server: string | undefined): boolean =>
  useConversation(({ problems }) =>
    problems.some((problem) => problem.server === server && goneCodes.includes(problem.code)),
  );

/** Starts a server again that is gone; nothing where it is there, or where the page cannot start it. */
export const RestartServer = ({ server }: { readonly server: string }) => {
  const { onRestartServer } = useChat();
  const isGone = useIsGone(server);
  return onRestartServer && isGone ? <RestartButton server={server} restart={onRestartServer} /> : null;
};

const RestartButton = ({
  server,
  restart,
}: {
  readonly server: string;
  restart(server: string): Promise<unknown>;
}) => {
  const { conversation, announce } = useChat();
  const words = useWords();
  const [isBusy, setBusy] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  // The button goes away with the problem, and the focus would with it.
  useLayoutEffect(() => {
    const own = button.current;
    return () => {
      if (own && own === document.activeElement) focusComposer(own);
    };
  }, []);
  const name = toPrintable(server, 80);
  const press = async (): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    // Whether it worked, its list of tools says; what is wrong then stands where the problem stood.
    await restart(server).catch(() => undefined);
    await conversation.refreshTools();
    setBusy(false);
    const isBack = !conversation.getSnapshot().problems.some((problem) => problem.server === server);
    announce(isBack ? words.restarted(name) : words.notRestarted(name));
  };
  return (
    <button
      ref={button}
      type="button"
      className="casement-button casement-restart"
      aria-label={words.restartServer(name)}
      // Not `disabled`, which would throw out the focus.
      aria-disabled={isBusy}
      onClick={() => void press()}
    >
      {isBusy ? words.restarting : words.restart}
    </button>
  );
};
