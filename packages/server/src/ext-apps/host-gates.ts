import type { DisplayMode, HostCapabilities } from '@casement/protocol';
import { displayModes, isRecord } from '@casement/protocol/start';
import { ExtAppsNotSupportedError } from './ext-apps-errors.js';
import type { ExtAppsHostCapabilities } from './ext-apps-types.js';

/** The advertised capabilities, whichever names they came in. */
export interface HostGates {
  readonly tools: boolean;
  readonly modelContext: boolean;
  readonly links: boolean;
  readonly widgetTools: boolean;
  readonly logging: boolean;
  /** Undefined: not said, so the callback alone decides. */
  readonly modes: readonly DisplayMode[] | undefined;
}

/** Reads FrontMCP's booleans and the specification's objects; anything else opens nothing. */
export const toHostGates = (capabilities: ExtAppsHostCapabilities | HostCapabilities): HostGates => {
  const declared: Record<string, unknown> = { ...capabilities };
  const isOn = (...names: readonly string[]): boolean =>
    names.some((name) => declared[name] === true || isRecord(declared[name]));
  const modes = declared['displayModes'];
  return {
    tools: isOn('serverToolProxy', 'serverTools'),
    modelContext: isOn('modelContextUpdate', 'updateModelContext'),
    links: isOn('openLink', 'openLinks'),
    widgetTools: isOn('widgetTools'),
    logging: isOn('logging'),
    modes: Array.isArray(modes) ? displayModes.filter((mode) => modes.includes(mode)) : undefined,
  };
};

/** The capabilities that `ui/initialize` answers: objects for official apps, which refuse booleans, beside FrontMCP's names. */
export const toAdvertised = (gates: HostGates): Record<string, unknown> => ({
  ...(gates.tools && { serverTools: {} }),
  ...(gates.links && { openLinks: {} }),
  ...(gates.modelContext && { updateModelContext: {} }),
  ...(gates.logging && { logging: {} }),
  serverToolProxy: gates.tools,
  openLink: gates.links,
  modelContextUpdate: gates.modelContext,
  widgetTools: gates.widgetTools,
  ...(gates.modes && { displayModes: gates.modes }),
});

/** Refuses what the host did not advertise, and what it has no callback for. */
export function assertGates(isAdvertised: boolean, callback: unknown, what: string): void {
  if (!isAdvertised) throw new ExtAppsNotSupportedError(`This host does not offer ${what}.`);
  if (callback === undefined) throw new ExtAppsNotSupportedError(`This host has nothing that does ${what}.`);
}
