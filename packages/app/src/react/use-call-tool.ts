import { useCallback, useRef, useState } from 'react';
import type { App } from '../app.js';
import { AppError, toError } from '../session/errors.js';
import type { CallToolResult, JsonObject } from '../session/types.js';

/** The last call, and the way to the next. */
interface CallToolState {
  /** Calls a tool of the server; never rejects: a failure is in `error`, and the promise then gives undefined. */
  readonly call: (name: string, args?: JsonObject) => Promise<CallToolResult | undefined>;
  readonly isCalling: boolean;
  readonly result: CallToolResult | undefined;
  readonly error: Error | undefined;
}

type Outcome = Omit<CallToolState, 'call'>;

/** Calls tools of the app's server; of several calls the last one counts. */
export const useCallTool = (app: App | null): CallToolState => {
  const [outcome, setOutcome] = useState<Outcome>({ isCalling: false, result: undefined, error: undefined });
  const last = useRef(0);
  const call = useCallback(
    async (name: string, args: JsonObject = {}) => {
      const number = (last.current += 1);
      const tell = (change: Partial<Outcome>): void => {
        if (number === last.current) setOutcome((before) => ({ ...before, ...change }));
      };
      tell({ isCalling: true, error: undefined });
      try {
        if (!app) throw new AppError('not-connected', 'The app is not there yet.');
        const result = await app.callServerTool({ name, arguments: args });
        tell({ isCalling: false, result });
        return result;
      } catch (error) {
        tell({ isCalling: false, error: toError(error) });
        return undefined;
      }
    },
    [app],
  );
  return { call, ...outcome };
};
