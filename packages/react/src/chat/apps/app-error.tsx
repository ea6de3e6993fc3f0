import { toPrintable } from '@casement/protocol/basics';
import { useEffect, useRef } from 'react';
import { RestartServer, useIsGone } from '../controls/restart-server.js';
import { useWords } from '../host/use-words.js';

/** The props of `<AppError>`. */
export interface AppErrorProps {
  readonly code: string;
  /** Why; each line is a paragraph. */
  readonly message: string;
  /** What the app would have shown, in words. */
  readonly fallback?: string | undefined;
  /** The server that the app needs. While it is gone, a button offers to start it again. */
  readonly server?: string | undefined;
  onServerBack?(): void;
  onReload?(): void;
}

const maxFallback = 10_000;

/** An app that cannot be shown: what it is about in words, why, and a way to try again (S5-08, S5-87). */
export const AppError = ({ code, message, fallback, server, ...on }: AppErrorProps) => {
  const words = useWords();
  const isGone = useIsGone(server);
  const wasGone = useRef(isGone);
  useEffect(() => {
    if (wasGone.current && !isGone) on.onServerBack?.();
    wasGone.current = isGone;
  });
  const [reason, ...more] = message.split('\n');
  return (
    <div className="casement-app-error" data-app-error={code}>
      {fallback && (
        <p className="casement-app-fallback">{toPrintable(fallback, maxFallback, { lines: 'keep' })}</p>
      )}
      <div role="alert" className="casement-app-reason">
        <p>
          <strong>{words.appFailed}</strong> {reason}
        </p>
        {more.map((line, index) => (
          <p key={index}>{line}</p>
        ))}
        <code>{code}</code>
      </div>
      <div className="casement-answers">
        {server !== undefined && <RestartServer server={server} />}
        {on.onReload && (
          <button type="button" className="casement-button" onClick={on.onReload}>
            {words.reloadApp}
          </button>
        )}
      </div>
    </div>
  );
};
