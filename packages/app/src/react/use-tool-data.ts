import { useEffect, useState } from 'react';
import type { App } from '../app.js';
import type { CallToolResult, JsonObject } from '../session/types.js';
import { useAppValue } from './use-app-value.js';

/**
 * The arguments of the call, once they are complete. With `partial` also what the model has written so far: for
 * previews, never to act upon. The type is the author's word about the tool's schema.
 */
export const useToolInput = <T extends JsonObject = JsonObject>(
  app: App | null,
  { partial = false }: { partial?: boolean } = {},
): T | undefined => {
  const [preview, setPreview] = useState<JsonObject>();
  useEffect(
    () => (partial ? app?.on('toolinputpartial', ({ arguments: args }) => setPreview(args)) : undefined),
    [app, partial],
  );
  const input = useAppValue(app, 'toolinput', ({ toolInput }) => toolInput);
  // The author's word, see above.
  return (input ?? preview) as T | undefined;
};

/** The result of the call, once it is there. */
export const useToolResult = (app: App | null): CallToolResult | undefined =>
  useAppValue(app, 'toolresult', ({ toolResult }) => toolResult);

/** The state of the call that the app was opened for. */
type ToolStatus = 'waiting' | 'done' | 'failed' | 'cancelled';

/** The state of that call, so that no component waits for a result that will not come (VIEW-017). */
export const useToolStatus = (app: App | null): ToolStatus => {
  const result = useToolResult(app);
  const [isCancelled, setCancelled] = useState(false);
  useEffect(() => app?.on('toolcancelled', () => setCancelled(true)), [app]);
  if (result) return result.isError ? 'failed' : 'done';
  return isCancelled ? 'cancelled' : 'waiting';
};
