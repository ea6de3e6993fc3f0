import { useEffect, useState } from 'react';
import { App, type AppOptions } from '../app.js';
import { toError } from '../session/errors.js';
import type { AppCapabilities, Implementation } from '../session/types.js';
import type { Transport } from '../session/wire-types.js';

/** The options of useApp; they are read once, when the component appears. */
interface UseAppOptions {
  readonly appInfo: Implementation;
  readonly capabilities?: AppCapabilities | undefined;
  readonly options?: AppOptions | undefined;
  /** Another way to the host than the parent window. */
  readonly createTransport?: (() => Transport) | undefined;
  /** The place for handlers and tools: nothing has been sent yet. */
  readonly onAppCreated?: ((app: App) => void) | undefined;
}

/** The app and the state of its connection. */
interface UseAppState {
  /** There before it is connected, so that other hooks miss nothing. */
  readonly app: App | null;
  readonly isConnected: boolean;
  /** Why there is no connection. */
  readonly error: Error | undefined;
}

/** An app that lives as long as the component: created, connected, closed. */
export const useApp = ({
  appInfo,
  capabilities,
  options,
  createTransport,
  onAppCreated,
}: UseAppOptions): UseAppState => {
  const [state, setState] = useState<UseAppState>({ app: null, isConnected: false, error: undefined });
  useEffect(() => {
    const app = new App(appInfo, capabilities, options);
    onAppCreated?.(app);
    setState({ app, isConnected: false, error: undefined });
    let isGone = false;
    const connect = async (): Promise<void> => {
      // A moment later: React's strict mode takes the first one away at once, and one app shakes hands once.
      await Promise.resolve();
      if (!isGone) await app.connect(createTransport?.());
      if (!isGone) setState({ app, isConnected: true, error: undefined });
    };
    connect().catch((error: unknown) => {
      if (!isGone) setState({ app, isConnected: false, error: toError(error) });
    });
    return () => {
      isGone = true;
      app.close();
    };
    // Once: a new object in the next render is no other app.
  }, []);
  return state;
};
