import type { MountedApp } from '@casement/host';
import type { McpAppOptions } from './live-options.js';

type Deliveries = {
  readonly [N in keyof McpAppOptions]?: (app: MountedApp, value: NonNullable<McpAppOptions[N]>) => void;
};

/** In the order an app expects them; the session holds back what may not go yet. */
const deliveries: Deliveries = {
  hostContext: (app, context) => app.sendHostContextChanged(context),
  displayMode: (app, mode) => app.setDisplayMode(mode),
  toolInputPartial: (app, args) => app.sendToolInputPartial(args),
  toolInputText: (app, text) => app.sendToolInputText(text),
  toolInput: (app, args) => app.sendToolInput(args),
  toolResult: (app, result) => app.sendToolResult(result),
  toolCancelled: (app, reason) => app.sendToolCancelled(reason === true ? undefined : String(reason)),
};

/** Tells an app what changed since the last call; equal values in new objects, as a render makes them, are no change. */
export const createDelivery = (app: MountedApp, mounted: McpAppOptions): ((now: McpAppOptions) => void) => {
  // What was mounted with is known already.
  const { hostContext, toolInput } = mounted;
  const told: Record<string, unknown> = { hostContext, toolInput };
  return (now) => {
    for (const [name, deliver] of Object.entries(deliveries)) {
      const value = now[name as keyof McpAppOptions]; // the keys of the table are such names
      if (value === undefined || value === false || value === told[name]) continue;
      const isNews = JSON.stringify(value) !== JSON.stringify(told[name]);
      told[name] = value;
      // Each function stands under the name of its own value.
      if (isNews) (deliver as (app: MountedApp, value: unknown) => void)(app, value);
    }
  };
};
