import { toPrintable } from '@casement/protocol/basics';
import { RestartServer, useIsGone } from '../controls/restart-server.js';
import { useWords } from '../host/use-words.js';

/** Under an app that goes on without its server: the way to have it back, and then to start the app over. */
export const ServerLoss = ({ server, onReload }: { readonly server: string; onReload(): void }) => {
  const words = useWords();
  const isGone = useIsGone(server);
  const name = toPrintable(server, 80);
  return (
    <div className="casement-app-loss" role="status">
      <p>{isGone ? words.appWithoutServer(name) : words.appServerBack(name)}</p>
      {isGone ? (
        <RestartServer server={server} />
      ) : (
        <button type="button" className="casement-button" onClick={onReload}>
          {words.reloadApp}
        </button>
      )}
    </div>
  );
};
