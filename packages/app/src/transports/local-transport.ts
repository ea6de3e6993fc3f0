import { isRecord } from '../session/session.js';
import type { Params, Transport, WireMessage } from '../session/wire-types.js';

/** A host that is no window but a few functions in the same page. */
export interface LocalHost {
  /** Undefined says that there is no such method; a thrown error is the host's no. */
  answer(method: string, params: Params): unknown;
  hear(method: string, params: Params): void;
  stop?(): void;
}

/** Creates a transport to functions of the same page. They answer as a host would: later, never within the call. */
export const createLocalTransport = (
  createHost: (notify: (method: string, params: Params) => void) => LocalHost,
): Transport => {
  let listener: ((data: unknown) => void) | undefined;
  const post = (message: WireMessage): void => void setTimeout(() => listener?.(message));
  const host = createHost((method, params) => post({ jsonrpc: '2.0', method, params }));

  return {
    send(message) {
      if (!('method' in message)) return;
      const { method, params = {} } = message;
      if (!('id' in message)) return host.hear(method, params);
      const { id } = message;
      const refuse = (code: number, text: string): void =>
        post({ jsonrpc: '2.0', id, error: { code, message: text } });
      (async () => host.answer(method, params))().then(
        (result) => {
          if (result === undefined) refuse(-32601, `Method not found: ${method}`);
          // Our own hosts, below, answer with objects.
          else post({ jsonrpc: '2.0', id, result: result as Params });
        },
        // The host's errors may be of another realm.
        (error: unknown) => refuse(-32000, String(isRecord(error) ? error['message'] : error)),
      );
    },
    subscribe(hear) {
      listener = hear;
      return () => (listener = undefined);
    },
    close() {
      listener = undefined;
      host.stop?.();
    },
  };
};
