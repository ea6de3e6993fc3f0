import { toPrintable } from '@casement/host';
import { RestartServer, useIsGone } from '../thread/restart-server.js';
import { useWords } from '../thread/use-words.js';

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
