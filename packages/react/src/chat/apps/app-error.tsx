import { toPrintableText } from '@casement/host';
import { RestartServer } from '../thread/restart-server.js';
import { useWords } from '../thread/use-words.js';

/** The props of `<AppError>`. */
export interface AppErrorProps {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  /** What the app would have shown, in words. */
  readonly fallback?: string | undefined;
  /** Whose app it is; offered to be started again when it is gone. */
  readonly server?: string | undefined;
  onReload?(): void;
}

const maxFallback = 10_000;

/** An app that cannot be shown: what it is about in words, why, and a way to try again (S5-08, S5-87). */
export const AppError = ({ code, message, hint, fallback, server, onReload }: AppErrorProps) => {
  const words = useWords();
  return (
    <div className="casement-app-error" data-app-error={code}>
      {fallback && <p className="casement-app-fallback">{toPrintableText(fallback, maxFallback)}</p>}
      <div role="alert" className="casement-app-reason">
        <p>
          <strong>{words.appFailed}</strong> {message} {hint}
        </p>
        <code>{code}</code>
      </div>
      <div className="casement-answers">
        {server !== undefined && (
          <RestartServer server={server} {...(onReload ? { onRestarted: onReload } : {})} />
        )}
        {onReload && (
          <button type="button" className="casement-button" onClick={onReload}>
            {words.reloadApp}
          </button>
        )}
      </div>
    </div>
  );
};
