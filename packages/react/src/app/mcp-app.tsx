'use client';

import type { AppSnapshot, MountedApp, SessionFailure } from '@casement/host';
import { toFailedText } from '@casement/host';
import type { CSSProperties, ReactNode } from 'react';
import { forwardRef, useEffect, useImperativeHandle, useRef } from 'react';
import type { McpAppOptions } from './live-options.js';
import { useMcpApp } from './use-mcp-app.js';

/** The props of `<McpApp>`. */
export interface McpAppProps extends McpAppOptions {
  readonly className?: string;
  readonly style?: CSSProperties;
  /** Shown when the app cannot be, before the reason; a function decides about the whole place. */
  readonly fallback?: ReactNode | ((failure: SessionFailure) => ReactNode);
  /** The app could not be shown, or goes on with something lost (server-lost, app-not-responding). */
  onFailure?(failure: SessionFailure): void;
  /** Something about the app changed. */
  onSnapshot?(snapshot: AppSnapshot): void;
}

const busy: readonly string[] = ['idle', 'loading', 'sandbox', 'handshake'];

/** An MCP App. Its ref has what can be done with it: `sendToolInputPartial`, `callAppTool`, `reload`, `close` … */
export const McpApp = forwardRef<MountedApp | null, McpAppProps>(function McpApp(props, ref) {
  const { className, style, fallback, onFailure, onSnapshot, ...options } = props;
  const { containerRef, app, snapshot } = useMcpApp({ showFailures: false, ...options });
  const { status = 'idle', failure } = snapshot ?? {};
  const listeners = useRef({ onFailure, onSnapshot });
  useEffect(() => {
    listeners.current = { onFailure, onSnapshot };
  });
  useEffect(() => {
    if (failure) listeners.current.onFailure?.(failure);
  }, [failure]);
  useEffect(() => {
    if (snapshot) listeners.current.onSnapshot?.(snapshot);
  }, [snapshot]);
  useImperativeHandle<MountedApp | null, MountedApp | null>(ref, () => app ?? null, [app]);

  return (
    <div
      role="group"
      className={className}
      style={style}
      data-app-status={status}
      data-app-failure={failure?.code}
      aria-busy={busy.includes(status) || undefined}
    >
      <div ref={containerRef} />
      {status === 'failed' && failure && toFailed(failure, fallback, options.words)}
    </div>
  );
});

const toFailed = (
  failure: SessionFailure,
  fallback: McpAppProps['fallback'],
  words: McpAppProps['words'],
): ReactNode =>
  typeof fallback === 'function' ? (
    fallback(failure)
  ) : (
    <div role="alert" data-app-error={failure.code}>
      {fallback}
      <p>{toFailedText(failure, words)}</p>
    </div>
  );
