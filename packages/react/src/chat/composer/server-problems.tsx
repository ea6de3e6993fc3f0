import { toFailureText } from '@casement/host';
import { toPrintable } from '@casement/protocol/basics';
import { useConversation } from '../host/chat-host.js';
import { RestartServer } from '../controls/restart-server.js';
import { useWords } from '../host/use-words.js';

/** The servers whose tools are not on offer now, and why. */
export const ServerProblems = () => {
  const problems = useConversation((state) => state.problems);
  const words = useWords();
  return (
    // There from the start, so that what comes into it is announced.
    <div className="casement-problems" role="status">
      {problems.length > 0 && (
        // Many of them scroll, which has to be possible by keyboard.
        <ul tabIndex={problems.length > 2 ? 0 : undefined}>
          {problems.map(({ server, code, ...problem }) => (
            <li key={server} data-code={code}>
              <span>
                <b>{words.problem(toPrintable(server, 80))}</b>{' '}
                {toPrintable(toFailureText({ code, ...problem }, words.failures), 1_000)} <code>{code}</code>
              </span>
              <RestartServer server={server} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
};
